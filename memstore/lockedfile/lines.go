package lockedfile

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
)

// Line is one line of a file that is appended to.
type Line struct {
	// Text is the line without its newline; it is the caller's to keep.
	Text []byte
	// Offset is where the line begins, in bytes from the start of the reader.
	Offset int64
	// Torn says that no newline ends the line: it is being written right now,
	// or was cut short, or was written by another program. It is always the last.
	Torn bool
}

// Lines iterates over the lines of r, empty ones left out. An error of r other
// than io.EOF is the last element.
func Lines(r io.Reader) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		br := bufio.NewReader(r)
		var at int64
		for {
			text, err := br.ReadBytes('\n')
			if err != nil && !errors.Is(err, io.EOF) {
				yield(Line{Offset: at}, err)
				return
			}
			l := Line{Offset: at, Torn: err != nil}
			at += int64(len(text))
			l.Text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
			if len(l.Text) > 0 && !yield(l, nil) {
				return
			}
			if err != nil {
				return
			}
		}
	}
}
