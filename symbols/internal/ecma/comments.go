package ecma

import (
	"bytes"
	"strings"

	"github.com/slipstream-mcp/slipstream/symbols/internal/purpose"
	"github.com/slipstream-mcp/slipstream/symbols/treesitter"
)

// start is where a declaration begins with its doc comment and the decorators
// that stand before it as nodes of their own.
func (r *reader) start(n *treesitter.Node) int {
	start, documented := n.Start, false
	for p := n.Prev; p != nil; p = p.Prev {
		switch {
		case p.Kind == "decorator":
			start = p.Start
		case p.Kind != "comment":
			return start
		case !documented && r.isDoc(p):
			documented = true
			start = p.Start
		}
	}
	return start
}

// isDoc reports whether a comment documents what follows: it is a /** */ block,
// no licence, not about the whole file, and nothing stands before it on its line.
func (r *reader) isDoc(n *treesitter.Node) bool {
	text := r.src[n.Start:n.End]
	if !bytes.HasPrefix(text, []byte("/**")) || len(text) < 5 {
		return false
	}
	line := bytes.LastIndexByte(r.src[:n.Start], '\n') + 1
	for p := n.Prev; p != nil; p = p.Prev {
		if p.Kind != "comment" {
			if p.End > line {
				return false
			}
			break
		}
	}
	if n.Parent != nil && n.Parent.Parent == nil && isHead(n) {
		return !purpose.IsLicence(string(text)) && !purpose.OfFile(string(text))
	}
	return true
}

// isHead reports whether nothing but comments stands before n.
func isHead(n *treesitter.Node) bool {
	for p := n.Prev; p != nil; p = p.Prev {
		if p.Kind != "comment" && p.Kind != "hash_bang_line" {
			return false
		}
	}
	return true
}

// purpose reads what the head comments say the file is for; one that says by a
// tag that it is about the file goes before others.
func (r *reader) purpose(root *treesitter.Node) string {
	said := ""
	var run *treesitter.Node // first of a run of line comments
	for n := root.First; n != nil; n = n.Next {
		switch {
		case n.Kind == "hash_bang_line", isDirective(n):
			continue
		case n.Kind != "comment":
			return said
		}
		if run == nil {
			run = n
		}
		if strings.HasPrefix(n.Text(r.src), "//") && r.adjacent(n, n.Next) && n.Next.Kind == "comment" && strings.HasPrefix(n.Next.Text(r.src), "//") {
			continue
		}
		text := string(r.src[run.Start:n.End])
		run = nil
		if r.adjacent(n, n.Next) && declares(n.Next) && !purpose.OfFile(text) {
			continue
		}
		s := purpose.Line(purpose.Strip(text))
		if s != "" && purpose.OfFile(text) {
			return s
		}
		if said == "" {
			said = s
		}
	}
	return said
}

// adjacent reports whether b begins on the line after a's last one.
func (r *reader) adjacent(a, b *treesitter.Node) bool {
	return b != nil && r.out.Line(b.Start)-r.out.Line(a.End) <= 1
}

// isDirective reports whether n is "use strict" or its like.
func isDirective(n *treesitter.Node) bool {
	return n.Kind == "expression_statement" && n.First != nil && n.First.Kind == "string"
}

// declares reports whether a comment right above n is about n.
func declares(n *treesitter.Node) bool {
	return n.Kind != "import_statement" && n.Kind != "comment" && !isDirective(n)
}
