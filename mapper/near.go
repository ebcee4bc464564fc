package mapper

import (
	"cmp"
	"slices"
	"strings"
)

// Near gives at most three listed paths that someone who asked for path may
// have meant, best first: the same name in another folder, then paths that
// differ by a few letters.
func (m *Map) Near(path string) []string {
	path = strings.ToLower(strings.Trim(strings.ReplaceAll(path, `\`, "/"), "/"))
	if path == "" {
		return nil
	}
	dir, name := splitPath(path)
	type candidate struct {
		path string
		off  int
	}
	var list []candidate
	for i := range m.Files {
		p := m.Files[i].Path
		d, n := splitPath(strings.ToLower(p))
		// A letter wrong in the name weighs more than another folder.
		limit := max(1, len(name)/3)
		off := distance(name, n, limit)
		if off > limit {
			if stem(n) != stem(name) {
				continue
			}
			off = 1
		}
		off *= 4
		if d != dir {
			off += min(3, 1+distance(dir, d, 8)/4)
		}
		list = append(list, candidate{p, off})
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.off, b.off), ComparePaths(a.path, b.path))
	})
	var near []string
	for _, c := range list[:min(3, len(list))] {
		near = append(near, c.path)
	}
	return near
}

// stem is a file name up to its first dot.
func stem(name string) string {
	s, _, _ := strings.Cut(name, ".")
	return s
}

// distance counts the single-byte edits between two strings, a swap of
// neighbours being one; above limit it stops and gives limit+1.
func distance(a, b string, limit int) int {
	if a == b {
		return 0
	}
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	before, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		best := i
		for j := 1; j <= len(b); j++ {
			same := 1
			if a[i-1] == b[j-1] {
				same = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+same)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			best = min(best, row[j])
		}
		if best > limit {
			return limit + 1
		}
		before, prev, row = prev, row, before
	}
	return min(prev[len(b)], limit+1)
}

// oneEdit reports whether two different strings are one edit of a byte apart.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch {
	case len(a) < len(b):
		return a[i:] == b[i+1:]
	case i == len(a):
		return false
	case a[i+1:] == b[i+1:]:
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
