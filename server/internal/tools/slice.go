package tools

import (
	"fmt"
	"strings"

	"github.com/slipstream-mcp/slipstream/budget"
)

// slice is lines of a file under a header that says which.
type slice struct {
	file        string // as shown
	text        []byte // its lines, without the newline after the last; may be cut anywhere beyond maxAnswer
	first, last int    // the lines text is meant to hold
	total       int    // lines of the file
	label       string // what stands in brackets after the range, with the brackets
}

// String renders the slice in at most maxAnswer characters. What does not fit is cut at a line end, and the last line
// tells how to get the rest.
func (s slice) String() string {
	text, ok := valid(s.text)
	label := s.label
	if !ok {
		label += " (not valid UTF-8)"
	}
	render := func(text string, last int, of string, tail ...string) string {
		parts := []string{fmt.Sprintf("// %s:%d-%d%s%s", s.file, s.first, last, of, label), text}
		if n := note(text, s.first); n != "" {
			parts = append(parts, n)
		}
		return strings.Join(append(parts, tail...), "\n")
	}
	of := fmt.Sprintf(" of %d", s.total)
	whole := render(text, s.last, "")
	if len(whole) <= maxAnswer || width(whole) <= maxAnswer {
		return whole
	}
	left := func(from int) string { return fmt.Sprintf("left out: sp_lines %s %d %d", s.file, from, s.last) }
	room := maxAnswer - width(render("", s.last, of, left(s.last))) - noteRoom
	kept, lines := cutLines(text, room)
	if lines == 0 { // one line is longer than an answer
		kept = cutUnits(firstLine(text), room)
		tail := fmt.Sprintf("left out: the rest of line %d", s.first)
		if s.last > s.first {
			tail += "; " + left(s.first+1)
		}
		return render(kept, s.first, of, tail)
	}
	return render(kept, s.first+lines-1, of, left(s.first+lines))
}

// noteRoom is kept free for what note may add to a cut slice, and for the words about a line that is too long.
const noteRoom = 300

// cutLines returns the whole lines of text that fit max UTF-16 units, without the newline after the last, and how many.
func cutLines(text string, max int) (string, int) {
	end, lines, units := 0, 0, 0
	for end < len(text) {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			i = len(text) - end
		}
		units += width(text[end:end+i]) + 1
		if units > max+1 {
			break
		}
		end += i + 1
		lines++
	}
	if lines == 0 {
		return "", 0
	}
	return text[:min(end-1, len(text))], lines
}

func cutUnits(s string, max int) string {
	units := 0
	for i, r := range s {
		if units += width(string(r)); units > max {
			return s[:i]
		}
	}
	return s
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// fitRows joins rows, best first, as many as fit max tokens; the last line says how many were left out and the way to them.
func fitRows(rows []string, max int, way string) string {
	items := make([]string, len(rows))
	for i, r := range rows {
		items[i] = r + "\n"
	}
	out, _ := budget.FitItems(items, max, func(kept, total int) string {
		return fmt.Sprintf("left out: %d more of %d; %s shows them\n", total-kept, total, way)
	})
	return strings.TrimSuffix(out, "\n")
}
