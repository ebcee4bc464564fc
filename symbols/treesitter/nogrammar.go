//go:build !cgo

package treesitter

import (
	"context"

	"github.com/slipstream-mcp/slipstream/symbols"
)

// Available reports whether this build can parse.
const Available = false

// Grammar stands for a language that this build cannot parse.
type Grammar struct{}

// Parse returns symbols.ErrNoGrammar.
func (*Grammar) Parse(context.Context, []byte) (*Tree, error) {
	return nil, symbols.ErrNoGrammar
}
