// Package typescript finds the declarations of TypeScript files: modules and
// scripts, TSX, and declaration files.
package typescript

import (
	"context"
	"path"
	"strings"

	"github.com/slipstream-mcp/slipstream/symbols"
	"github.com/slipstream-mcp/slipstream/symbols/internal/ecma"
)

// Language is TypeScript.
type Language struct{}

var _ symbols.Language = Language{}

// Name is "typescript", for TSX too.
func (Language) Name() string { return "typescript" }

// Match claims .ts, .mts, .cts and .tsx.
func (Language) Match(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".ts", ".mts", ".cts", ".tsx":
		return true
	}
	return false
}

// Parse finds the declarations of src.
func (l Language) Parse(ctx context.Context, p string, src []byte) (symbols.File, error) {
	p = strings.ToLower(p)
	d := ecma.Dialect{Language: l.Name(), Ambient: isDeclaration(path.Base(p))}
	if strings.HasSuffix(p, ".tsx") {
		d.Grammar = tsxGrammar()
	} else {
		d.Grammar = typescriptGrammar()
	}
	return ecma.Parse(ctx, src, d)
}

// isDeclaration reports whether a file declares what is written elsewhere:
// a.d.ts, a.d.mts, a.d.css.ts.
func isDeclaration(base string) bool {
	return !strings.HasSuffix(base, ".tsx") && strings.Contains(base, ".d.")
}
