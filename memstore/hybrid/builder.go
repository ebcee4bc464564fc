package hybrid

import (
	"slices"
	"strings"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
	"github.com/slipstream-mcp/slipstream/memstore/internal/letters"
)

// builder makes a segment of docs. What it knows of a chunk it keeps, for most
// of a text were in the one before.
type builder struct {
	number map[string]int32 // of each term
	lists  [][]posting
	names  []string
	words  map[string]*word
	chunks map[string]*known
	// of the doc under way:
	counts []uint32 // by term
	found  []int32  // the terms whose count is not 0
	sum    embed.Sum
	docs   int // how many were begun
}

// known is what a chunk adds to a doc that holds it.
type known struct {
	words  []*word // without those of grammar
	wholes []int32
}

// word is what a folded word adds.
type word struct {
	term  int32 // of its stem
	signs embed.Word
	doc   int // the last that it was added to
}

func newBuilder() *builder {
	return &builder{number: map[string]int32{}, words: map[string]*word{}, chunks: map[string]*known{}}
}

func (b *builder) know(chunkText string) *known {
	k := b.chunks[chunkText]
	if k != nil {
		return k
	}
	k = &known{}
	p := chunk(chunkText)
	for _, text := range p.words {
		if grammar(text) {
			continue
		}
		w := b.words[text]
		if w == nil {
			w = &word{term: b.term(letters.Stem(text)), signs: embed.NewWord(text)}
			b.words[text] = w
		}
		k.words = append(k.words, w)
	}
	for _, whole := range p.wholes {
		k.wholes = append(k.wholes, b.term(wholeMark+whole))
	}
	b.chunks[chunkText] = k
	return k
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

// doc adds a doc, appends the signs of its vector, and returns how many words
// it has.
func (b *builder) doc(slot uint32, signs []byte, text string, tags, files []string) (int, []byte) {
	b.sum = embed.Sum{}
	b.docs++
	words := 0
	add := func(chunk string) {
		k := b.know(chunk)
		words += len(k.words)
		for _, w := range k.words {
			b.count(w.term)
			if w.doc != b.docs {
				w.doc = b.docs
				b.sum.Add(w.signs)
			}
		}
		for _, term := range k.wholes {
			b.count(term)
		}
	}
	chunks(text, add)
	for _, t := range tags {
		chunks(t, add)
	}
	for _, f := range files {
		chunks(f, add)
	}
	for _, t := range b.found {
		b.lists[t] = append(b.lists[t], posting{slot, b.counts[t]})
		b.counts[t] = 0
	}
	b.found = b.found[:0]
	return words, b.sum.AppendSigns(signs)
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
