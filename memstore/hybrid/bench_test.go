package hybrid_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
)

// world makes docs and questions as an agent's memory has them: 25 to 75 words
// with the frequencies of a language (Zipf), names in one piece, paths, in
// sessions of about forty.
type world struct {
	r     *rand.Rand
	zipf  *rand.Zipf
	words []string
}

func newWorld() *world {
	r := rand.New(rand.NewPCG(7, 7))
	w := &world{r: r, zipf: rand.NewZipf(r, 1.07, 8, 79999), words: make([]string, 80000)}
	syllables := strings.Fields("ba ker ti on ma ing lo re sta con ver ed po li te ra mo de si nu for ga ex al in up ste ch or")
	for i := range w.words {
		var b strings.Builder
		for range 2 + r.IntN(3) {
			b.WriteString(syllables[r.IntN(len(syllables))])
		}
		switch {
		case i%11 == 5:
			w.words[i] = b.String() + strings.ToUpper(syllables[r.IntN(9)][:1]) + syllables[r.IntN(len(syllables))] + "Handler"
		case i%13 == 5:
			w.words[i] = "src/" + syllables[r.IntN(len(syllables))] + "/" + b.String() + ".ts"
		case i < 60:
			w.words[i] = strings.Fields("the to and of a in is it was for that on with we i be not this have are")[i%20]
		default:
			w.words[i] = b.String()
		}
	}
	return w
}

func (w *world) text(n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(w.words[w.zipf.Uint64()])
		b.WriteByte(' ')
	}
	return b.String()
}

func (w *world) docs(n int) []hybrid.Doc {
	docs := make([]hybrid.Doc, n)
	for i := range docs {
		docs[i] = hybrid.Doc{
			ID: int64(i + 1), Session: fmt.Sprint("session-", i/40), Time: day.Add(time.Duration(i) * time.Minute),
			Kind: []string{"edit", "command", "read", "prompt"}[w.r.IntN(4)], Text: w.text(25 + w.r.IntN(51)), Offset: int64(i) * 400, Length: 400,
		}
		if i%6 == 0 {
			docs[i].Same = uint64(1 + w.r.IntN(n))
		}
	}
	return docs
}

func (w *world) questions(n int) []hybrid.Query {
	queries := make([]hybrid.Query, n)
	for i := range queries {
		queries[i].Text = "what did we do about " + w.text(3+w.r.IntN(8))
		switch i % 10 {
		case 0:
			queries[i].Kind = "edit"
		case 1:
			queries[i].Since = day.AddDate(0, 1, 0)
		case 2:
			queries[i].Text += "in May 2026?"
		case 3:
			queries[i].Text += "xqovvern"
		}
	}
	return queries
}

// BenchmarkSearch asks questions of three to ten words beside those of
// grammar, every tenth each with a kind, a time, a date in words and a word
// that nobody knows.
//
//	go test -bench 'Search|Load|Add' -run '^$' ./hybrid
//
// On two shared cores of a virtual machine, 100,000 docs of 50 words on
// average: a search takes 0.70 ms at the median, 1.6 ms at p95, 2.1 ms at p99
// (10,000 docs: 0.17, 0.84, 1.3); loading 35 ms; adding them 3.0 s at once and
// then 0.15 ms for one more; encoding after that one 134 ms. They are saved in
// 22 MB, and 29 MB of heap hold them, those included.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{1000, 10000, 100000} {
		b.Run(fmt.Sprint("n=", n), func(b *testing.B) {
			w := newWorld()
			x := hybrid.New()
			x.Add(w.docs(n)...)
			queries := w.questions(997)
			times := make([]time.Duration, 0, 1<<16)
			i, found := 0, 0
			for b.Loop() {
				start := time.Now()
				found += len(x.Search(queries[i%len(queries)]))
				times = append(times, time.Since(start))
				i++
			}
			b.ReportMetric(float64(found)/float64(i), "hits/op")
			slices.Sort(times)
			for _, p := range []int{50, 95, 99} {
				b.ReportMetric(float64(times[len(times)*p/100].Microseconds()), fmt.Sprintf("p%d-µs", p))
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	x := hybrid.New()
	x.Add(newWorld().docs(100000)...)
	saved := x.Encode(nil)
	x = nil
	for b.Loop() {
		if _, _, err := hybrid.Load(saved); err != nil {
			b.Fatal(err)
		}
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	kept, _, err := hybrid.Load(slices.Clone(saved))
	if err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(len(saved))/1e6, "saved-MB")
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "heap-MB")
	runtime.KeepAlive(kept)
	runtime.KeepAlive(saved)
}

// BenchmarkAdd adds 100,000 docs at once, and one by one to 100,000.
func BenchmarkAdd(b *testing.B) {
	docs := newWorld().docs(101000)
	b.Run("n=100000", func(b *testing.B) {
		for b.Loop() {
			x := hybrid.New()
			x.Add(docs[:100000]...)
		}
	})
	b.Run("one", func(b *testing.B) {
		x := hybrid.New()
		x.Add(docs[:100000]...)
		i := 0
		for b.Loop() {
			d := docs[100000+i%1000]
			d.ID = int64(100001 + i)
			x.Add(d)
			i++
		}
	})
	b.Run("encode", func(b *testing.B) {
		x := hybrid.New()
		x.Add(docs[:100000]...)
		i := 0
		for b.Loop() {
			d := docs[100000+i%1000]
			d.ID = int64(100001 + i)
			x.Add(d)
			x.Encode(nil)
			i++
		}
	})
}
