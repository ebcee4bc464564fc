//go:build cgo

package python_test

import (
	"testing"

	"github.com/slipstream-mcp/slipstream/symbols/internal/langtest"
	"github.com/slipstream-mcp/slipstream/symbols/python"
)

var update = langtest.Update()

func TestGolden(t *testing.T) {
	langtest.Run(t, python.Language{}, *update)
}

func FuzzParse(f *testing.F) {
	langtest.Fuzz(f, python.Language{})
}
