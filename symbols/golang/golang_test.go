package golang_test

import (
	"testing"

	"github.com/slipstream-mcp/slipstream/symbols/golang"
	"github.com/slipstream-mcp/slipstream/symbols/internal/langtest"
)

var update = langtest.Update()

func TestGolden(t *testing.T) {
	langtest.Run(t, golang.Language{}, *update)
}

func FuzzParse(f *testing.F) {
	langtest.Fuzz(f, golang.Language{})
}
