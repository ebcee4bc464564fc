package hybrid

import (
	"math/bits"
	"strings"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/memstore/internal/letters"
)

// shape is which letters a term holds, by bits, and its length: two terms that
// are an edit apart differ in two bits at most.
func shape(term []byte) uint32 {
	var s uint32
	for _, c := range term {
		switch {
		case 'a' <= c && c <= 'z':
			s |= 1 << (c - 'a')
		case c > ' ':
			s |= 1 << 26
		}
	}
	return s | uint32(min(len(term), 31))<<27
}

// allowed is how many letters of a word may be wrong for it still to be known.
func allowed(word string) int {
	switch n := utf8.RuneCountInString(word); {
	case n >= 9:
		return 2
	case n >= 5:
		return 1
	}
	return 0
}

// nearest returns the terms of all segments that a misspelt one most likely
// stands for: those fewest edits away, of those that are kept. Names
// in one piece are near to such names, stems to stems.
func nearest(segments []*segment, term string, keep func(string) bool) map[string]bool {
	limit := allowed(term)
	if limit == 0 {
		return nil
	}
	word := []rune(term)
	has, size := shape([]byte(term))&(1<<27-1), min(len(term), 31)
	found := map[string]bool{}
	var row [3][]int
	for _, s := range segments {
		block := -1
		var r termReader
		for i := range s.len() {
			sh := at32(s.shapes, i)
			if bits.OnesCount32(sh&(1<<27-1)^has) > 2*limit {
				continue
			}
			if d := int(sh>>27) - size; d > 4*limit || -d > 4*limit {
				continue
			}
			if i/blockTerms != block {
				block = i / blockTerms
				r = s.reader(block, r.term[:0])
			}
			for r.index < i && r.next() {
			}
			if (r.term[0] == wholeMark[0]) != (term[0] == wholeMark[0]) {
				continue
			}
			d := letters.Edits(word, []rune(string(r.term)), limit, &row)
			if d > limit || !keep(string(r.term)) {
				continue
			}
			if d < limit {
				limit = d
				clear(found)
			}
			found[string(r.term)] = true
		}
	}
	return found
}

// respellings calls yield with the stems of the words that are one letter away
// from an English one, near its end: there a wrong letter keeps the stemmer
// from seeing the ending, so that the stems are further apart than the words.
func respellings(word string, yield func(stem string)) {
	const ending = 6
	if allowed(word) == 0 || len(word) > longestRun || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
		return
	}
	b := make([]byte, 0, len(word)+1)
	for i := len(word) - ending + 1; i <= len(word); i++ {
		head, tail := word[:max(i, 1)], word[max(i, 1):]
		for c := byte('a'); c <= 'z'; c++ {
			b = append(append(append(b[:0], head...), c), tail...)
			yield(letters.Stem(string(b)))
			if tail != "" {
				b = append(append(append(b[:0], head...), c), tail[1:]...)
				yield(letters.Stem(string(b)))
			}
		}
		if tail != "" {
			yield(letters.Stem(head + tail[1:]))
		}
		if len(tail) > 1 {
			yield(letters.Stem(head + tail[1:2] + tail[:1] + tail[2:]))
		}
	}
}
