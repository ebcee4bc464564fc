package python

import (
	"strings"

	"github.com/slipstream-mcp/slipstream/symbols/internal/purpose"
	"github.com/slipstream-mcp/slipstream/symbols/treesitter"
)

// listed collects the names in the lists that __all__ is made of.
func (r *reader) listed(n *treesitter.Node) {
	if n == nil {
		return
	}
	if n.Kind == "string" {
		if name := literal(n.Text(r.src)); name != "" {
			r.all = append(r.all, name)
		}
		return
	}
	for c := range n.Children() {
		r.listed(c)
	}
}

// literal is the text of a string literal without prefix and quotes.
func literal(s string) string {
	s = strings.TrimLeft(s, "rRbBuUfF")
	for _, q := range []string{`"""`, "'''", `"`, "'"} {
		if len(s) >= 2*len(q) && strings.HasPrefix(s, q) && strings.HasSuffix(s, q) {
			return s[len(q) : len(s)-len(q)]
		}
	}
	return ""
}

// importing reads an import statement: what it imports, and the names that it
// binds.
func (r *reader) importing(n *treesitter.Node, owner string) {
	if n.Kind == "future_import_statement" {
		r.importName("__future__")
		return
	}
	if m := n.Child("module_name"); m != nil {
		r.importName(m.Text(r.src))
	}
	for c := range n.Children() {
		if c.Field != "name" {
			continue
		}
		name := c
		if c.Kind == "aliased_import" {
			name = c.Child("name")
		}
		if name == nil {
			continue
		}
		text := name.Text(r.src)
		if n.Kind == "import_statement" {
			r.importName(text)
			text, _, _ = strings.Cut(text, ".")
		}
		if alias := c.Child("alias"); alias != nil {
			text = alias.Text(r.src)
		}
		if owner == "" {
			r.bound[text] = n
		}
	}
}

func (r *reader) importName(name string) {
	if !r.imported[name] {
		r.imported[name] = true
		r.imports = append(r.imports, name)
	}
}

// purpose is the module's docstring, or what the comments before the first
// statement say.
func (r *reader) purpose(root *treesitter.Node) string {
	var block strings.Builder
	said, last := "", 0
	flush := func() {
		if said == "" {
			said = purpose.Line(purpose.Strip(block.String()))
		}
		block.Reset()
	}
	for n := root.First; n != nil; n = n.Next {
		if n.Kind != "comment" {
			if n.Kind == "expression_statement" && n.First != nil && n.First.Kind == "string" && n.First.Next == nil {
				if s := purpose.Line(literal(n.First.Text(r.src))); s != "" {
					return s
				}
			}
			if n.Kind == "import_statement" || n.Kind == "import_from_statement" || r.out.Line(n.Start) > last+1 {
				flush()
			}
			return said
		}
		if r.out.Line(n.Start) > last+1 {
			flush()
		}
		last = r.out.Line(n.Start)
		block.WriteString(n.Text(r.src) + "\n")
	}
	flush()
	return said
}
