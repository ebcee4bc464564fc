//go:build !cgo

package typescript

import "github.com/slipstream-mcp/slipstream/symbols/treesitter"

func typescriptGrammar() *treesitter.Grammar { return nil }

func tsxGrammar() *treesitter.Grammar { return nil }
