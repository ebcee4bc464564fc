//go:build !cgo

package javascript

import "github.com/slipstream-mcp/slipstream/symbols/treesitter"

func grammar() *treesitter.Grammar { return nil }
