package hook

import (
	"cmp"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/memstore/rank"
)

// Fact is a saved fact as a context tells it.
type Fact struct {
	Name, Type, Description, Body string
	Tags                          []string
	Updated                       time.Time
}

// What a shared word weighs, by where the work at hand has it and where the fact does.
const (
	fileWeight   = 3.0
	branchWeight = 2.0
	promptWeight = 1.5
	headWeight   = 2.0
	bodyWeight   = 0.7
)

// Of a long text only the beginning is matched: bytes, and files of a large change.
const (
	maxMatched      = 2 << 10
	maxChangedFiles = 40
	maxSearched     = 12 // words of a search
)

// match parts the facts into those that share words with the work at hand, closest first, and the others, newest decision
// first. A rare word says more than a common one; one word of a body alone is chance.
func (in Signal) match() (closest, others []Fact) {
	asked := in.words()
	type scored struct {
		fact       Fact
		head, body rank.Words
		score      float64
	}
	facts := make([]scored, len(in.Facts))
	holders := map[string]int{} // of a word, how many facts
	for i, f := range in.Facts {
		s := scored{fact: f}
		s.head = rank.NewWords(cut(f.Name+"\n"+f.Description+"\n"+strings.Join(f.Tags, "\n"), maxMatched))
		s.body = rank.NewWords(cut(f.Body, maxMatched))
		for _, w := range asked {
			if s.head[w.stem] || s.body[w.stem] {
				holders[w.stem]++
			}
		}
		facts[i] = s
	}
	for i := range facts {
		s := &facts[i]
		heads, bodies := 0, 0
		for _, w := range asked {
			rare := math.Log(1 + float64(len(facts))/float64(max(1, holders[w.stem])))
			switch {
			case s.head[w.stem]:
				heads++
				s.score += w.weight * headWeight * rare
			case s.body[w.stem]:
				bodies++
				s.score += w.weight * bodyWeight * rare
			}
		}
		if heads == 0 && bodies < 2 {
			s.score = 0
		}
	}
	slices.SortStableFunc(facts, func(a, b scored) int {
		kind := 0
		if a.score == 0 && b.score == 0 {
			kind = cmp.Compare(standing(a.fact.Type), standing(b.fact.Type))
		}
		return cmp.Or(cmp.Compare(b.score, a.score), kind, b.fact.Updated.Compare(a.fact.Updated), cmp.Compare(a.fact.Name, b.fact.Name))
	})
	for _, s := range facts {
		if s.score > 0 {
			closest = append(closest, s.fact)
		} else {
			others = append(others, s.fact)
		}
	}
	return closest, others
}

// standing orders facts that nothing speaks for: what holds for all work first.
func standing(factType string) int {
	if factType == "decision" || factType == "convention" {
		return 0
	}
	return 1
}

// Words returns the words that tell the work at hand from other work, for a search; "" when none does.
func (in Signal) Words() string {
	all := in.words()
	slices.SortStableFunc(all, func(a, b word) int { return cmp.Compare(b.weight, a.weight) })
	var words []string
	for _, w := range all[:min(len(all), maxSearched)] {
		words = append(words, w.stem)
	}
	return strings.Join(words, " ")
}

type word struct {
	stem   string
	weight float64
}

// words returns the stems of the work at hand in byte order, so that sums over them come out the same every time.
func (in Signal) words() []word {
	weights := map[string]float64{}
	add := func(text string, weight float64) {
		for stem := range rank.NewWords(text) {
			if telling(stem) {
				weights[stem] = max(weights[stem], weight)
			}
		}
	}
	add(cut(in.Prompt, maxMatched), promptWeight)
	add(cut(in.Branch, maxMatched), branchWeight)
	for _, f := range in.Changed[:min(len(in.Changed), maxChangedFiles)] {
		f = strings.ReplaceAll(cut(f, maxMatched), `\`, "/")
		add(strings.TrimSuffix(f, path.Ext(f)), fileWeight)
	}
	var words []word
	for _, stem := range slices.Sorted(maps.Keys(weights)) {
		words = append(words, word{stem, weights[stem]})
	}
	return words
}

// telling reports whether a stem tells one piece of work from another.
func telling(stem string) bool {
	if n := utf8.RuneCountInString(stem); n < 2 || n < 3 && len(stem) == n || strings.Trim(stem, "0123456789") == "" {
		return false
	}
	switch stem {
	case "main", "master", "develop", "dev", "trunk", "head", "feat", "featur", "bug", "bugfix", "chore", "hotfix", "releas",
		"wip", "branch", "issu", "ticket", "src", "lib", "app", "pkg", "internal", "index", "spec", "test", "add", "fix", "make",
		"use", "file", "code", "pleas", "chang", "updat", "work", "want", "need", "get", "let", "new", "todo", "implement", "refactor":
		return false
	}
	return true
}
