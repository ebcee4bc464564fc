package symbols

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxNear is how many names a miss suggests.
const maxNear = 8

// near returns the names of the file that are most like name, nearest first
// and exported ones first among equals. Members stand with their type.
func (f File) near(name string) []string {
	type candidate struct {
		name     string
		distance int
		exported bool
	}
	var all []candidate
	seen := map[string]bool{}
	want := strings.ToLower(name)
	add := func(d Decl, shown, bare string) {
		if seen[shown] || len(shown) > 200 {
			return
		}
		seen[shown] = true
		n := distance(want, strings.ToLower(shown))
		if shown != bare {
			n = min(n, distance(want, strings.ToLower(bare))+1)
		}
		all = append(all, candidate{shown, n, d.Exported})
	}
	for _, d := range f.Decls {
		add(d, d.Qualified, d.Name)
		for _, alias := range d.Aliases {
			add(d, alias, alias)
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		if c := cmp.Compare(a.distance, b.distance); c != 0 {
			return c
		}
		switch {
		case a.exported == b.exported:
			return 0
		case a.exported:
			return -1
		}
		return 1
	})
	names := make([]string, 0, maxNear)
	for _, c := range all[:min(len(all), maxNear)] {
		names = append(names, c.name)
	}
	return names
}

// distance says how far apart two lower-case names are: the number of
// insertions, deletions, replacements and swaps of neighbours, tripled; less
// when one holds the other or both begin alike, as a changed suffix leaves them.
func distance(a, b string) int {
	n := 3 * edits([]rune(a), []rune(b))
	short, long := a, b
	if len(short) > len(long) {
		short, long = long, short
	}
	extra := utf8.RuneCountInString(long) - utf8.RuneCountInString(short)
	switch {
	case n == 0 || short == "":
	case strings.HasPrefix(long, short):
		n = min(n, 2+extra)
	case len(short) >= 3 && strings.Contains(long, short):
		n = min(n, 4+extra)
	default:
		if p := commonPrefix(a, b); p >= 3 && 2*p >= len(short) {
			n = min(n, 4+len(a)+len(b)-2*p)
		}
	}
	return n
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// edits is the edit distance with swaps of neighbours (optimal string
// alignment). Names far beyond any real one are cut.
func edits(a, b []rune) int {
	const longest = 200
	a, b = a[:min(len(a), longest)], b[:min(len(b), longest)]
	before := make([]int, len(b)+1)
	last := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
