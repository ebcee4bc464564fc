package mermaid

import (
	"fmt"
	"strings"
)

// Model is a set of classes and how they relate.
type Model struct {
	Direction Direction
	Classes   []Class
	Relations []Relation
}

// Class is one class, interface or type. Of several with the same ID the first
// counts.
type Class struct {
	ID         string
	Label      string // what is shown; "" shows ID
	Stereotype string // shown as «interface» above the label
	Fields     []Member
	Methods    []Member
}

// Member is a field or a method of a class.
type Member struct {
	Visibility Visibility
	Name       string
	Params     string // of a method, without its parentheses
	Type       string // of a field, or what a method returns
	Static     bool
	Abstract   bool
}

// Visibility is who may see a member: "+", "-", "#" or "~". Anything else
// shows nothing.
type Visibility string

// The visibilities.
const (
	Public    Visibility = "+"
	Private   Visibility = "-"
	Protected Visibility = "#"
	Internal  Visibility = "~"
)

// Relation is how one class relates to another, by their IDs. An ID without a
// class makes one that shows its ID.
type Relation struct {
	From, To           string
	Kind               RelationKind
	Label              string
	FromCount, ToCount string // how many at each end, as "1" or "0..*"
}

// RelationKind is what From does to To. Anything unknown means Knows.
type RelationKind string

// The kinds of relations.
const (
	Knows      RelationKind = "knows"
	Extends    RelationKind = "extends"
	Implements RelationKind = "implements"
	Owns       RelationKind = "owns"
	Holds      RelationKind = "holds"
	Uses       RelationKind = "uses"
)

// arrow returns kind k as a class diagram draws it.
func (k RelationKind) arrow() string {
	switch k {
	case Extends:
		return "--|>"
	case Implements:
		return "..|>"
	case Owns:
		return "*--"
	case Holds:
		return "o--"
	case Uses:
		return "..>"
	}
	return "-->"
}

// ClassDiagram returns m as a class diagram in theme t.
func ClassDiagram(m Model, t Theme) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%sclassDiagram\n  direction %s\n", t.directive(), m.Direction.or())
	classes := names{prefix: "c"}
	for _, c := range m.Classes {
		if id, fresh := classes.id(c.ID); fresh {
			writeClass(&b, id, c)
		}
	}
	end := func(name string) string {
		id, fresh := classes.id(name)
		if fresh {
			writeClass(&b, id, Class{ID: name})
		}
		return id
	}
	count := func(s string) string {
		if s == "" {
			return ""
		}
		return ` "` + flat(s, quoted) + `"`
	}
	for _, r := range m.Relations {
		from, to := end(r.From), end(r.To)
		text := ""
		if r.Label != "" {
			text = " : " + label(r.Label, quoted)
		}
		fmt.Fprintf(&b, "  %s%s %s%s %s%s\n", from, count(r.FromCount), r.Kind.arrow(), count(r.ToCount), to, text)
	}
	return b.String()
}

// writeClass writes a class and its members.
func writeClass(b *strings.Builder, id string, c Class) {
	fmt.Fprintf(b, "  class %s[\"%s\"]", id, label(first(c.Label, c.ID), quoted))
	if c.Stereotype == "" && len(c.Fields)+len(c.Methods) == 0 {
		b.WriteString("\n")
		return
	}
	b.WriteString(" {\n")
	if c.Stereotype != "" {
		fmt.Fprintf(b, "    <<%s>>\n", flat(c.Stereotype, bare))
	}
	for _, f := range c.Fields {
		text := flat(f.Name, bare)
		if f.Type != "" {
			text += " " + flat(f.Type, bare)
		}
		fmt.Fprintf(b, "    %s%s%s\n", f.Visibility.sign(), text, f.mark())
	}
	for _, f := range c.Methods {
		params := ""
		if f.Params != "" {
			params = flat(f.Params, bare)
		}
		text := fmt.Sprintf("%s(%s)", flat(f.Name, bare), params)
		if f.Type != "" {
			text += " " + flat(f.Type, bare)
		}
		fmt.Fprintf(b, "    %s%s%s\n", f.Visibility.sign(), text, f.mark())
	}
	b.WriteString("  }\n")
}

// sign returns v when it is one of the four.
func (v Visibility) sign() Visibility {
	switch v {
	case Public, Private, Protected, Internal:
		return v
	}
	return ""
}

// mark returns what ends the line of a member that is static or abstract.
func (m Member) mark() string {
	switch {
	case m.Abstract:
		return "*"
	case m.Static:
		return "$"
	}
	return ""
}
