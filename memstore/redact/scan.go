package redact

import (
	"cmp"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// A pattern is tried on a window of the text. When the match reaches the
// window's end the window grows; otherwise nothing further can matter. A match
// above maxRetry bytes is not looked into again when a judge refuses it, so
// that the time stays linear in the text.
const (
	window   = 512
	maxRetry = 4096
)

// rounds is how often the text may be gone over until nothing changes any more;
// ordinary text takes one, text with secrets two.
const rounds = 8

type span struct{ from, to int }

// scanner is the table made ready: its words in an automaton, its patterns
// compiled when a text first needs them.
type scanner struct {
	rules    []rule
	words    *automaton
	patterns []func() pattern
}

// pattern is a compiled row; prefix is what every match begins with, "" when
// the pattern does not say.
type pattern struct {
	*regexp.Regexp
	prefix string
}

var builtin = sync.OnceValue(func() *scanner { return newScanner(table()) })

func newScanner(rules []rule) *scanner {
	sc := &scanner{rules: rules, words: newAutomaton(rules)}
	for _, r := range rules {
		sc.patterns = append(sc.patterns, sync.OnceValue(func() pattern {
			p := pattern{Regexp: regexp.MustCompile(r.expression())}
			if tree, err := syntax.Parse(r.pattern, syntax.Perl); err == nil && r.edge != vendor {
				p.prefix = literal(tree)
			}
			return p
		}))
	}
	return sc
}

func literal(re *syntax.Regexp) string {
	switch {
	case re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase == 0:
		return string(re.Rune)
	case re.Op == syntax.OpConcat || re.Op == syntax.OpCapture:
		return literal(re.Sub[0])
	}
	return ""
}

const uuid = `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`

// assign is what stands between a vendor's name and the value: the rest of the
// identifier, quotes, an operator of any language, quotes.
const assign = `[ \t\w.-]{0,24}[\\"'\s]{0,4}(?:=>|:{0,3}=|\?=|:|>|,|\|\|)[\\"'` + "`" + `\s=]{0,16}`

// expression returns the pattern as it is compiled, anchored where it begins.
func (r *rule) expression() string {
	if r.edge != vendor {
		return "^(?:" + r.pattern + ")"
	}
	var words []string
	for w := range strings.SplitSeq(r.words, "|") {
		words = append(words, regexp.QuoteMeta(w))
	}
	value := strings.ReplaceAll(r.pattern, "UUID", uuid)
	return "(?i)^(?:" + strings.Join(words, "|") + ")" + assign + "(" + value + `)(?:[^\w-]|$)`
}

// find returns the secrets of s, in no order.
func (sc *scanner) find(s string) []span {
	var spans []span
	var low []int // by rule: where what was not yet looked at begins
	sc.words.each(s, func(i, at int) {
		r := &sc.rules[i]
		if low != nil && at < low[i] || !r.admits(s, at) {
			return
		}
		if low == nil {
			low = make([]int, len(sc.rules))
		}
		from := at
		switch r.edge {
		case quad:
			from -= 4
		case ident:
			from = identifierEnd(s, at)
			low[i] = from
			if from-at > maxName || !assignable(s, from) {
				return
			}
		}
		m, ok := sc.patterns[i]().at(s, from)
		if !ok {
			return
		}
		if r.edge == ident {
			m.start = at
		}
		if r.spans != nil {
			var found []span
			found, low[i] = r.spans(m, low[i])
			spans = append(spans, found...)
			return
		}
		if r.accepts(&m) {
			spans = append(spans, span{m.from, m.to})
			low[i] = m.to
		} else if m.end-m.start > maxRetry {
			low[i] = m.end
		}
	})
	return spans
}

// at matches the anchored pattern at s[at:].
func (p pattern) at(s string, at int) (match, bool) {
	if !strings.HasPrefix(s[at:], p.prefix) {
		return match{}, false
	}
	for size := window; ; size *= 4 {
		end := min(at+size, len(s))
		loc := p.FindStringSubmatchIndex(s[at:end])
		if loc == nil {
			return match{}, false
		}
		if at+loc[1] == end && end < len(s) {
			continue
		}
		m := match{text: s, start: at, end: at + loc[1], from: at, to: at + loc[1]}
		if p.NumSubexp() == 0 {
			m.to = trimEdge(s, m.from, m.to)
		}
		for g := 2; g < len(loc); g += 2 {
			if loc[g] >= 0 {
				m.from, m.to = at+loc[g], at+loc[g+1]
				break
			}
		}
		return m, true
	}
}

// trimEdge gives back the one character that a pattern without groups may have
// looked at behind the secret.
func trimEdge(s string, from, to int) int {
	r, size := utf8.DecodeLastRuneInString(s[from:to])
	if r >= utf8.RuneSelf || !isWord(byte(r)) && !strings.ContainsRune("=+/-~.", r) {
		to -= size
	}
	return to
}

// admits says whether what stands before the word at s[at] fits the rule.
func (r *rule) admits(s string, at int) bool {
	switch r.edge {
	case glued, ident:
		return true
	case vendor:
		return vendorBegins(s, at)
	case quad:
		at -= 4
		if at < 0 {
			return false
		}
	}
	return begins(s, at)
}

// maxName is the longest identifier that is taken for one, in bytes behind the
// telling word.
const maxName = 80

func identifierEnd(s string, at int) int {
	for at < len(s) && (isWord(s[at]) || s[at] == '-' || s[at] == '.') {
		at++
	}
	return at
}

// assignable says whether what stands at s[at], behind an identifier, begins an
// assignment: closing quotes, space, then an operator. It is what value begins
// with, asked without a regular expression, for most identifiers are in prose.
func assignable(s string, at int) bool {
	rest := s[at:min(len(s), at+32)]
	closed := strings.TrimLeft(rest, `\"']*`)
	rest = strings.TrimLeft(closed, " \t\r\n")
	if rest == "" {
		return false
	}
	switch rest[0] {
	case '=', ':', '>', '?', '+', '.':
		return true
	case ',', '(':
		rest = strings.TrimLeft(rest[1:], " ")
		return strings.ContainsAny(rest[:min(len(rest), 4)], "\"'`")
	}
	return len(closed) > len(rest) && (strings.HasPrefix(rest, "is ") || strings.HasPrefix(rest, "was ") || strings.HasPrefix(rest, "value") || strings.HasPrefix(rest, "str") || strings.HasPrefix(rest, "String"))
}

// begins says whether a token can begin at s[at]: nothing of a word stands
// before it, an escape such as \n, %20 or \u003d apart.
func begins(s string, at int) bool {
	if at == 0 || !isWord(s[at-1]) {
		return true
	}
	if at >= 2 && s[at-2] == '\\' && strings.IndexByte("nrt", s[at-1]) >= 0 {
		return true
	}
	if at >= 3 && s[at-3] == '%' && isHex(s[at-2]) && isHex(s[at-1]) {
		return true
	}
	return at >= 6 && s[at-6] == '\\' && s[at-5] == 'u' && isHex(s[at-2]) && isHex(s[at-1])
}

// vendorBegins says whether a vendor's name can begin at s[at]: at the edge of
// a word of an identifier, and not as the capitals of a sumOf.
func vendorBegins(s string, at int) bool {
	if at > 0 && isLetter(s[at-1]) && (isUpper(s[at-1]) || !isUpper(s[at])) && !begins(s, at) {
		return false
	}
	end := at
	for end < len(s) && isLower(s[end]) {
		end++
	}
	return end-at < 2 || end-at > 3 || end+1 >= len(s) || !isUpper(s[end]) || !isLower(s[end+1])
}

func (r *rule) accepts(m *match) bool {
	if r.entropy > 0 {
		if entropy(m.secret()) < r.entropy {
			return false
		}
	}
	return r.judge == nil || r.judge(m)
}

// entropy returns the bits a byte of s by how often each byte occurs.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	bits := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// blank returns s with every span replaced by Mark, and whether that changed
// anything. Spans that touch become one, a Mark that one touches goes with it,
// and what lies within a Mark is let be.
func blank(s string, spans []span) (string, bool) {
	spans = besideMarks(s, spans)
	if len(spans) == 0 {
		return s, false
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var b strings.Builder
	b.Grow(len(s))
	at := 0
	for i := 0; i < len(spans); {
		from, to := spans[i].from, spans[i].to
		for i++; i < len(spans) && spans[i].from <= to; i++ {
			to = max(to, spans[i].to)
		}
		b.WriteString(s[at:from])
		b.WriteString(Mark)
		at = to
	}
	b.WriteString(s[at:])
	out := b.String()
	return out, out != s
}

// besideMarks returns the spans that are not within a Mark, each widened over
// the marks it touches.
func besideMarks(s string, spans []span) []span {
	if len(spans) == 0 || !strings.Contains(s, Mark) {
		return spans
	}
	var marks []int
	for at := strings.Index(s, Mark); at >= 0; {
		marks = append(marks, at)
		next := strings.Index(s[at+len(Mark):], Mark)
		if next < 0 {
			break
		}
		at += len(Mark) + next
	}
	var kept []span
	for _, sp := range spans {
		// The first mark that ends at or behind the span's beginning.
		i, _ := slices.BinarySearch(marks, sp.from-len(Mark))
		inside := i < len(marks) && marks[i] <= sp.from && sp.to <= marks[i]+len(Mark)
		if i+1 < len(marks) && marks[i+1] <= sp.from && sp.to <= marks[i+1]+len(Mark) {
			inside = true
		}
		if inside {
			continue
		}
		for ; i < len(marks) && marks[i] <= sp.to; i++ {
			sp.from, sp.to = min(sp.from, marks[i]), max(sp.to, marks[i]+len(Mark))
		}
		kept = append(kept, sp)
	}
	return kept
}
