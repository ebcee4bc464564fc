package hybrid

import "github.com/slipstream-mcp/slipstream/memstore/internal/letters"

// Terms returns the terms of a text, each as often as it occurs, and its words
// without those of grammar.
func Terms(text string) (terms, words []string) {
	pieces(text, func(p piece) {
		for _, w := range p.words {
			if !grammar(w) {
				words = append(words, w)
				terms = append(terms, letters.Stem(w))
			}
		}
		for _, w := range p.wholes {
			terms = append(terms, wholeMark+w)
		}
	})
	return terms, words
}
