//go:build cgo

package javascript_test

import (
	"testing"

	"github.com/slipstream-mcp/slipstream/symbols/internal/langtest"
	"github.com/slipstream-mcp/slipstream/symbols/javascript"
)

var update = langtest.Update()

func TestGolden(t *testing.T) {
	langtest.Run(t, javascript.Language{}, *update)
}

func FuzzParse(f *testing.F) {
	langtest.Fuzz(f, javascript.Language{})
}
