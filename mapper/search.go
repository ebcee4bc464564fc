package mapper

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// Hit is a file that answers a query.
type Hit struct {
	Path    string
	Purpose string
	Score   float64     // above 0; comparable within one answer only
	Symbols []SymbolHit // those that matched, best first, at most 8
	Uses    []string    // identifiers that matched, for a file found by them alone; at most 4
}

// SymbolHit is a declaration that matched a query.
type SymbolHit struct {
	Name      string // "Serve"
	Qualified string // "Server.Serve"
	Kind      string
	Line      int // line of the name, from 1
}

const (
	maxSymbolHits = 8
	maxUses       = 4
	testScore     = 0.5 // of a test against the code it tests
	plainScore    = 0.5 // of a file known by its path alone
	rankLift      = 0.1 // what importance adds to a score; more drowns the words (measured on questions about the Go library)
)

// Search gives at most limit files for a query, best first: words, a name, a
// path or a question. A file that declares exactly the name asked for comes
// first. limit below 1 gives none.
func (m *Map) Search(query string, limit int) []Hit {
	ix := m.index()
	q := ix.query(query)
	if len(q.terms) == 0 || limit < 1 {
		return nil
	}
	scores, fieldsHit := ix.score(q)
	ranks := m.ranks()
	m.exact(ix, q, ranks, scores)
	better := func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
	}
	var best []int // the limit best so far, sorted: most files of a large project are no hit worth sorting
	for i, s := range scores {
		if s <= 0 {
			continue
		}
		if m.bodies[i].test && !q.tests {
			s *= testScore
		}
		if m.Files[i].Skipped != "" {
			s *= plainScore
		}
		scores[i] = s * (1 + rankLift*math.Log1p(ranks[i]))
		if len(best) == limit && better(i, best[limit-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, i, better)
		best = slices.Insert(best[:min(len(best), limit-1)], min(at, limit-1), i)
	}
	found := make([]Hit, 0, len(best))
	for _, i := range best {
		f := &m.Files[i]
		h := Hit{Path: f.Path, Purpose: f.Purpose, Score: scores[i], Symbols: ix.symbols(q, f)}
		if fieldsHit[i]&^(1<<inIdents) == 0 {
			h.Uses = ix.uses(q, m.bodies[i])
		}
		found = append(found, h)
	}
	return found
}

// A query is what is looked for: terms with weights, and the names among them.
type query struct {
	terms  map[uint32]float64 // number of a term -> weight
	order  []uint32           // the terms as they came: sums of floats depend on the order
	names  []name
	tests  bool // the question is about tests
	single bool // few words: each may be a name
}

// A name is a word of the query as it was written, and its terms.
type name struct {
	text  string
	terms []uint32
	code  bool // looks like an identifier or path, not like prose
}

// exact lifts files that declare a name of the query, or are called so, above
// those that merely share its words.
func (m *Map) exact(ix *index, q query, ranks, scores []float64) {
	for _, n := range q.names {
		if !q.single && !n.code {
			continue
		}
		sum := 0.0
		rarest := n.terms[0]
		for _, t := range n.terms {
			sum += ix.idf(t)
			if len(ix.postings[t]) < len(ix.postings[rarest]) {
				rarest = t
			}
		}
		for _, p := range ix.postings[rarest] {
			if p.fields()&(1<<inPath|1<<inExports|1<<inMembers) == 0 {
				continue
			}
			if level := exactness(&m.Files[p.doc()], n.text); level > 0 {
				important := ranks[p.doc()] / (1 + ranks[p.doc()]) // below 1: exactness goes first
				scores[p.doc()] += sum * (1 + (level+important)/10)
			}
		}
	}
}

// exactness tells how exactly a file has a name: 0 not at all, 1 when letters
// differ in case, up to 4 for an exported declaration of that very name.
func exactness(f *File, name string) (level float64) {
	if f.Path == name || strings.HasSuffix(f.Path, "/"+name) {
		return 3.5
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if len(s.Name) != len(name) && len(s.Qualified) != len(name) {
			continue
		}
		switch {
		case s.Name == name || s.Qualified == name:
			level = max(level, 2)
			if s.Forwarded {
				continue
			}
			if s.Exported {
				level = max(level, 3)
			}
			if s.Exported && (s.Top || s.Qualified == name) {
				return 4
			}
		case strings.EqualFold(s.Name, name) || strings.EqualFold(s.Qualified, name):
			level = max(level, 1)
		}
	}
	return level
}

// symbols gives the declarations of a file that match, best first.
func (ix *index) symbols(q query, f *File) []SymbolHit {
	type match struct {
		at    int
		score float64
	}
	var matches []match
	for i := range f.Symbols {
		s := &f.Symbols[i]
		score := 0.0
		n := 0
		for w := range words(s.Name) {
			n++
			if id, ok := ix.vocab.lookup(w); ok {
				score += q.terms[id] * ix.idf(id)
			}
		}
		if id, ok := ix.vocab.lookupTerm(joined(s.Name)); ok && n > 1 {
			score += q.terms[id] * ix.idf(id)
		}
		if score == 0 {
			continue
		}
		score /= math.Sqrt(float64(n))
		for _, name := range q.names {
			switch {
			case s.Name == name.text || s.Qualified == name.text:
				score *= 4
			case strings.EqualFold(s.Name, name.text):
				score *= 2
			}
		}
		if s.Exported && s.Top {
			score *= 1.2
		}
		matches = append(matches, match{i, score})
	}
	slices.SortStableFunc(matches, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	var hits []SymbolHit
	seen := map[string]bool{}
	for _, mt := range matches {
		s := &f.Symbols[mt.at]
		qualified := cmp.Or(s.Qualified, s.Name)
		if seen[qualified] || len(hits) == maxSymbolHits {
			continue
		}
		seen[qualified] = true
		hits = append(hits, SymbolHit{s.Name, qualified, s.Kind, s.Line})
	}
	return hits
}

// uses gives the identifiers of a file that match, best first.
func (ix *index) uses(q query, b *body) []string {
	type match struct {
		text  string
		score float64
	}
	var matches []match
	ix.vocab.mu.RLock()
	for _, id := range b.idents {
		score := 0.0
		for _, t := range ix.vocab.terms[id] {
			score += q.terms[t] * ix.idf(t)
		}
		if score > 0 {
			matches = append(matches, match{ix.vocab.texts[id], score / math.Sqrt(float64(len(ix.vocab.terms[id])))})
		}
	}
	ix.vocab.mu.RUnlock()
	slices.SortStableFunc(matches, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	var uses []string
	for _, mt := range matches[:min(maxUses, len(matches))] {
		uses = append(uses, mt.text)
	}
	return uses
}

// looksLikeCode reports whether a word of a query is spelt as no prose word
// is: a capital inside, an underscore, a dot, a slash or a digit between
// letters.
func looksLikeCode(word string) bool {
	prev := rune(0)
	for i, r := range word {
		if i > 0 && (strings.ContainsRune("_./$", r) || unicode.IsDigit(r) || unicode.IsUpper(r) && unicode.IsLower(prev)) {
			return true
		}
		prev = r
	}
	return false
}
