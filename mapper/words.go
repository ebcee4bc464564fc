package mapper

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words splits names and prose into lower-case words: at everything that is no
// letter or digit, before a capital that follows a small letter or begins a
// new word (HTTPServer is http, server), and where digits begin or end.
func words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := -1
		var prev class
		for i, r := range text {
			c := classOf(r)
			cutHere := false
			switch {
			case start < 0 || c == prev:
			case prev == upper && c == lower:
				// The capital belongs to this word, those before it do not.
				_, size := utf8.DecodeLastRuneInString(text[:i])
				if i-size > start {
					if !yield(strings.ToLower(text[start : i-size])) {
						return
					}
					start = i - size
				}
			default:
				cutHere = true
			}
			if cutHere {
				if !yield(strings.ToLower(text[start:i])) {
					return
				}
				start = -1
			}
			if start < 0 && c != other {
				start = i
			}
			prev = c
		}
		if start >= 0 {
			yield(strings.ToLower(text[start:]))
		}
	}
}

type class int

const (
	other class = iota
	lower       // and letters without case
	upper
	digit
)

func classOf(r rune) class {
	switch {
	case r >= 'a' && r <= 'z':
		return lower
	case r >= 'A' && r <= 'Z':
		return upper
	case r >= '0' && r <= '9':
		return digit
	case r < utf8.RuneSelf:
		return other
	case unicode.IsUpper(r):
		return upper
	case unicode.IsLetter(r), unicode.IsMark(r):
		return lower
	case unicode.IsDigit(r):
		return digit
	}
	return other
}

// joined gives a name's words as one; "" for what is no single name.
func joined(name string) string {
	if strings.ContainsFunc(name, unicode.IsSpace) {
		return ""
	}
	var b strings.Builder
	for w := range words(name) {
		b.WriteString(w)
	}
	return b.String()
}
