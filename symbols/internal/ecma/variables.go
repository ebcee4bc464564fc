package ecma

import (
	"github.com/slipstream-mcp/slipstream/symbols"
	"github.com/slipstream-mcp/slipstream/symbols/internal/outline"
	"github.com/slipstream-mcp/slipstream/symbols/treesitter"
)

// variables reads const, let and var.
func (r *reader) variables(d declaration, s scope) {
	if d.outer.Parent != nil && d.outer.Parent.Kind == "for_statement" {
		return
	}
	var declarators []*treesitter.Node
	for c := range d.node.Children() {
		if c.Kind == "variable_declarator" {
			declarators = append(declarators, c)
		}
	}
	kind := symbols.Var
	if d.node.Has("const") != nil {
		kind = symbols.Const
	}
	for i, v := range declarators {
		name, value := v.Child("name"), unwrap(v.Child("value"))
		if name == nil || name.Missing {
			continue
		}
		at := outline.Span{Start: v.Start, Head: v.Start, Name: name.Start, End: v.End}
		switch {
		case len(declarators) == 1:
			at.Start, at.Head, at.End = r.start(d.outer), head(d.outer), d.outer.End
		case i == 0 && r.out.Line(d.outer.Start) == r.out.Line(v.Start):
			at.Start, at.Head = d.outer.Start, d.outer.Start
		}
		decl := symbols.Decl{Kind: kind, Top: s.owner == "", Exported: d.exported}
		if name.Kind != "identifier" {
			for _, n := range bound(name) {
				decl.Name = n.Text(r.src)
				decl.Qualified = s.qualify(decl.Name)
				at.Name = n.Start
				r.out.Add(decl, at)
			}
		} else {
			decl.Name = name.Text(r.src)
			decl.Qualified = s.qualify(decl.Name)
			if k := valueKind(value); k != "" {
				decl.Kind = k
			}
			r.out.Add(decl, at)
			r.valueMembers(value, decl.Qualified)
		}
		r.requires(v.Child("value"))
	}
}

// bound lists the names that a destructuring pattern binds.
func bound(n *treesitter.Node) []*treesitter.Node {
	switch n.Kind {
	case "identifier", "shorthand_property_identifier_pattern":
		return []*treesitter.Node{n}
	case "pair_pattern":
		if v := n.Child("value"); v != nil {
			return bound(v)
		}
		return nil
	case "assignment_pattern", "object_assignment_pattern":
		if l := n.Child("left"); l != nil {
			return bound(l)
		}
		return nil
	}
	var names []*treesitter.Node
	for c := range n.Children() {
		names = append(names, bound(c)...)
	}
	return names
}

// unwrap takes "as T" and "satisfies T" off a value.
func unwrap(n *treesitter.Node) *treesitter.Node {
	for n != nil && (n.Kind == "as_expression" || n.Kind == "satisfies_expression") {
		n = n.First
	}
	return n
}

// valueKind is the kind of a variable that holds n; "" for a plain value.
func valueKind(n *treesitter.Node) symbols.Kind {
	if n == nil {
		return ""
	}
	switch n.Kind {
	case "arrow_function", "function_expression", "function", "generator_function":
		return symbols.Function
	case "class":
		return symbols.Class
	}
	return ""
}
