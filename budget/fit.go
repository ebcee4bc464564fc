package budget

import (
	"strings"
	"unicode/utf8"
)

// FitLines returns text when it is at most max tokens, and otherwise as many
// of its first lines as leave room for mark(kept, total), which is appended as
// it is: the caller ends it with a line end or not. kept and total count
// lines. The result is never more than max tokens by Tokens.
//
// When whole lines would leave more than a twentieth of max unused, the next
// line is cut at a character and closed with "…" and a line end, so that a
// result is at least 95 % full (as near as a single character allows); a cut
// line does not count as kept. A nil mark adds nothing. When the mark alone
// is too long, the result is "".
func FitLines(text string, max int, mark func(kept, total int) string) (out string, kept int) {
	total := strings.Count(text, "\n")
	if text != "" && text[len(text)-1] != '\n' {
		total++
	}
	// ends[k] is where k lines end, at[k] the count there.
	ends, at := []int{0}, []Counter{{}}
	for c, end := (Counter{}), 0; end < len(text) && c.N() <= max; {
		next := len(text)
		if i := strings.IndexByte(text[end:], '\n'); i >= 0 {
			next = end + i + 1
		}
		c.Add(text[end:next])
		end = next
		ends, at = append(ends, end), append(at, c)
	}
	kept = len(at) - 1
	if ends[kept] == len(text) && at[kept].N() <= max {
		return text, kept
	}
	for ; kept >= 0; kept-- {
		m := markText(mark, kept, total)
		c := at[kept]
		if c.Add(m); c.N() > max {
			continue
		}
		head := text[:ends[kept]]
		if fill(c.N(), max) || ends[kept] == len(text) {
			return head + m, kept
		}
		return head + cutLine(at[kept], text[ends[kept]:], m, max) + m, kept
	}
	return "", 0
}

// cutClose ends a line that was cut.
const cutClose = "…\n"

// cutLine returns the longest start of s's first line that, closed with
// cutClose and followed by m, keeps c within max; "" when there is none.
func cutLine(c Counter, s, m string, max int) string {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[:i]
	}
	end := 0
	for end < len(s) && c.N() <= max {
		_, n := utf8.DecodeRuneInString(s[end:])
		c.Add(s[end : end+n])
		end += n
	}
	_ = m
	return ""
}

// FitItems joins items, best first, as many as fit max tokens together with
// mark(kept, total), which is appended when some are left out. An item that
// does not fit is passed over for smaller ones behind it; picked holds the
// indices of those taken, ascending. Items and mark are joined as they are.
// The result is never more than max tokens by Tokens, and at least 95 % full
// when an item of a twentieth of max or less was left out. A nil mark adds
// nothing. When the mark alone is too long, the result is "".
func FitItems(items []string, max int, mark func(kept, total int) string) (out string, picked []int) {
	var all Counter
	for i, s := range items {
		all.Add(s)
		picked = append(picked, i)
	}
	if all.N() <= max {
		return strings.Join(items, ""), picked
	}
	picked = nil
	var b strings.Builder
	var c Counter
	m := markText(mark, 0, len(items))
	if Tokens(m) > max {
		return "", nil
	}
	for i, s := range items {
		next := markText(mark, len(picked)+1, len(items))
		with := c
		with.Add(s)
		marked := with
		if marked.Add(next); marked.N() > max {
			continue
		}
		b.WriteString(s)
		picked, c, m = append(picked, i), with, next
	}
	b.WriteString(m)
	return b.String(), picked
}

func markText(mark func(kept, total int) string, kept, total int) string {
	if mark == nil {
		return ""
	}
	return mark(kept, total)
}

// fill reports whether n tokens fill max to 95 %.
func fill(n, max int) bool { return n*20 >= max*19 }
