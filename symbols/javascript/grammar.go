//go:build cgo

package javascript

import (
	"sync"

	"github.com/smacker/go-tree-sitter/javascript"

	"github.com/slipstream-mcp/slipstream/symbols/internal/ecma"
	"github.com/slipstream-mcp/slipstream/symbols/treesitter"
)

var grammar = sync.OnceValue(func() *treesitter.Grammar {
	return treesitter.New(javascript.GetLanguage(), ecma.Spec())
})
