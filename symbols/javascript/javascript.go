// Package javascript finds the declarations of JavaScript files: ECMAScript
// modules, CommonJS modules, scripts, with or without JSX.
package javascript

import (
	"context"
	"path"
	"strings"

	"github.com/slipstream-mcp/slipstream/symbols"
	"github.com/slipstream-mcp/slipstream/symbols/internal/ecma"
)

// Language is JavaScript.
type Language struct{}

var _ symbols.Language = Language{}

// Name is "javascript".
func (Language) Name() string { return "javascript" }

// Match claims .js, .jsx, .mjs and .cjs.
func (Language) Match(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".js", ".jsx", ".mjs", ".cjs":
		return true
	}
	return false
}

// Parse finds the declarations of src.
func (l Language) Parse(ctx context.Context, _ string, src []byte) (symbols.File, error) {
	return ecma.Parse(ctx, src, ecma.Dialect{Language: l.Name(), Grammar: grammar(), CommonJS: true})
}
