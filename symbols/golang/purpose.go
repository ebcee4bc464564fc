package golang

import (
	"go/ast"

	"github.com/slipstream-mcp/slipstream/symbols/internal/purpose"
)

// purposeOf is the package comment's first sentence, or what a comment before
// the package clause says.
func purposeOf(file *ast.File) string {
	if file.Doc != nil {
		if s := purpose.Line(text(file.Doc)); s != "" {
			return s
		}
	}
	for _, c := range file.Comments {
		if c.Pos() > file.Package {
			break
		}
		if s := purpose.Line(text(c)); s != "" {
			return s
		}
	}
	return ""
}

// text is a comment group without its marks; unlike ast.CommentGroup.Text it
// keeps directives, which purpose knows.
func text(g *ast.CommentGroup) string {
	var s string
	for _, c := range g.List {
		s += purpose.Strip(c.Text) + "\n"
	}
	return s
}
