package tools

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/memstore/redact"
	"github.com/slipstream-mcp/slipstream/server/internal/project"
	"github.com/slipstream-mcp/slipstream/server/internal/visible"
)

// maxAnswer is the most characters of one answer, in UTF-16 units as clients count: they cut at 40,000.
const maxAnswer = 38000

// width returns the length of s in UTF-16 units.
func width(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// clip cuts s so that it has at most max UTF-16 units, saying so at its end.
func clip(s string, max int) string {
	if len(s) <= max || width(s) <= max {
		return s
	}
	const mark = "\n… (cut)"
	n := width(mark)
	for i, r := range s {
		if n++; r > 0xFFFF {
			n++
		}
		if n > max {
			return s[:i] + mark
		}
	}
	return s
}

// plain escapes what a reader would not see in a name or a message.
func plain(s string) string { return visible.Text(s) }

// maxNoted bounds how many different characters a note names.
const maxNoted = 5

// note names the control and bidirectional characters of a slice whose first line is first, as a last line to print after
// it; "" when there are none. Tabs and line ends are no news.
func note(slice string, first int) string {
	var found []string
	seen := map[rune]bool{}
	line := first
	for _, r := range slice {
		switch {
		case r == '\n':
			line++
		case r == '\t' || r == '\r' || !visible.Hidden(r) || seen[r]:
		default:
			seen[r] = true
			found = append(found, fmt.Sprintf("U+%04X on line %d", r, line))
		}
	}
	if len(found) == 0 {
		return ""
	}
	if n := len(found) - maxNoted; n > 0 {
		found = append(found[:maxNoted], fmt.Sprintf("%d more", n))
	}
	return "note: control or bidirectional characters: " + strings.Join(found, ", ")
}

// valid returns s with invalid UTF-8 replaced by U+FFFD, and whether there was any.
func valid(s []byte) (string, bool) {
	if utf8.Valid(s) {
		return string(s), true
	}
	return strings.ToValidUTF8(string(s), "\uFFFD"), false
}

// maxEcho bounds how much of an argument an answer repeats, in bytes.
const maxEcho = 200

// echo is an argument as an answer repeats it: without secrets, shortened, in quotes.
func echo(s string) string {
	s = redact.Text(s)
	if len(s) > maxEcho {
		s = strings.ToValidUTF8(s[:maxEcho], "") + "…"
	}
	return strconv.Quote(s)
}

// missing turns the refusal of a file that is not there into one that names close paths.
func missing(ctx context.Context, p *project.Project, file string, err error, refuse func(hint string) error) error {
	var read *project.ReadError
	if !errors.As(err, &read) || !read.Missing {
		return err
	}
	near := p.Near(ctx, file)
	for i := range near {
		near[i] = plain(near[i])
	}
	hint := ""
	if len(near) > 0 {
		hint = "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return refuse(hint)
}
