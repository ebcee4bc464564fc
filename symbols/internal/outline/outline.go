// Package outline turns byte spans of declarations into symbols.Decl values:
// lines, slices, signatures and order.
package outline

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/symbols"
)

// Span bounds a declaration in its text, in bytes.
type Span struct {
	Start int // with doc comment and decorators
	Head  int // of the declaration itself
	Name  int
	End   int
}

// Builder collects the declarations of one text.
type Builder struct {
	src     []byte
	comment string // what opens a comment up to the end of its line
	lines   []int  // where each line starts
	decls   []spanned
}

// spanned is a declaration with its bounds before they were widened.
type spanned struct {
	symbols.Decl
	at Span
}

// New returns a builder for src; comment opens a comment that ends with its
// line, "//".
func New(src []byte, comment string) *Builder {
	b := &Builder{src: src, comment: comment, lines: make([]int, 1, 1+bytes.Count(src, []byte("\n")))}
	for i := 0; ; {
		n := bytes.IndexByte(src[i:], '\n')
		if n < 0 {
			return b
		}
		i += n + 1
		b.lines = append(b.lines, i)
	}
}

// Line is the line that holds the byte at offset, counted from 1.
func (b *Builder) Line(offset int) int {
	i, found := slices.BinarySearch(b.lines, offset)
	if found {
		return i + 1
	}
	return i
}

// Add appends d with its lines, slice and signature. A declaration without a
// name in its text is what an error left behind, and dropped.
func (b *Builder) Add(d symbols.Decl, at Span) {
	if d.Name == "" || at.Name < at.Start || at.Name >= at.End {
		return
	}
	// A parser may end a declaration after the line end that ends it.
	if c := b.src[at.End-1]; c == '\n' || c == '\r' {
		at.End = at.Start + len(bytes.TrimRight(b.src[at.Start:at.End], " \t\r\n"))
	}
	if at.Name >= at.End {
		return
	}
	d.Start, d.NameLine = b.Line(at.Start), b.Line(at.Name)
	d.End = b.Line(at.End - 1)
	d.StartByte, d.EndByte = b.widen(at.Start, at.End)
	d.Signature = b.signature(at)
	b.decls = append(b.decls, spanned{d, at})
}

// widen takes in the indentation before a span and the punctuation and comment
// after it, when nothing else stands on those lines.
func (b *Builder) widen(start, end int) (int, int) {
	line := b.lines[b.Line(start)-1]
	if len(bytes.Trim(b.src[line:start], " \t")) == 0 {
		start = line
	}
	rest := b.src[end:]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	rest = bytes.TrimSuffix(rest, []byte("\r"))
	if b.ownTail(rest) {
		end += len(rest)
	}
	return start, end
}

// ownTail reports whether what follows a declaration on its last line is its
// own: a separator and a comment.
func (b *Builder) ownTail(rest []byte) bool {
	text := strings.TrimLeft(string(rest), " \t;,")
	if text == "" || strings.HasPrefix(text, b.comment) {
		return true
	}
	text = strings.TrimSpace(text)
	return b.comment == "//" && strings.HasPrefix(text, "/*") && strings.Index(text, "*/") == len(text)-2 && len(text) > 3
}

func (b *Builder) signature(at Span) string {
	const most = 200
	s := b.src[at.Head:max(at.Head, at.End)]
	if i := bytes.IndexByte(s, '\n'); i >= 0 {
		s = s[:i]
	}
	s = bytes.TrimSpace(s)
	if len(s) > most {
		n := most - len("…")
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		return string(s[:n]) + "…"
	}
	return string(s)
}

// Decls returns the declarations in source order, outer ones first. They nest:
// where an error in the text has two overlap, what was taken in around them goes
// first, then the later one.
func (b *Builder) Decls() []symbols.Decl {
	for crossing := true; crossing; crossing = b.uncross() {
		slices.SortStableFunc(b.decls, func(x, y spanned) int {
			return cmp.Or(cmp.Compare(x.StartByte, y.StartByte), cmp.Compare(y.EndByte, x.EndByte))
		})
	}
	decls := make([]symbols.Decl, len(b.decls))
	for i := range b.decls {
		decls[i] = b.decls[i].Decl
	}
	return decls
}

// uncross reports whether declarations overlapped, and makes them overlap less.
func (b *Builder) uncross() (changed bool) {
	var open []*spanned
	for i := range b.decls {
		d := &b.decls[i]
		for len(open) > 0 && open[len(open)-1].EndByte <= d.StartByte {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && open[len(open)-1].EndByte < d.EndByte {
			outer := open[len(open)-1]
			changed = true
			if outer.EndByte == outer.at.End && d.StartByte == d.at.Start {
				d.Name = "" // it overlaps as it stands
				continue    // and so no later one yields to it
			}
			outer.EndByte, d.StartByte = outer.at.End, d.at.Start
		}
		open = append(open, d)
	}
	b.decls = slices.DeleteFunc(b.decls, func(d spanned) bool { return d.Name == "" })
	return changed
}

// Each calls f for every declaration so far; f may change it.
func (b *Builder) Each(f func(d *symbols.Decl)) {
	for i := range b.decls {
		f(&b.decls[i].Decl)
	}
}
