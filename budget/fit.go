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
// Where whole lines would leave more than a twentieth of max unused, the next
// line is cut between two characters and closed with "…" and a line end, so
// that the result is at least 95 % full, as near as one character allows; a
// line that was cut does not count as kept. A nil mark adds nothing. When not
// even the mark fits, the result is "".
func FitLines(text string, max int, mark func(kept, total int) string) (out string, kept int) {
	total := countLines(text)
	ends, at, whole := lines(text, max)
	if whole {
		return text, total
	}
	for kept = len(ends) - 1; kept >= 0; kept-- {
		m := marked(mark, kept, total)
		c := at[kept]
		if c.Add(m); c.N() > max {
			continue
		}
		head, rest := text[:ends[kept]], text[ends[kept]:]
		if !full(c.N(), max) {
			head += cutLine(at[kept], rest, m, max)
		}
		return head + m, kept
	}
	return "", 0
}

// countStep is how many bytes are counted between looks at the sum.
const countStep = 64 << 10

// lines returns where the lines of text end that fit max, the start of the
// text first, and the count at each; whole is true when all of it fits.
func lines(text string, max int) (ends []int, at []Counter, whole bool) {
	var c Counter
	for end := 0; c.N() <= max; {
		ends, at = append(ends, end), append(at, c)
		if end == len(text) {
			return ends, at, true
		}
		next := len(text)
		if i := strings.IndexByte(text[end:], '\n'); i >= 0 {
			next = end + i + 1
		}
		// A line may be far longer than max: count no more of it than tells.
		for end < next && c.N() <= max {
			part := min(next, end+countStep)
			c.Add(text[end:part])
			end = part
		}
	}
	return ends, at, false
}

// countLines counts the lines of text; the last needs no line end.
func countLines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// cutMark closes a line that was cut.
const cutMark = "…\n"

// cutLine returns the most of the first line of s that, closed with cutMark
// and followed by tail, keeps c within max; "" when nothing does.
func cutLine(c Counter, s, tail string, max int) string {
	s, _, _ = strings.Cut(s, "\n")
	closed := cutMark + tail
	best := 0
	for end := 0; end < len(s); {
		_, n := utf8.DecodeRuneInString(s[end:])
		c.Add(s[end : end+n])
		end += n
		if c.N() > max {
			break
		}
		if with := c; with.fits(closed, max) {
			best = end
		}
	}
	if best == 0 {
		return ""
	}
	return s[:best] + cutMark
}

// fits adds s and reports whether c is then at most max.
func (c *Counter) fits(s string, max int) bool {
	c.Add(s)
	return c.N() <= max
}

// FitItems joins items, the best first, as many as fit max tokens together
// with mark(kept, total), which is appended when some are left out. An item
// that does not fit is passed over for smaller ones behind it; picked holds
// the indices of those taken, ascending. Items and mark are joined as they
// are. The result is never more than max tokens by Tokens, and at least 95 %
// full when an item of a twentieth of max or less was left out. A nil mark
// adds nothing. When not even the mark fits, the result is "".
func FitItems(items []string, max int, mark func(kept, total int) string) (out string, picked []int) {
	var c Counter
	for i := 0; i < len(items) && c.N() <= max; i++ {
		c.Add(items[i])
		picked = append(picked, i)
	}
	if c.N() <= max {
		return strings.Join(items, ""), picked
	}
	picked = nil
	m := marked(mark, 0, len(items))
	if Tokens(m) > max {
		return "", nil
	}
	c = Counter{}
	var b strings.Builder
	for i, s := range items {
		with := c
		if !with.fits(s, max) {
			continue
		}
		next := marked(mark, len(picked)+1, len(items))
		if all := with; !all.fits(next, max) {
			continue
		}
		b.WriteString(s)
		picked, c, m = append(picked, i), with, next
	}
	b.WriteString(m)
	return b.String(), picked
}

// marked is what stands for what was left out.
func marked(mark func(kept, total int) string, kept, total int) string {
	if mark == nil {
		return ""
	}
	return mark(kept, total)
}

// full reports whether n tokens fill max to 95 %.
func full(n, max int) bool { return n*20 >= max*19 }
