//go:build cgo

package typescript

import (
	"sync"

	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"

	"github.com/slipstream-mcp/slipstream/symbols/internal/ecma"
	"github.com/slipstream-mcp/slipstream/symbols/treesitter"
)

var typescriptGrammar = sync.OnceValue(func() *treesitter.Grammar {
	return treesitter.New(typescript.GetLanguage(), ecma.Spec())
})

var tsxGrammar = sync.OnceValue(func() *treesitter.Grammar {
	return treesitter.New(tsx.GetLanguage(), ecma.Spec())
})
