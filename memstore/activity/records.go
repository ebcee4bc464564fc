package activity

import (
	"bytes"
	"encoding/json"
	"iter"
)

// Span is where a record lies in the bytes of a file.
type Span struct {
	// Offset and Length are in bytes; newlines around a record are not part
	// of it.
	Offset, Length int
}

// Events iterates over the events of a log file, each with where it lies. What
// is no event is left out, and a damaged byte costs at most one event: those
// that share a line since the newline between them is lost are found, and one
// that a stray newline cut in two is put together. A byte order mark and CRLF
// are accepted.
func Events(file []byte) iter.Seq2[Span, Event] { return records(file, ParseEvent) }

// Observations iterates over the records of an observation file as Events does
// over events.
func Observations(file []byte) iter.Seq2[Span, Observation] {
	return records(file, ParseObservation)
}

func records[T any](file []byte, parse func([]byte) (T, error)) iter.Seq2[Span, T] {
	return func(yield func(Span, T) bool) {
		cut := Span{} // the line before, if nothing was found in it
		for at := 0; at < len(file); {
			line := Span{at, len(file) - at}
			if n := bytes.IndexByte(file[at:], '\n'); n >= 0 {
				line.Length = n
			}
			at += line.Length + 1
			text := bytes.TrimSuffix(file[line.Offset:line.Offset+line.Length], []byte("\r"))
			line.Length = len(text)
			if len(bytes.TrimSpace(text)) == 0 {
				continue
			}
			if r, err := parse(text); err == nil {
				if !yield(line, r) {
					return
				}
				cut = Span{}
				continue
			}
			if cut.Length > 0 {
				whole := bytes.Join([][]byte{file[cut.Offset : cut.Offset+cut.Length], text}, nil)
				if r, err := parse(whole); err == nil {
					if !yield(Span{cut.Offset, line.Offset + line.Length - cut.Offset}, r) {
						return
					}
					cut = Span{}
					continue
				}
			}
			found := false
			for s, r := range salvage(text, parse) {
				found = true
				if s.Offset += line.Offset; !yield(s, r) {
					return
				}
			}
			if found {
				cut = Span{}
				continue
			}
			cut = line
		}
	}
}

// maxFailures bounds how often salvage tries in vain within a line, so that a
// hostile line costs no more than that many readings of it.
const maxFailures = 100

// salvage finds the records within a line that is none as a whole. A record
// begins at the first brace of the line or after the record before; behind
// something broken it begins at a brace that opens no value of an object or
// list, since a record never lies within another.
func salvage[T any](line []byte, parse func([]byte) (T, error)) iter.Seq2[Span, T] {
	return func(yield func(Span, T) bool) {
		broken, failures := false, 0
		for at := 0; failures < maxFailures; {
			n := bytes.IndexByte(line[at:], '{')
			if n < 0 {
				return
			}
			before := bytes.TrimRight(line[:at+n], " \t\r")
			at += n
			if broken && len(before) > 0 && bytes.IndexByte([]byte(":,["), before[len(before)-1]) >= 0 {
				at++
				continue
			}
			var raw json.RawMessage
			d := json.NewDecoder(bytes.NewReader(line[at:]))
			if d.Decode(&raw) == nil {
				if r, err := parse(raw); err == nil {
					if !yield(Span{at, len(raw)}, r) {
						return
					}
					at += len(raw)
					broken = false
					continue
				}
			}
			broken = true
			failures++
			at++
		}
	}
}
