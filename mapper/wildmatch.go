package mapper

import "strings"

// wildmatch reports whether a git pattern matches all of a slash-separated
// path: "?" and "*" stop at a slash, "**" between slashes does not, brackets
// hold ranges and POSIX classes, a backslash takes the next byte as it is. It
// works byte by byte, as git does.
func wildmatch(pattern, path string) bool {
	w := wild{pattern: pattern, path: path, steps: 1 << 16}
	return w.match(0, 0) == matched
}

// What a failed match says to the star that is trying: stop only this attempt,
// stop every star that cannot cross a slash, or stop for good.
type outcome int

const (
	matched outcome = iota
	missed
	missedFolder
	missedAll
)

// A wild is one match under way. A pattern that has used up its steps was made
// to be slow and matches nothing.
type wild struct {
	pattern, path string
	steps         int
}

func (w *wild) match(p, t int) outcome {
	for p < len(w.pattern) {
		if w.steps--; w.steps < 0 {
			return missedAll
		}
		c := w.pattern[p]
		if c == '*' {
			return w.star(p, t)
		}
		if t == len(w.path) {
			return missedAll
		}
		at := w.path[t]
		switch c {
		case '?':
			if at == '/' {
				return missed
			}
		case '[':
			next, in, ok := bracket(w.pattern, p, at)
			if !ok {
				return missedAll
			}
			if !in || at == '/' {
				return missed
			}
			p = next
		case '\\':
			if p++; p == len(w.pattern) || w.pattern[p] != at {
				return missed
			}
		default:
			if c != at {
				return missed
			}
		}
		p++
		t++
	}
	if t < len(w.path) {
		return missed
	}
	return matched
}

// star matches from the run of asterisks at p.
func (w *wild) star(p, t int) outcome {
	first := p
	for p < len(w.pattern) && w.pattern[p] == '*' {
		p++
	}
	rest := w.pattern[p:]
	crosses := p-first > 1 && (first == 0 || w.pattern[first-1] == '/') &&
		(rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`))
	if crosses && strings.HasPrefix(rest, "/") && w.match(p+1, t) == matched {
		return matched // "**/" may stand for no folder at all
	}
	if rest == "" {
		if !crosses && strings.IndexByte(w.path[t:], '/') >= 0 {
			return missedFolder
		}
		return matched
	}
	if !crosses && rest[0] == '/' {
		slash := strings.IndexByte(w.path[t:], '/')
		if slash < 0 {
			return missed
		}
		return w.match(p+1, t+slash+1)
	}
	for ; t < len(w.path); t++ {
		if got := w.match(p, t); got != missed && (!crosses || got != missedFolder) {
			return got
		}
		if !crosses && w.path[t] == '/' {
			return missedFolder
		}
	}
	return missedAll
}

// bracket matches one byte against the set that opens at p. It gives the index
// of the closing bracket; not ok is a set that never closes or names an
// unknown class.
func bracket(pattern string, p int, c byte) (end int, in, ok bool) {
	p++
	negated := p < len(pattern) && (pattern[p] == '!' || pattern[p] == '^')
	if negated {
		p++
	}
	var low byte // what a range would start from; 0 after a range or class
	for first := true; ; first = false {
		if p >= len(pattern) {
			return 0, false, false
		}
		at := pattern[p]
		switch {
		case at == ']' && !first:
			return p, in != negated, true
		case at == '\\':
			if p++; p >= len(pattern) {
				return 0, false, false
			}
			at = pattern[p]
			in = in || c == at
			low = at
		case at == '-' && low != 0 && p+1 < len(pattern) && pattern[p+1] != ']':
			p++
			if pattern[p] == '\\' {
				p++
			}
			if p >= len(pattern) {
				return 0, false, false
			}
			in = in || low <= c && c <= pattern[p]
			low = 0
		case at == '[' && p+1 < len(pattern) && pattern[p+1] == ':':
			close := strings.IndexByte(pattern[p+2:], ']')
			if close < 0 {
				return 0, false, false
			}
			name, isClass := strings.CutSuffix(pattern[p+2:p+2+close], ":")
			if !isClass {
				in = in || c == '['
				low = '['
				break
			}
			has, known := inClass(name, c)
			if !known {
				return 0, false, false
			}
			in = in || has
			low = 0
			p += 2 + close
		default:
			in = in || c == at
			low = at
		}
		p++
	}
}

// inClass reports whether an ASCII byte is of a POSIX class.
func inClass(name string, c byte) (has, known bool) {
	lower, upper, digit := c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9'
	graph := c > ' ' && c < 0x7f
	switch name {
	case "alnum":
		return lower || upper || digit, true
	case "alpha":
		return lower || upper, true
	case "blank":
		return c == ' ' || c == '\t', true
	case "cntrl":
		return c < ' ' || c == 0x7f, true
	case "digit":
		return digit, true
	case "graph":
		return graph, true
	case "lower":
		return lower, true
	case "print":
		return graph || c == ' ', true
	case "punct":
		return graph && !lower && !upper && !digit, true
	case "space":
		return c == ' ' || c >= '\t' && c <= '\r', true
	case "upper":
		return upper, true
	case "xdigit":
		return digit || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F', true
	}
	return false, false
}
