package rank

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/internal/letters"
)

// reference ranks docs as [Corpus.Search] does, with no more than loops over all
// of them: what the order means, apart from how it is reached.
func reference(docs map[string]Doc, query string, limit int) []Hit {
	words := unique(telling(split(query)))
	if len(words) == 0 || limit < 1 || len(docs) == 0 {
		return nil
	}
	n := float64(len(docs))
	var heads, bodies float64
	terms := map[string][]string{} // keys of the docs by term
	for key, d := range docs {
		heads, bodies = heads+float64(d.HeadLen), bodies+float64(d.BodyLen)
		for _, t := range d.Terms {
			terms[t.Text] = append(terms[t.Text], key)
		}
	}
	headAvg, bodyAvg := max(1, heads/n), max(1, bodies/n)
	score := func(d Doc, text string) float64 {
		df := float64(len(terms[text]))
		idf := math.Log(1 + (n-df+0.5)/(df+0.5))
		for _, t := range d.Terms {
			if t.Text == text {
				tf := headWeight*float64(t.Head)/(1-headNorm+headNorm*float64(d.HeadLen)/headAvg) +
					float64(t.Body)/(1-bodyNorm+bodyNorm*float64(d.BodyLen)/bodyAvg)
				return idf * tf * (saturation + 1) / (tf + saturation)
			}
		}
		return 0
	}
	rarest := len(docs)
	for _, w := range words {
		if df := len(terms[letters.Stem(w)]); df > 0 {
			rarest = min(rarest, df)
		}
	}
	common := max((len(docs)+1)/2, rarest)
	like := vector(words)
	var hits []Hit
	for key, d := range docs {
		h := Hit{Key: key}
		for _, w := range words {
			if len(terms[letters.Stem(w)]) == 0 {
				for _, other := range nearestOf(terms, w) {
					h.Score += nearWeight * score(d, other)
				}
				continue
			}
			h.Score += 0.5 * score(d, letters.Stem(w))
			h.Score += 0.5 * score(d, exactMark+w)
			for _, t := range d.Terms {
				if t.Text == letters.Stem(w) {
					h.Tier = max(h.Tier, 1)
					if t.Head > 0 && len(terms[t.Text]) <= common {
						h.Tier = 2
					}
				}
			}
		}
		alike := math.Round(d.Vector.Cosine(&like)*10) / 10
		if h.Score == 0 && alike < alikeFloor {
			continue
		}
		h.Score = math.Round((h.Score+alikeWeight*max(0, alike))*1e6) / 1e6
		hits = append(hits, h)
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Tier, a.Tier), cmp.Compare(b.Score, a.Score),
			docs[b.Key].Time.Compare(docs[a.Key].Time), cmp.Compare(a.Key, b.Key))
	})
	return hits[:min(limit, len(hits))]
}

func nearestOf(terms map[string][]string, word string) []string {
	allowed := 0
	if n := len([]rune(word)); n >= 9 {
		allowed = 2
	} else if n >= 5 {
		allowed = 1
	}
	var row [3][]int
	for d := 1; d <= allowed; d++ {
		var found []string
		for text := range terms {
			other, exact := strings.CutPrefix(text, exactMark)
			if exact && letters.Edits([]rune(word), []rune(other), d, &row) == d {
				found = append(found, text)
			}
		}
		if found != nil {
			slices.Sort(found)
			return found
		}
	}
	return nil
}

// TestSearch_Reference changes a corpus again and again, stores it and reads it
// back now and then, and compares what it finds with the reference.
func TestSearch_Reference(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	word := func() string {
		const words = "deploy deploys deployment main cache caching cached queue worker release released branch token edge " +
			"PaymentWebhookHandler max_files E1234 Größe café 部署规则 the of migration migrations migrate rotate rotation"
		all := strings.Fields(words)
		return all[min(r.IntN(len(all)), r.IntN(len(all)))]
	}
	text := func(n int) string {
		var words []string
		for range r.IntN(n + 1) {
			words = append(words, word())
		}
		return strings.Join(words, " ")
	}
	misspelt := func(s string) string {
		runes := []rune(s)
		if len(runes) > 3 && r.IntN(3) == 0 {
			at := 1 + r.IntN(len(runes)-2)
			runes[at], runes[at-1] = runes[at-1], runes[at]
		}
		return string(runes)
	}
	c, docs := &Corpus{}, map[string]Doc{}
	day := time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC)
	asked := 0
	for i := range 4000 {
		key := fmt.Sprint(r.IntN(90))
		switch r.IntN(5) {
		case 0, 1:
			c.Delete(key)
			delete(docs, key)
		default:
			docs[key] = NewDoc(text(5), text(40), day.Add(time.Duration(r.IntN(5))*time.Hour))
			c.Put(key, docs[key])
		}
		if i%97 == 0 {
			left := fmt.Sprint(r.IntN(90))
			read, err := DecodeCorpus(string(c.Append(nil, func(key string) bool { return key != left })))
			if err != nil {
				t.Fatal(err)
			}
			c = read
			delete(docs, left)
		}
		if i%5 != 0 {
			continue
		}
		query := misspelt(text(4))
		limit := 1 + r.IntN(12)
		got, want := c.Search(query, limit), reference(docs, query, limit)
		if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("step %d, %q, %d of %d docs: got\n%v, want\n%v", i, query, limit, len(docs), got, want)
		}
		asked += len(got)
	}
	if asked < 1000 {
		t.Errorf("only %d hits were compared", asked)
	}
}

func FuzzDecodeCorpus(f *testing.F) {
	var c Corpus
	f.Add(string(c.Append(nil, func(string) bool { return true })))
	c.Put("a", NewDoc("a head head", "the body", time.Time{}))
	c.Put("b", NewDoc("other", "body of the other", time.UnixMilli(5)))
	f.Add(string(c.Append(nil, func(string) bool { return true })))
	f.Add(string(c.Append(nil, func(key string) bool { return key == "b" })))
	f.Fuzz(func(t *testing.T, data string) {
		c, err := DecodeCorpus(data)
		if err != nil {
			return
		}
		c.Search("body heade", 5)
		c.Put("c", NewDoc("head", "body", time.Time{}))
		again, err := DecodeCorpus(string(c.Append(nil, func(string) bool { return true })))
		if err != nil || again.Len() != c.Len() || !again.Has("c") {
			t.Fatalf("got %v, want %d docs", err, c.Len())
		}
		for i := range 2 * sweepFrom { // so that it is swept
			c.Put(fmt.Sprint("x", i%3), NewDoc("head", "body", time.Time{}))
		}
		c.Search("body heade", 5)
	})
}
