package golang

import (
	"bytes"
	"errors"
	"go/ast"
	"go/scanner"
)

// salvage reads a file with syntax errors. What ends before the first error is
// good; behind it the parser may be lost, so each piece of text from one
// keyword at the start of a line to the next is parsed for itself, and counts
// when it has no error.
func (r *reader) salvage(file *ast.File, src []byte, err error) {
	failed := 0
	if list := (scanner.ErrorList)(nil); errors.As(err, &list) && len(list) > 0 {
		failed = list[0].Pos.Offset
	}
	good := r.offset(file.Name.End())
	for _, d := range file.Decls {
		if r.offset(d.End()) > failed {
			break
		}
		good = max(good, r.offset(d.End()))
		r.decl(d)
	}
	for start, end := range pieces(src, good) {
		r.piece(src[start:end], start)
	}
}

// header makes a file of a piece.
const header = "package p;"

func (r *reader) piece(text []byte, at int) {
	file, base, err := parse(append([]byte(header), text...))
	if err != nil {
		return
	}
	p := *r
	p.base = base + len(header) - at
	p.decls(file)
}

// pieces yields where the declarations of src at or after from may stand: each
// begins with the comment lines above a keyword that opens a line.
func pieces(src []byte, from int) func(yield func(start, end int) bool) {
	return func(yield func(int, int) bool) {
		start, comment := -1, -1
		at := 0
		for line := range bytes.Lines(src) {
			switch {
			case at < from:
			case bytes.HasPrefix(line, []byte("//")):
				if comment < 0 {
					comment = at
				}
			case opens(line):
				if comment < 0 {
					comment = at
				}
				if start >= 0 && !yield(start, comment) {
					return
				}
				start, comment = comment, -1
			default:
				comment = -1
			}
			at += len(line)
		}
		if start >= 0 {
			yield(start, len(src))
		}
	}
}

func opens(line []byte) bool {
	for _, keyword := range []string{"func ", "type ", "var ", "const ", "type(", "var(", "const("} {
		if bytes.HasPrefix(line, []byte(keyword)) {
			return true
		}
	}
	return false
}
