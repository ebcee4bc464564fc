package schema

import "strings"

// nearest returns the accepted name that a client most likely meant, or
// nothing. For an alias it returns the real name.
func (s *shape) nearest(word string) string {
	if len(word) > 64 {
		return ""
	}
	word = strings.ToLower(word)
	best, least := "", 1+max(1, len(word)/3)
	for _, f := range s.fields {
		for _, name := range f.names {
			lower := strings.ToLower(name)
			d := distance(word, lower)
			if len(lower) >= 3 && len(word) >= 3 && (strings.Contains(word, lower) || strings.Contains(lower, word)) {
				d = min(d, 1) // file_path, filename
			}
			if d < least {
				best, least = f.name, d
			}
		}
	}
	return best
}

// distance counts the insertions, deletions, replacements and swaps of
// neighbours that turn a into b.
func distance(a, b string) int {
	var before []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := last[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(replace, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
