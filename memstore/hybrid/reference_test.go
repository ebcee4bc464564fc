package hybrid_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
)

// reference scores every doc as the index is documented to, the slow way, for
// queries of plain words that docs know, without dates.
func reference(docs []hybrid.Doc, query string) map[int64]float64 {
	type parsed struct {
		tf    map[string]float64
		words float64
	}
	n := float64(len(docs))
	all := make([]parsed, len(docs))
	df := map[string]float64{}
	total := 0.0
	sessions := map[string][]int{}
	for i, d := range docs {
		terms, words := hybrid.Terms(d.Text + " \x00 " + strings.Join(d.Tags, " "))
		all[i] = parsed{map[string]float64{}, float64(len(words))}
		for _, t := range terms {
			all[i].tf[t]++
		}
		for t := range all[i].tf {
			df[t]++
		}
		total += all[i].words
		sessions[d.Session] = append(sessions[d.Session], i)
	}
	idf := func(n, df float64) float64 { return math.Log(1 + (n-df+0.5)/(df+0.5)) }
	terms, words := hybrid.Terms(query)
	slices.Sort(terms)
	terms = slices.Compact(terms)

	sum, sessionSum := 0.0, 0.0
	for _, t := range terms {
		sum += idf(n, df[t])
	}
	own := make([]float64, len(docs))
	together := map[string]float64{}
	for _, t := range terms {
		if idf(n, df[t]) < 0.01*sum {
			continue
		}
		counts := map[string]float64{}
		for i, d := range docs {
			if tf := all[i].tf[t]; tf > 0 {
				own[i] += idf(n, df[t]) * tf * 2 / (tf + 0.3 + 0.7*all[i].words*n/total)
				counts[d.Session] += tf
			}
		}
		worth := idf(float64(len(sessions)), float64(len(counts)))
		sessionSum += worth
		for s, tf := range counts {
			together[s] += worth * 2.2 * tf / (tf + 1.2)
		}
	}
	var qsum embed.Sum
	slices.Sort(words)
	for _, w := range slices.Compact(words) {
		qsum.Add(embed.NewWord(w))
	}
	qv := qsum.Vector()
	probe := embed.NewProbe(&qv)

	scores := map[int64]float64{}
	for s, members := range sessions {
		at := func(k int) float64 {
			if k < 0 || k >= len(members) {
				return 0
			}
			return own[members[k]]
		}
		for k, i := range members {
			d := docs[i]
			v := at(k) + 0.4*at(k-1) + 0.4*at(k+1) + 0.2*(at(k-2)+at(k+2))
			if k > 0 && strings.HasSuffix(strings.TrimSpace(docs[members[k-1]].Text), "?") {
				v += 0.4 * at(k-1)
			}
			if v == 0 {
				continue
			}
			v = v/sum + 0.4*together[s]/sessionSum
			v *= all[i].words / (all[i].words + 1)
			if strings.HasSuffix(strings.TrimSpace(d.Text), "?") {
				v *= 0.8
			}
			if name, _, ok := strings.Cut(d.Text, ": "); ok && slices.Contains(words, strings.ToLower(name)) {
				v *= 1.3
			}
			_, own := hybrid.Terms(d.Text + " \x00 " + strings.Join(d.Tags, " "))
			slices.Sort(own)
			var sum embed.Sum
			for _, w := range slices.Compact(own) {
				sum.Add(embed.NewWord(w))
			}
			v += 0.05 * max(0, math.Round(10*probe.Cosine(sum.AppendSigns(nil)))/10)
			scores[d.ID] = v
		}
	}
	return scores
}

func TestSearch_Reference(t *testing.T) {
	docs := some(500, 11)
	for i := range docs {
		docs[i].Same = 0
	}
	x := hybrid.New()
	for part := range slices.Chunk(docs, 70) {
		x.Add(part...)
	}
	for _, q := range []string{"cache", "retry migration", "Ann tests", "applyCoupon worker timeout", "src/cart/total.ts E0308 deploy queue", "数据库", "index index token Bob"} {
		want := reference(docs, q)
		hits := x.Search(hybrid.Query{Text: q, Limit: len(docs)})
		if len(hits) != len(want) || len(hits) == 0 {
			t.Errorf("%q: got %d hits, want %d", q, len(hits), len(want))
		}
		for i, h := range hits {
			if math.Abs(h.Score-want[h.ID]) > 1.1e-4 {
				t.Errorf("%q: doc %d: got score %.4f, want %.6f", q, h.ID, h.Score, want[h.ID])
				break
			}
			if i > 0 && (h.Score > hits[i-1].Score || h.Score == hits[i-1].Score && h.ID > hits[i-1].ID) {
				t.Errorf("%q: hit %d is out of order", q, i)
			}
		}
		for _, limit := range []int{1, 5, 50} {
			few := x.Search(hybrid.Query{Text: q, Limit: limit})
			if len(few) != min(limit, len(hits)) || few[len(few)-1].Score != hits[len(few)-1].Score || few[0].ID != hits[0].ID {
				t.Errorf("%q: the first %d are others than those of all", q, limit)
			}
		}
	}
}
