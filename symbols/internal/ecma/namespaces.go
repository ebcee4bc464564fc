package ecma

import (
	"github.com/slipstream-mcp/slipstream/symbols"
	"github.com/slipstream-mcp/slipstream/symbols/internal/outline"
	"github.com/slipstream-mcp/slipstream/symbols/treesitter"
)

// ambient reads a statement that begins with declare. What it adds to the
// global scope or to another module is seen from outside.
func (r *reader) ambient(d declaration, s scope) {
	s.ambient = true
	n := d.node
	for c := range n.Children() {
		if c.Kind == "global" {
			d.exported = true
			r.add(d, "global", c.Start, symbols.Namespace, s)
			if body := n.Has("statement_block"); body != nil {
				r.statements(body, scope{owner: s.qualify("global"), ambient: true, public: true})
			}
			return
		}
		d.node = c
		r.statement(d, s)
	}
}

// global reads global { … } in an ambient module: to the grammar a name, and
// then a block.
func (r *reader) global(d declaration, name *treesitter.Node, s scope) {
	body := d.outer.Next
	if !s.ambient || body == nil || body.Kind != "statement_block" || name.Text(r.src) != "global" {
		return
	}
	r.out.Add(symbols.Decl{
		Name: "global", Qualified: s.qualify("global"), Kind: symbols.Namespace, Top: s.owner == "", Exported: true,
	}, outline.Span{Start: r.start(d.outer), Head: name.Start, Name: name.Start, End: body.End})
	r.statements(body, scope{owner: s.qualify("global"), ambient: true, public: true})
}

// namespace reads namespace A.B { … } and module "name" { … }.
func (r *reader) namespace(d declaration, s scope) {
	name, body := d.node.Child("name"), d.node.Child("body")
	if name == nil {
		return
	}
	parts := []part{{name.Text(r.src), name.Start}}
	switch name.Kind {
	case "string":
		parts[0].name = unquote(parts[0].name)
		d.exported = true
	case "nested_identifier":
		parts = split(parts[0])
	}
	for _, p := range parts {
		r.add(d, p.name, p.at, symbols.Namespace, s)
		s.owner = s.qualify(p.name)
		d.outer, d.exported = d.node, true
	}
	if body != nil {
		s.public = s.ambient && !hasExportList(body)
		r.statements(body, s)
	}
}

// part is one name of a dotted path.
type part struct {
	name string
	at   int
}

func split(path part) []part {
	var parts []part
	start := -1
	for i := 0; i <= len(path.name); i++ {
		inName := i < len(path.name) && path.name[i] != '.' && path.name[i] > ' '
		switch {
		case inName && start < 0:
			start = i
		case !inName && start >= 0:
			parts = append(parts, part{path.name[start:i], path.at + start})
			start = -1
		}
	}
	return parts
}
