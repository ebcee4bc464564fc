//go:build !cgo

package python

import "github.com/slipstream-mcp/slipstream/symbols/treesitter"

func grammar() *treesitter.Grammar { return nil }
