//go:build cgo

package typescript_test

import (
	"testing"

	"github.com/slipstream-mcp/slipstream/symbols/internal/langtest"
	"github.com/slipstream-mcp/slipstream/symbols/typescript"
)

var update = langtest.Update()

func TestGolden(t *testing.T) {
	langtest.Run(t, typescript.Language{}, *update)
}

func FuzzParse(f *testing.F) {
	langtest.Fuzz(f, typescript.Language{})
}
