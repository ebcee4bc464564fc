package tools

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/slipstream-mcp/slipstream/symbols"
)

// symbolSource is a parsed file to print declarations from.
type symbolSource struct {
	file    string // as shown
	text    []byte // what was parsed
	all     symbols.File
	decoded string // label of the encoding, "" for UTF-8
}

// decodedFrom is the label of text that is not served byte for byte.
func decodedFrom(enc symbols.Encoding) string {
	if enc == symbols.UTF8 || enc == symbols.Invalid {
		return "" // what is invalid is said of the slice that holds it
	}
	return " (decoded from " + string(enc) + ")"
}

// render prints the declarations found for a name: those that stand together as one slice, others each under a header.
// What is too much for one answer is listed instead.
func (s symbolSource) render(name string, found []symbols.Decl) string {
	slices := s.slices(found)
	var parts []string
	for _, sl := range slices {
		parts = append(parts, sl.String())
	}
	out := strings.Join(parts, "\n")
	switch {
	case len(slices) > 1 && width(out) > maxAnswer:
		return s.list(name, found)
	case len(slices) == 1 && len(slices[0].text) > maxAnswer && len(found) == 1:
		if members := s.members(found[0]); len(members) > 0 {
			return s.outline(found[0], members)
		}
	}
	return out
}

// slices joins declarations with nothing but blank lines between them.
func (s symbolSource) slices(found []symbols.Decl) []slice {
	total := bytes.Count(s.text, []byte("\n"))
	if n := len(s.text); n > 0 && s.text[n-1] != '\n' {
		total++
	}
	var out []slice
	start, end := 0, 0 // bytes of the slice being built
	for _, d := range found {
		if n := len(out); n > 0 && d.StartByte >= end && len(bytes.TrimSpace(s.text[end:d.StartByte])) == 0 {
			end = d.EndByte
			out[n-1].text, out[n-1].last = s.text[start:end], d.End
			continue
		}
		start, end = d.StartByte, d.EndByte
		out = append(out, slice{
			file: s.file, text: d.Slice(s.text), first: d.Start, last: d.End, total: total, label: s.label(d),
		})
	}
	return out
}

// label is what stands after the range: (function) or (function, not exported), then what else to know.
func (s symbolSource) label(d symbols.Decl) string {
	kind := string(d.Kind)
	if !d.Exported {
		kind += ", not exported"
	}
	label := " (" + kind + ")" + s.decoded
	if s.all.Errors {
		label += " (syntax errors in this file)"
	}
	return label
}

// list names each of several declarations with its signature, for when their bodies are too long together.
func (s symbolSource) list(name string, found []symbols.Decl) string {
	base, _, _ := strings.Cut(name, "#")
	rows := make([]string, len(found))
	for i, d := range found {
		rows[i] = fmt.Sprintf("// %s:%d-%d%s %s#%d\n%s", s.file, d.Start, d.End, s.label(d), base, i+1, plain(d.Signature))
	}
	last := fmt.Sprintf("left out: the bodies; sp_symbol %s %s#2 gives the second", s.file, base)
	return fitUnits(rows, last)
}

// members returns the declarations directly or indirectly inside d.
func (s symbolSource) members(d symbols.Decl) []symbols.Decl {
	var out []symbols.Decl
	for _, m := range s.all.Decls {
		if strings.HasPrefix(m.Qualified, d.Qualified+".") && m.StartByte >= d.StartByte && m.EndByte <= d.EndByte {
			out = append(out, m)
		}
	}
	return out
}

// outline is a type too long for one answer: its signature and one line a member.
func (s symbolSource) outline(d symbols.Decl, members []symbols.Decl) string {
	rows := []string{fmt.Sprintf("// %s:%d-%d%s", s.file, d.Start, d.End, s.label(d)), plain(d.Signature)}
	for _, m := range members {
		rows = append(rows, fmt.Sprintf("  %s:%d-%d (%s)", plain(m.Qualified), m.Start, m.End, m.Kind))
	}
	return fitUnits(rows, fmt.Sprintf("left out: the bodies; sp_symbol %s %s gives one, or sp_lines %s %d %d",
		s.file, plain(members[0].Qualified), s.file, d.Start, d.End))
}

// fitUnits joins rows and a last line in at most maxAnswer characters.
func fitUnits(rows []string, last string) string {
	room := maxAnswer - width(last) - noteRoom
	for i, r := range rows {
		if room -= width(r) + 1; room < 0 {
			rows = append(rows[:i:i], fmt.Sprintf("… %d more", len(rows)-i))
			break
		}
	}
	return strings.Join(append(rows, last), "\n")
}
