package rank

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// nearest returns where those words occur that a misspelt word most likely
// stands for: those fewest edits away, one in a word of five letters or more,
// two from nine on.
func (c *Corpus) nearest(word string) [][]occurrence {
	w := []rune(word)
	allowed := 0
	switch {
	case len(w) >= 9:
		allowed = 2
	case len(w) >= 5:
		allowed = 1
	}
	if allowed == 0 {
		return nil
	}
	var found []*list
	var row [3][]int
	var other []rune
	for i := range c.lists {
		l := &c.lists[i]
		text, exact := strings.CutPrefix(l.text, exactMark)
		if n := utf8.RuneCountInString(text); !exact || n < len(w)-allowed || n > len(w)+allowed {
			continue
		}
		other = appendRunes(other[:0], text)
		d := edits(w, other, allowed, &row)
		if d > allowed || len(l.live(c.slots)) == 0 {
			continue
		}
		if d < allowed {
			allowed, found = d, found[:0]
		}
		found = append(found, l)
	}
	slices.SortFunc(found, func(a, b *list) int { return cmp.Compare(a.text, b.text) })
	var at [][]occurrence
	for _, l := range found {
		at = append(at, l.live(c.slots))
	}
	return at
}

func appendRunes(runes []rune, text string) []rune {
	for _, r := range text {
		runes = append(runes, r)
	}
	return runes
}

// edits returns how many letters must be changed, added, left out or swapped
// with the next to make a into b, or limit+1 when it takes more.
func edits(a, b []rune, limit int, row *[3][]int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	for i := range row {
		if cap(row[i]) < len(b)+1 {
			row[i] = make([]int, 2*len(b)+1)
		}
		row[i] = row[i][:len(b)+1]
	}
	before, prev, cur := row[0], row[1], row[2]
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			cur[j] = d
			least = min(least, d)
		}
		if least > limit {
			return limit + 1
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}
