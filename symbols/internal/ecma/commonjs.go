package ecma

import (
	"strings"

	"github.com/slipstream-mcp/slipstream/symbols"
	"github.com/slipstream-mcp/slipstream/symbols/internal/outline"
	"github.com/slipstream-mcp/slipstream/symbols/treesitter"
)

// expression reads an expression statement: a namespace, or in a CommonJS
// module an assignment to its exports.
func (r *reader) expression(d declaration, s scope) {
	for c := range d.node.Children() {
		switch c.Kind {
		case "internal_module":
			d.node = c
			r.namespace(d, s)
		case "identifier":
			r.global(d, c, s)
		case "assignment_expression":
			if r.dialect.CommonJS && s.owner == "" {
				r.assignment(d, c, s)
			}
		case "call_expression":
			r.requires(c)
		}
	}
}

// assignment reads module.exports = … and exports.name = …, also chained.
func (r *reader) assignment(d declaration, n *treesitter.Node, s scope) {
	var targets []*treesitter.Node
	value := n
	for value != nil && value.Kind == "assignment_expression" {
		if left := value.Child("left"); left != nil {
			targets = append(targets, left)
		}
		value = value.Child("right")
	}
	if value == nil || value.Text(r.src) == "void 0" {
		return
	}
	r.requires(value)
	d.exported = true
	done := false
	for _, t := range targets {
		switch path := t.Text(r.src); {
		case path == "module.exports":
			r.module = true
			if !done {
				d.isDefault = true
				r.exportValue(d, value, s)
				done = true
			}
		case path == "exports":
			r.module = true
		default:
			name, ok := exportsProperty(path)
			if !ok {
				continue
			}
			r.module = true
			if value.Kind == "identifier" {
				local := value.Text(r.src)
				r.publish(local, name)
				r.from[local] = d.outer
				continue
			}
			kind := valueKind(value)
			if kind == "" {
				kind = symbols.Var
			}
			d.isDefault = name == "default"
			r.add(d, name, t.End-len(name), kind, s)
			r.valueMembers(value, name)
		}
	}
}

func exportsProperty(path string) (name string, ok bool) {
	name, ok = strings.CutPrefix(path, "module.exports.")
	if !ok {
		name, ok = strings.CutPrefix(path, "exports.")
	}
	return name, ok && name != "" && !strings.ContainsAny(name, ".[( \n")
}

// exportObject reads module.exports = { a, b: c, d() {} }: each key is an
// exported name.
func (r *reader) exportObject(n *treesitter.Node) {
	for c := range n.Children() {
		switch c.Kind {
		case "shorthand_property_identifier":
			local := c.Text(r.src)
			r.publish(local, local)
			r.from[local] = c
		case "pair":
			key, value := c.Child("key"), c.Child("value")
			if key == nil || value == nil || key.Kind == "computed_property_name" {
				continue
			}
			if value.Kind == "identifier" {
				local := value.Text(r.src)
				r.publish(local, unquote(key.Text(r.src)))
				r.from[local] = c
				continue
			}
			kind := valueKind(value)
			if kind == "" {
				kind = symbols.Property
			}
			r.exportKey(c, key, kind)
		case "method_definition":
			if name := c.Child("name"); name != nil {
				kind := symbols.Function
				if r.methodKind(c, name) == symbols.Accessor {
					kind = symbols.Accessor
				}
				r.exportKey(c, name, kind)
			}
		}
	}
}

func (r *reader) exportKey(n, key *treesitter.Node, kind symbols.Kind) {
	name := unquote(key.Text(r.src))
	r.out.Add(symbols.Decl{Name: name, Qualified: name, Kind: kind, Exported: true, Top: true},
		outline.Span{Start: r.start(n), Head: n.Start, Name: key.Start, End: n.End})
}

// requires notes the module that a value requires.
func (r *reader) requires(n *treesitter.Node) {
	if n == nil || !r.dialect.CommonJS {
		return
	}
	rest, ok := strings.CutPrefix(string(r.src[n.Start:min(n.End, n.Start+500)]), "require(")
	if !ok {
		return
	}
	rest = strings.TrimSpace(rest)
	if rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return
	}
	if end := strings.IndexByte(rest[1:], rest[0]); end > 0 {
		r.imported(rest[1 : end+1])
	}
}

// unquote takes the quotes off a string literal and leaves other text alone.
func unquote(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'' || s[0] == '`') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
