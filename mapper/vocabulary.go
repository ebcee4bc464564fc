package mapper

import (
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// A vocabulary numbers the identifiers and search terms of a project, so that
// files that share a word share its text and ranking compares numbers. It only
// grows; scans that share a [Cache] share it.
type vocabulary struct {
	mu     sync.RWMutex
	idents map[string]uint32
	texts  []string
	terms  [][]uint32        // the search terms of each identifier
	stems  map[string]uint32 // search term -> number
	words  map[string]uint32 // lower-case word as written -> number of its term
}

func newVocabulary() *vocabulary {
	return &vocabulary{idents: map[string]uint32{}, stems: map[string]uint32{}, words: map[string]uint32{}}
}

// intern replaces every identifier by its shared copy and gives their numbers.
func (v *vocabulary) intern(idents []string) []uint32 {
	ids := make([]uint32, len(idents))
	var unknown []int
	v.mu.RLock()
	for i, s := range idents {
		id, ok := v.idents[s]
		if !ok {
			unknown = append(unknown, i)
			continue
		}
		ids[i], idents[i] = id, v.texts[id]
	}
	v.mu.RUnlock()
	if len(unknown) == 0 {
		return ids
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	env := snowballstem.NewEnv("")
	for _, i := range unknown {
		s := idents[i]
		id, ok := v.idents[s]
		if !ok {
			id = uint32(len(v.texts))
			v.idents[s] = id
			v.texts = append(v.texts, s)
			var terms []uint32
			for w := range words(s) {
				terms = append(terms, v.word(w, env))
			}
			v.terms = append(v.terms, terms)
		}
		ids[i], idents[i] = id, v.texts[id]
	}
	return ids
}

// add gives the terms of texts, one number for each word. For a name of
// several words the name as a whole is a term too: who asks for "filename"
// finds fileName.
func (v *vocabulary) add(texts ...string) []uint32 {
	v.mu.Lock()
	defer v.mu.Unlock()
	env := snowballstem.NewEnv("")
	var terms []uint32
	for _, text := range texts {
		n := 0
		for w := range words(text) {
			terms = append(terms, v.word(w, env))
			n++
		}
		if whole := joined(text); n > 1 && whole != "" {
			terms = append(terms, v.term(whole))
		}
	}
	return terms
}

func (v *vocabulary) word(w string, env *snowballstem.Env) uint32 {
	if id, ok := v.words[w]; ok {
		return id
	}
	id := v.term(stemWord(w, env))
	v.words[w] = id
	return id
}

func (v *vocabulary) term(stem string) uint32 {
	id, ok := v.stems[stem]
	if !ok {
		id = uint32(len(v.stems))
		v.stems[stem] = id
	}
	return id
}

// stemWord folds the forms of an English word into one.
func stemWord(w string, env *snowballstem.Env) string {
	if len(w) < 4 {
		return w
	}
	env.SetCurrent(w)
	english.Stem(env)
	return env.Current()
}
