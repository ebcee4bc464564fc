package evaluate

import (
	"cmp"
	"hash/fnv"
	"math"
	"slices"
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
)

// Shipped is the ranking of package hybrid.
func Shipped() Ranker {
	return Ranker{"hybrid", func(docs []hybrid.Doc) func(string, int) []int64 {
		x := hybrid.New()
		x.Add(docs...)
		return func(question string, limit int) []int64 {
			var ids []int64
			for _, h := range x.Search(hybrid.Query{Text: question, Limit: limit}) {
				ids = append(ids, h.ID)
			}
			return ids
		}
	}}
}

// Words is BM25 (k1 1.2, b 0.75) over the stems of words.
func Words() Ranker {
	return Ranker{"BM25, stems", func(docs []hybrid.Doc) func(string, int) []int64 {
		counts := make([]map[string]float64, len(docs))
		lengths := make([]float64, len(docs))
		df := map[string]float64{}
		total := 0.0
		for i, d := range docs {
			counts[i] = map[string]float64{}
			for _, w := range stems(text(d)) {
				counts[i][w]++
				lengths[i]++
			}
			for w := range counts[i] {
				df[w]++
			}
			total += lengths[i]
		}
		n := float64(len(docs))
		return func(question string, limit int) []int64 {
			words := slices.Compact(slices.Sorted(slices.Values(stems(question))))
			return top(docs, limit, func(i int) float64 {
				score := 0.0
				for _, w := range words {
					if tf := counts[i][w]; tf > 0 {
						idf := math.Log(1 + (n-df[w]+0.5)/(df[w]+0.5))
						score += idf * tf * 2.2 / (tf + 1.2*(0.25+0.75*lengths[i]*n/total))
					}
				}
				return score
			})
		}
	}}
}

// Vector is the cosine of embed's vectors, without words of grammar.
func Vector() Ranker {
	return Ranker{"vector alone", func(docs []hybrid.Doc) func(string, int) []int64 {
		vectors := make([]embed.Vector, len(docs))
		for i, d := range docs {
			vectors[i] = embed.Text(strings.Join(plain(text(d)), " "))
		}
		return func(question string, limit int) []int64 {
			q := embed.Text(strings.Join(plain(question), " "))
			return top(docs, limit, func(i int) float64 { return vectors[i].Cosine(&q) })
		}
	}}
}

// Original is what slipstream ranked by before: the cosine of hashed words and
// pairs of words in 256 dimensions, and 0.6 of the share of a question's words
// that a text contains as a run of letters.
func Original() Ranker {
	return Ranker{"the original's", func(docs []hybrid.Doc) func(string, int) []int64 {
		vectors := make([][256]float64, len(docs))
		lower := make([]string, len(docs))
		for i, d := range docs {
			vectors[i] = hashed(tokens(text(d)))
			lower[i] = strings.ToLower(text(d))
		}
		return func(question string, limit int) []int64 {
			words := tokens(question)
			q := hashed(words)
			words = slices.Compact(slices.Sorted(slices.Values(words)))
			if len(words) == 0 {
				return nil
			}
			return top(docs, limit, func(i int) float64 {
				score, found := 0.0, 0.0
				for k := range q {
					score += q[k] * vectors[i][k]
				}
				for _, w := range words {
					if strings.Contains(lower[i], w) {
						found++
					}
				}
				return math.Round(1e4*(score+0.6*found/float64(len(words)))) / 1e4
			})
		}
	}}
}

func text(d hybrid.Doc) string {
	return d.Text + "\n" + strings.Join(d.Tags, " ") + "\n" + strings.Join(d.Files, " ")
}

// top returns the ids of the docs with the greatest scores above 0, later docs
// first among equals.
func top(docs []hybrid.Doc, limit int, score func(i int) float64) []int64 {
	type scored struct {
		id    int64
		score float64
	}
	var all []scored
	for i, d := range docs {
		if s := score(i); s > 0 {
			all = append(all, scored{d.ID, s})
		}
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.id, a.id))
	})
	ids := make([]int64, 0, limit)
	for _, s := range all[:min(limit, len(all))] {
		ids = append(ids, s.id)
	}
	return ids
}

const grammar = " a an the and or but if so than then of in on at by for from to into with as about i me my we us our you your he him his" +
	" she her it its they them their this that these those there here am is are was were be been being do does did has have had can could" +
	" will would shall should may might must not no what which who whom whose when where why how any some all each just also too very s t" +
	" don dont im ive lets "

// plain returns the words of a text in lower case, without those of grammar.
func plain(s string) []string {
	var words []string
	s = strings.NewReplacer("'s", "", "’s", "", "'", "", "’", "").Replace(strings.ToLower(s))
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return r < 0x80 && (r < '0' || r > '9') && (r < 'a' || r > 'z') }) {
		if !strings.Contains(grammar, " "+w+" ") {
			words = append(words, w)
		}
	}
	return words
}

func stems(s string) []string {
	words := plain(s)
	for i, w := range words {
		env := snowballstem.NewEnv(w)
		english.Stem(env)
		words[i] = env.Current()
	}
	return words
}

const unheard = " the and for are was this that with from into but not you your have has had out use used using its their then than they them" +
	" can will would should could been being all any our "

// tokens are the original's words.
func tokens(s string) []string {
	var split strings.Builder
	last := ' '
	for _, r := range s {
		if 'A' <= r && r <= 'Z' && ('a' <= last && last <= 'z' || '0' <= last && last <= '9') {
			split.WriteByte(' ')
		}
		split.WriteRune(r)
		last = r
	}
	var words []string
	for _, w := range strings.FieldsFunc(strings.ToLower(split.String()), func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'z') }) {
		if len(w) >= 2 && !strings.Contains(unheard, " "+w+" ") {
			words = append(words, w)
		}
	}
	return words
}

func hashed(words []string) (v [256]float64) {
	counts := map[string]float64{}
	for i, w := range words {
		counts[w]++
		if i > 0 {
			counts[words[i-1]+" "+w]++
		}
	}
	norm := 0.0
	for _, term := range slices.Sorted(func(yield func(string) bool) {
		for term := range counts {
			if !yield(term) {
				return
			}
		}
	}) {
		h := fnv.New32a()
		h.Write([]byte(term))
		weight := 1 + math.Log(counts[term])
		if h.Sum32()>>31 == 1 {
			weight = -weight
		}
		v[h.Sum32()%256] += weight
	}
	for _, x := range v {
		norm += x * x
	}
	if norm > 0 {
		for i := range v {
			v[i] /= math.Sqrt(norm)
		}
	}
	return v
}
