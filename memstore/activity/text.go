package activity

import (
	"strings"
	"unicode/utf8"
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

// clip returns the longest beginning of s of at most n UTF-16 units.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i, r := range s {
		if n--; r > 0xffff {
			n--
		}
		if n < 0 {
			return s[:i]
		}
	}
	return s
}

// shorten returns s in at most n UTF-16 units, cut at a word where one ends in
// the last third, with an ellipsis for what is left out.
func shorten(s string, n int) string {
	if units(s) <= n {
		return s
	}
	c := clip(s, n-1)
	if next, _ := utf8.DecodeRuneInString(s[len(c):]); next != ' ' {
		if i := strings.LastIndexByte(c, ' '); i > len(c)*2/3 {
			c = c[:i]
		}
	}
	return strings.TrimRight(c, " ,;:.-–—(") + "…"
}

// collapse returns s with each run of white space as one space.
func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }
