package rank

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/memstore/internal/letters"
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
		d := letters.Edits(w, other, allowed, &row)
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
