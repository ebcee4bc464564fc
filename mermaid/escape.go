package mermaid

import (
	"strconv"
	"strings"
	"unicode"
)

// maxLabel is how many bytes a label takes when it is written, short of what
// one character adds: Mermaid draws no diagram of more than 50,000 characters.
const maxLabel = 40_000

// cutMark ends a label that was cut.
const cutMark = "…"

// lineBreak is what Mermaid's labels take for the end of a line.
const lineBreak = "<br/>"

// where says what surrounds a label.
type where int

const (
	bare   where = iota // nothing: brackets would end it
	quoted              // quotes, or a colon before and the line's end behind it
)

// label escapes s so that it stands in one line of a diagram, at w, and is
// shown as it is. Characters that mean something to a lexer of Mermaid, to
// Markdown, to HTML or to Mermaid's own codes become "#N;", N their number.
// Lines are kept apart by <br/>, control characters become their pictures, and
// what is no text becomes U+FFFD. An empty label becomes a space that is
// shown; one too long for any diagram is cut and ends in "…".
func label(s string, w where) string {
	runes := []rune(strings.ReplaceAll(s, "\r\n", "\n"))
	var b strings.Builder
	b.Grow(len(s) + 8)
	for i, r := range runes {
		if b.Len() > maxLabel {
			b.WriteString(cutMark)
			break
		}
		before, after := at(runes, i-1), at(runes, i+1)
		if before == 'ﬂ' && r == '°' || before == '¶' && r == 'ß' {
			// Mermaid's own marks for "&" and ";", which it looks for even in
			// what it has drawn: a space of no width parts them.
			b.WriteString("#8203;")
		}
		switch {
		case newline(r):
			b.WriteString(lineBreak)
		case r == ' ' || r == '\t':
			b.WriteString(space(runes[:i], before, after))
		case plain(shown(r), before, after, w) && !keyword(runes[i:], i, w):
			b.WriteRune(shown(r))
		default:
			b.WriteByte('#')
			b.WriteString(strconv.Itoa(int(r)))
			b.WriteByte(';')
		}
	}
	if b.Len() == 0 {
		return noBreak
	}
	return b.String()
}

// flat escapes s for a place that has no lines: their ends become spaces.
func flat(s string, w where) string {
	return label(strings.Map(func(r rune) rune {
		if newline(r) {
			return ' '
		}
		return r
	}, s), w)
}

// at returns the character at i, and a line end beyond the ends.
func at(runes []rune, i int) rune {
	if i < 0 || i >= len(runes) {
		return '\n'
	}
	return runes[i]
}

// newline reports whether r ends a line. U+2028 and U+2029 do in the regular
// expressions of Mermaid's lexers.
func newline(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// noBreak is a space that is neither trimmed nor merged with its neighbours.
const noBreak = "#160;"

// space returns what a blank is written as. A plain one would get lost at the
// ends of a line and beside another, and "direction LR" is a statement to three
// lexers wherever it stands in a line.
func space(head []rune, before, after rune) string {
	const word = "direction"
	if blank(before) || newline(after) {
		return noBreak
	}
	if n := len(head) - len(word); n >= 0 && strings.EqualFold(string(head[n:]), word) {
		return noBreak
	}
	return " "
}

// plain reports whether r, between two others, means nothing but itself.
func plain(r, before, after rune, w where) bool {
	switch {
	case alnum(r):
		return true
	case r == '_' || r == '-':
		// Elsewhere: emphasis, lists, underlines of headings, arrows.
		return alnum(before) && alnum(after)
	case r == '.':
		// "1. " is a numbered list.
		return !(digit(before) && blank(after))
	case r == '/' || r == ',' || r == '\'' || r == '?' || r == '!':
		return true
	case r == '(':
		return w == quoted
	case r == ')':
		// "1) " is one too.
		return w == quoted && !(digit(before) && blank(after))
	case r < 0x80:
		return false
	case r == 0x200c || r == 0x200d:
		// They join and part letters and emoji.
		return true
	}
	return unicode.IsGraphic(r) && !unicode.Is(unicode.Zs, r)
}

// alnum reports whether r is an ASCII letter or digit.
func alnum(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || digit(r)
}

// digit reports whether r is an ASCII digit.
func digit(r rune) bool { return r >= '0' && r <= '9' }

// blank reports whether r is a space, a tab or the end of a line.
func blank(r rune) bool { return r == ' ' || r == '\t' || newline(r) }

// keyword reports whether rest, the label from i on, is taken for a keyword:
// a bare label is only at its start, and "mindmap" alone.
func keyword(rest []rune, i int, w where) bool {
	const word = "mindmap"
	return w == bare && i == 0 && len(rest) >= len(word) && strings.EqualFold(string(rest[:len(word)]), word)
}

// shown returns the character that stands for r: its picture, U+FFFD or, when
// HTML has a code for it, itself.
func shown(r rune) rune {
	switch {
	case r < 0x20:
		return 0x2400 + r // ␀ and on
	case r == 0x7f:
		return 0x2421 // ␡
	case r < 0xa0 && r >= 0x80, r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef:
		return unicode.ReplacementChar
	}
	return r
}
