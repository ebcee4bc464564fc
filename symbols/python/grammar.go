//go:build cgo

package python

import (
	"sync"

	"github.com/smacker/go-tree-sitter/python"

	"github.com/slipstream-mcp/slipstream/symbols/treesitter"
)

var grammar = sync.OnceValue(func() *treesitter.Grammar {
	return treesitter.New(python.GetLanguage(), spec())
})
