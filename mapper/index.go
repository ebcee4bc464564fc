package mapper

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/blevesearch/snowballstem"
)

// The fields of a file that are searched.
const (
	inPath = iota
	inExports
	inMembers // and what is not exported
	inPurpose
	inIdents
	fields
)

// BM25F: what a match in a field weighs, how much the field's length tells
// against it, and how fast more matches of one word stop counting.
func weight(field int) (w, b float64) {
	switch field {
	case inPath:
		return 2.5, 0.4
	case inExports:
		return 3, 0.5
	case inMembers:
		return 1.3, 0.6
	case inPurpose:
		return 2, 0.3
	}
	return 0.5, 0.5
}

const saturation = 1.2

// An index finds the files of a map by words.
type index struct {
	vocab    *vocabulary
	docs     int
	postings [][]posting // by term
}

// A posting is a file that has a term: its number and the fields that have it,
// and the term's frequency, weighted over the fields.
type posting struct {
	key  uint32
	freq float32
}

func (p posting) doc() int       { return int(p.key >> fields) }
func (p posting) fields() uint32 { return p.key & (1<<fields - 1) }

// buildIndex numbers no new words: a file's terms were numbered when it was
// parsed.
func (m *Map) buildIndex() *index {
	v := m.vocab
	v.mu.RLock()
	defer v.mu.RUnlock()
	ix := &index{vocab: v, docs: len(m.bodies), postings: make([][]posting, len(v.stems))}
	var norm [fields]float64 // average length of a field over the files that have it
	for field := range fields {
		n, total := 0, 0
		for _, b := range m.bodies {
			if l := b.length(field); l > 0 {
				n, total = n+1, total+l
			}
		}
		norm[field] = float64(total) / float64(max(n, 1))
	}
	freqs := make([]float32, len(v.stems))
	masks := make([]uint8, len(v.stems))
	var touched []uint32
	for doc, b := range m.bodies {
		add := func(term uint32, field int, freq float32) {
			if masks[term] == 0 {
				touched = append(touched, term)
			}
			masks[term] |= 1 << field
			freqs[term] += freq
		}
		for field := range fields {
			w, flat := weight(field)
			freq := float32(w / (1 - flat + flat*float64(b.length(field))/max(norm[field], 1)))
			if field != inIdents {
				for _, term := range b.terms[field] {
					add(term, field, freq)
				}
				continue
			}
			for _, id := range b.idents {
				for _, term := range v.terms[id] {
					if masks[term]&(1<<inIdents) == 0 {
						add(term, field, freq)
					}
				}
			}
		}
		for _, term := range touched {
			ix.postings[term] = append(ix.postings[term], posting{uint32(doc)<<fields | uint32(masks[term]), freqs[term]})
			freqs[term], masks[term] = 0, 0
		}
		touched = touched[:0]
	}
	return ix
}

// length counts the words of a field.
func (b *body) length(field int) int {
	if field == inIdents {
		return len(b.idents)
	}
	return len(b.terms[field])
}

// idf is what a term weighs: rare ones more. A term that came after the index
// was built weighs nothing.
func (ix *index) idf(term uint32) float64 {
	if int(term) >= len(ix.postings) || len(ix.postings[term]) == 0 {
		return 0
	}
	n := float64(len(ix.postings[term]))
	return math.Log(1 + (float64(ix.docs)-n+0.5)/(n+0.5))
}

// score adds up BM25F over the query's terms, and tells in which fields of
// each file they were found.
func (ix *index) score(q query) (scores []float64, found []uint8) {
	scores, found = make([]float64, ix.docs), make([]uint8, ix.docs)
	for _, term := range q.order {
		w := q.terms[term] * ix.idf(term)
		for _, p := range ix.postings[term] {
			f := float64(p.freq)
			scores[p.doc()] += w * f / (f + saturation)
			found[p.doc()] |= uint8(p.fields())
		}
	}
	return scores, found
}

// query reads what the user typed. Words that carry no meaning are left out
// when others remain; a word the project does not know stands for the words
// one typo away from it, or those it begins.
func (ix *index) query(text string) query {
	q := query{terms: map[uint32]float64{}}
	raw := strings.FieldsFunc(text, func(r rune) bool {
		return classOf(r) == other && !strings.ContainsRune("_./$-", r) || unicode.IsSpace(r)
	})
	var telling []string
	for _, w := range raw {
		if w = strings.Trim(w, "./-"); w != "" && !isStopWord(strings.ToLower(w)) {
			telling = append(telling, w)
		}
	}
	if len(telling) == 0 {
		telling = raw
	}
	q.single = len(telling) <= 2
	env := snowballstem.NewEnv("")
	for _, w := range telling {
		n := name{text: w, code: looksLikeCode(w)}
		count := 0
		for part := range words(w) {
			count++
			q.tests = q.tests || part == "test" || part == "tests" || part == "spec"
			id, ok := ix.vocab.lookup(part)
			if !ok {
				id, ok = ix.vocab.lookupTerm(stemWord(part, env))
			}
			if ok && ix.idf(id) > 0 {
				n.terms = append(n.terms, id)
				q.add(id, 1)
				continue
			}
			for _, near := range ix.near(part) {
				q.add(near, 0.5)
			}
		}
		if id, ok := ix.vocab.lookupTerm(joined(w)); ok && ix.idf(id) > 0 {
			n.terms = append(n.terms, id)
			q.add(id, 1)
		}
		if len(n.terms) > 0 {
			q.names = append(q.names, n)
		}
	}
	return q
}

func (q *query) add(term uint32, weight float64) {
	if _, ok := q.terms[term]; !ok {
		q.order = append(q.order, term)
	}
	q.terms[term] = max(q.terms[term], weight)
}

// near gives the terms of known words one edit away from a word, else of those
// that begin with it: at most 8, in the order of the words.
func (ix *index) near(word string) []uint32 {
	const most = 8
	if len(word) < 3 {
		return nil
	}
	var edits, longer []string
	ix.vocab.mu.RLock()
	for w, id := range ix.vocab.words {
		switch {
		case ix.idf(id) == 0:
		case len(word) > 3 && oneEdit(word, w):
			edits = append(edits, w)
		case strings.HasPrefix(w, word):
			longer = append(longer, w)
		}
	}
	ix.vocab.mu.RUnlock()
	if len(edits) == 0 {
		edits = longer
	}
	slices.Sort(edits)
	var terms []uint32
	for _, w := range edits[:min(most, len(edits))] {
		if id, ok := ix.vocab.lookup(w); ok {
			terms = append(terms, id)
		}
	}
	return terms
}

// lookup gives the number of a lower-case word's term.
func (v *vocabulary) lookup(word string) (uint32, bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	id, ok := v.words[word]
	return id, ok
}

// lookupTerm gives the number of a term.
func (v *vocabulary) lookupTerm(stem string) (uint32, bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	id, ok := v.stems[stem]
	return id, ok
}

// isStopWord reports whether an English word carries no meaning of its own in
// a question about code.
func isStopWord(w string) bool {
	switch w {
	case "a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do", "does", "for", "from",
		"had", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "me", "my", "no", "not", "of", "on", "or",
		"our", "should", "so", "some", "such", "that", "the", "their", "them", "then", "there", "these", "they", "this",
		"those", "to", "was", "we", "were", "what", "when", "where", "which", "who", "why", "will", "with", "would", "you", "your":
		return true
	}
	return false
}
