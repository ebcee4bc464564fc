package activity

import (
	"hash/fnv"
	"slices"
	"strings"
	"unicode"
)

// SameKey returns a number that observations share when one restates the
// other: their kind and files are the same, and their summaries but for case,
// white space and the digits in them. It is never 0.
func SameKey(o Observation) uint64 {
	var b strings.Builder
	b.WriteString(string(o.Kind))
	b.WriteByte(0)
	digits := false
	for _, r := range strings.ToLower(collapse(o.Summary)) {
		if unicode.IsDigit(r) {
			if !digits {
				b.WriteByte('0')
			}
			digits = true
			continue
		}
		digits = false
		b.WriteRune(r)
	}
	files := slices.Clone(o.Files)
	slices.Sort(files)
	for _, f := range slices.Compact(files) {
		b.WriteByte(0)
		b.WriteString(f)
	}
	h := fnv.New64a()
	h.Write([]byte(b.String()))
	return max(h.Sum64(), 1)
}
