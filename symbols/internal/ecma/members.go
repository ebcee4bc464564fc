package ecma

import (
	"strings"

	"github.com/slipstream-mcp/slipstream/symbols"
	"github.com/slipstream-mcp/slipstream/symbols/internal/outline"
	"github.com/slipstream-mcp/slipstream/symbols/treesitter"
)

// member adds a member of owner; end is where it ends.
func (r *reader) member(n, name *treesitter.Node, kind symbols.Kind, owner string, end int) {
	text := name.Text(r.src)
	if name.Kind == "string" {
		text = unquote(text)
	}
	if text == "" {
		return
	}
	private := strings.HasPrefix(text, "#")
	if m := n.Has("accessibility_modifier"); m != nil && m.Text(r.src) != "public" {
		private = true
	}
	r.out.Add(symbols.Decl{Name: text, Qualified: owner + "." + text, Kind: kind, Exported: !private},
		outline.Span{Start: r.start(n), Head: head(n), Name: name.Start, End: end})
}

// classMembers reads the members of the class n.
func (r *reader) classMembers(n *treesitter.Node, owner string) {
	body := n.Child("body")
	if body == nil || owner == "" {
		return
	}
	for c := range body.Children() {
		r.classMember(c, owner)
	}
}

func (r *reader) classMember(n *treesitter.Node, owner string) {
	name := n.Child("name")
	switch n.Kind {
	case "ERROR":
		for c := range n.Children() {
			r.classMember(c, owner)
		}
	case "method_definition":
		if name != nil {
			r.member(n, name, r.methodKind(n, name), owner, n.End)
		}
	case "method_signature", "abstract_method_signature":
		if name != nil {
			r.member(n, name, r.methodKind(n, name), owner, r.through(n, ";"))
		}
	case "public_field_definition", "field_definition":
		if name == nil {
			name = n.Child("property")
		}
		if name == nil {
			return
		}
		kind := symbols.Field
		if valueKind(n.Child("value")) == symbols.Function {
			kind = symbols.Method
		}
		r.member(n, name, kind, owner, r.through(n, ";"))
	}
}

func (r *reader) methodKind(n, name *treesitter.Node) symbols.Kind {
	for c := n.First; c != nil && c != name; c = c.Next {
		if c.Kind == "get" || c.Kind == "set" {
			return symbols.Accessor
		}
	}
	if name.Text(r.src) == "constructor" && n.Has("static") == nil {
		return symbols.Constructor
	}
	return symbols.Method
}

// through is the end of a member with the separator that closes it, a node of
// its own in the grammar and not there when the language supplies it.
func (r *reader) through(n *treesitter.Node, separators string) int {
	if s := n.Next; s != nil && s.End == s.Start+1 && strings.IndexByte(separators, r.src[s.Start]) >= 0 {
		return s.End
	}
	return n.End
}

func (r *reader) interfaceMembers(n *treesitter.Node, owner string) {
	body := n.Child("body")
	if body == nil || owner == "" {
		return
	}
	for c := range body.Children() {
		name := c.Child("name")
		if name == nil {
			continue
		}
		switch c.Kind {
		case "property_signature":
			r.member(c, name, symbols.Property, owner, r.through(c, ";,"))
		case "method_signature":
			kind := r.methodKind(c, name)
			if kind == symbols.Constructor {
				kind = symbols.Method
			}
			r.member(c, name, kind, owner, r.through(c, ";,"))
		}
	}
}

func (r *reader) enumMembers(n *treesitter.Node, owner string) {
	body := n.Child("body")
	if body == nil || owner == "" {
		return
	}
	for c := range body.Children() {
		name := c
		if c.Kind == "enum_assignment" {
			name = c.Child("name")
		}
		if name == nil {
			continue
		}
		switch name.Kind {
		case "property_identifier", "string", "identifier":
			r.member(c, name, symbols.EnumMember, owner, c.End)
		}
	}
}

// valueMembers reads the methods of a class expression or an object literal
// that a variable holds.
func (r *reader) valueMembers(n *treesitter.Node, owner string) {
	if n == nil {
		return
	}
	switch n.Kind {
	case "class":
		r.classMembers(n, owner)
	case "object":
		for c := range n.Children() {
			switch c.Kind {
			case "method_definition":
				if name := c.Child("name"); name != nil {
					kind := r.methodKind(c, name)
					if kind == symbols.Constructor {
						kind = symbols.Method
					}
					r.member(c, name, kind, owner, c.End)
				}
			case "pair":
				if key := c.Child("key"); key != nil && valueKind(c.Child("value")) == symbols.Function {
					r.member(c, key, symbols.Method, owner, c.End)
				}
			}
		}
	}
}
