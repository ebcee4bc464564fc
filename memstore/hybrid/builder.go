package hybrid

import (
	"slices"
	"strings"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
)

// builder makes a segment of docs. What it knows of a piece it keeps, for most
// words of a text were in the one before.
type builder struct {
	number map[string]int32 // of each term
	lists  [][]posting
	names  []string
	words  map[string]*word
	// of the doc under way:
	counts []uint32 // by term
	found  []int32  // the terms whose count is not 0
	sum    *embed.Sum
	seen   map[*word]bool
}

// word is what a folded word adds to a doc that holds it.
type word struct {
	term  int32 // of its stem; -1: it is one of grammar
	signs embed.Word
}

func newBuilder() *builder {
	return &builder{number: map[string]int32{}, words: map[string]*word{}, seen: map[*word]bool{}}
}

func (b *builder) term(s string) int32 {
	no, ok := b.number[s]
	if !ok {
		no = int32(len(b.names))
		b.number[s] = no
		b.names = append(b.names, s)
		b.lists = append(b.lists, nil)
		b.counts = append(b.counts, 0)
	}
	return no
}

func (b *builder) count(term int32) {
	if b.counts[term] == 0 {
		b.found = append(b.found, term)
	}
	b.counts[term]++
}

// doc adds a doc, and returns how many words it has and the signs of its
// vector.
func (b *builder) doc(slot uint32, text string, tags, files []string) (words int, signs []byte) {
	b.sum = &embed.Sum{}
	clear(b.seen)
	add := func(p piece) {
		for _, w := range p.words {
			known := b.words[w]
			if known == nil {
				known = &word{term: -1}
				if !grammar(w) {
					known.term, known.signs = b.term(stem(w)), embed.NewWord(w)
				}
				b.words[strings.Clone(w)] = known
			}
			if known.term < 0 {
				continue
			}
			words++
			b.count(known.term)
			if !b.seen[known] {
				b.seen[known] = true
				b.sum.Add(known.signs)
			}
		}
		for _, w := range p.wholes {
			b.count(b.term(wholeMark + w))
		}
	}
	pieces(text, add)
	for _, t := range tags {
		pieces(t, add)
	}
	for _, f := range files {
		pieces(f, add)
	}
	for _, t := range b.found {
		b.lists[t] = append(b.lists[t], posting{slot, b.counts[t]})
		b.counts[t] = 0
	}
	b.found = b.found[:0]
	return words, b.sum.AppendSigns(nil)
}

func (b *builder) segment(slots uint32) *segment {
	terms := make([]int32, len(b.names))
	for i := range terms {
		terms[i] = int32(i)
	}
	slices.SortFunc(terms, func(x, y int32) int { return strings.Compare(b.names[x], b.names[y]) })
	var w segmentWriter
	for _, t := range terms {
		w.add([]byte(b.names[t]), b.lists[t])
	}
	w.s.slots = slots
	return w.finish()
}
