package hook

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what an event keeps: UTF-16 units of lines, bytes of longer texts.
const (
	maxLabel     = 500
	maxFirstLine = 200
	maxCommand   = 300
	maxError     = 500
	maxPrompt    = 32 << 10
	maxOutcome   = 8 << 10
	maxReport    = 4 << 10 // a subagent's last words
)

// units returns how many UTF-16 units s takes.
func units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}

// clip returns the longest beginning of s of at most n UTF-16 units; a copy, so that the rest is not held for it.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i, r := range s {
		if n--; r > 0xffff {
			n--
		}
		if n < 0 {
			return strings.Clone(s[:i])
		}
	}
	return s
}

// shorten returns s in at most n UTF-16 units, with an ellipsis for what is left out.
func shorten(s string, n int) string {
	if units(s) <= n {
		return s
	}
	c := clip(s, n-1)
	if i := strings.LastIndexByte(c, ' '); i > len(c)*2/3 {
		c = c[:i]
	}
	return strings.TrimRight(c, " ,;:.-–—(") + "…"
}

// cut returns the longest beginning of s of at most n bytes that ends with a whole character; a copy like clip's.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.Clone(s[:n])
}

// line returns s as one line of at most n UTF-16 units: white space and control characters are one space a run. Of a long s
// only the beginning is looked at.
func line(s string, n int) string {
	s = cut(s, 64*n)
	space := func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
	}
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), space), " ")
	return strings.TrimRight(clip(s, n), " ")
}

// firstLine returns the first line of s that is not blank.
func firstLine(s string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(first)
}
