// Package visible makes names and messages safe to show: characters that a reader does not see and a terminal obeys are
// spelled out.
package visible

import (
	"fmt"
	"strings"
)

// Text returns s with its control and bidirectional characters as \u escapes.
func Text(s string) string {
	if strings.IndexFunc(s, Hidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if Hidden(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Hidden tells a control, line-separating or bidirectional character.
func Hidden(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	case r == 0x2028, r == 0x2029:
		return true
	default:
		return false
	}
}
