package vault_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
	"github.com/slipstream-mcp/slipstream/memstore/thought"
	"github.com/slipstream-mcp/slipstream/memstore/vault"
)

func search(t *testing.T, v *vault.Vault, query string, k int, f thought.Filter) vault.Found {
	t.Helper()
	found, err := v.Search(t.Context(), query, k, f)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestSearch_Filtered(t *testing.T) {
	v := open(t, t.TempDir())
	for i := range 60 {
		capture(t, v, fmt.Sprintf("deploy on friday number %d", i), vault.Metadata{})
	}
	for i := range 8 {
		capture(t, v, fmt.Sprintf("[Lesson] unlike %d", i), vault.Metadata{})
	}
	found := search(t, v, "deploy on friday", 5, thought.Filter{Prefix: []string{"Lesson"}})
	if len(found.Hits) != 5 || found.Total != 8 {
		t.Errorf("got %d of %d, want 5 of 8", len(found.Hits), found.Total)
	}
	if found = search(t, v, "deploy", 100, thought.Filter{}); len(found.Hits) != 68 || found.Total != 68 {
		t.Errorf("got %d of %d, want all 68", len(found.Hits), found.Total)
	}
	// The k best are the first of all that pass, whatever k is.
	all := search(t, v, "friday number 7", 60, thought.Filter{Prefix: []string{"Note"}})
	few := search(t, v, "friday number 7", 7, thought.Filter{Prefix: []string{"Note"}})
	id := func(h vault.Hit) string { return h.ID }
	if a, b := ids(all.Hits[:7], id), ids(few.Hits, id); !slices.Equal(a, b) || few.Hits[0].Body != "deploy on friday number 7\n" {
		t.Errorf("got %v, want %v", b, a)
	}
}

func ids(hits []vault.Hit, id func(vault.Hit) string) (list []string) {
	for _, h := range hits {
		list = append(list, id(h))
	}
	return list
}

func TestSearch_Finds(t *testing.T) {
	dir := t.TempDir()
	v := open(t, dir)
	for _, s := range []string{
		"the gateway answers ERR_CONN_7731 when it is asked too often", "the gateway is asked often and answers when it is slow",
		"東京の会議は金曜日です", "le café près de la gare", "host db-eu-3.internal listens on 5433", "applyCoupon rounds down",
		strings.Repeat("nothing of note here at all. ", 4000) + "the zeppelin lands at noon",
	} {
		capture(t, v, s, vault.Metadata{})
	}
	for query, want := range map[string]string{
		"gateway answers when asked often ERR_CONN_7731": "ERR_CONN_7731", "会議": "東京", "cafe pres": "café", "5433": "db-eu-3",
		"coupon": "applyCoupon", "zeppelin lands": "zeppelin",
	} {
		if got := search(t, v, query, 1, thought.Filter{}).Hits; len(got) != 1 || !strings.Contains(got[0].Body, want) {
			t.Errorf("%q: got %.80q", query, got[0].Body)
		}
	}
	hit := search(t, v, "applyCoupon rounds", 1, thought.Filter{}).Hits[0]
	a, b := embed.Text("applyCoupon rounds"), embed.Text("applyCoupon rounds down")
	if want := a.Cosine(&b); math.Abs(hit.Similarity-want) > 1e-9 {
		t.Errorf("similarity: got %v, want the cosine %v", hit.Similarity, want)
	}
	path := filepath.Join(dir, "thoughts", filepath.FromSlash(hit.FilePath))
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "thoughts/"+hit.FilePath, strings.Replace(string(src), "applyCoupon rounds down", "the walrus sleeps", 1))
	if got := search(t, v, "walrus", 1, thought.Filter{}).Hits[0]; got.ID != hit.ID {
		t.Errorf("edited: got %q", got.Body)
	}
	if _, err := v.Search(t.Context(), " ", 1, thought.Filter{}); err == nil {
		t.Error("no query is accepted")
	}
}

// BenchmarkSearch is k=10 over n thoughts of some 60 words, as engram's own
// bench is: five searches to warm up, then each timed. Beside it stand the same
// with a filter, with words that no thought has, the first search of a process
// that has nothing of the files yet (cold) and of one that has what the last one
// kept (kept), and the look at all files against
// a stat of each, side by side, in the same run (walk, of which stat is the
// part that cannot be saved):
//
//	go test -run - -bench Search -benchtime 300x ./vault
func BenchmarkSearch(b *testing.B) {
	words := strings.Fields("deploy friday gateway answer coupon round host listen meeting lesson build cache index query branch merge review test flaky port")
	for _, n := range []int{1000, 10000, 100000} {
		if n > 10000 && testing.Short() {
			continue
		}
		dir, cache := b.TempDir(), b.TempDir()
		for i := range n {
			text := fmt.Sprintf("---\ntags: [t%d]\nprefix: %s\n---\n", i%7, []string{"Note", "Lesson", "Decision"}[i%3])
			for j := range 30 {
				text += words[(i*7+j*j*(i%13+1))%len(words)] + fmt.Sprint(" w", (i*31+j*17)%5000, " ")
			}
			write(b, dir, fmt.Sprintf("thoughts/%s/%d.md", []string{"note", "lesson", "decision"}[i%3], i), text)
		}
		time.Sleep(2 * time.Second) // until the stamps are trusted
		query := func(i int) string { return fmt.Sprintf("deploy w%d %s", i%5000, words[i%len(words)]) }
		once := func(b *testing.B, v *vault.Vault, query string, f thought.Filter) time.Duration {
			start := time.Now()
			if _, err := v.Search(b.Context(), query, 10, f); err != nil {
				b.Fatal(err)
			}
			return time.Since(start)
		}
		first := func(b *testing.B, cache string) time.Duration {
			v, err := vault.Open(dir, vault.Options{CacheDir: cache})
			if err != nil {
				b.Fatal(err)
			}
			defer v.Close()
			return once(b, v, query(0), thought.Filter{})
		}
		b.Run(fmt.Sprintf("n=%d/first", n), func(b *testing.B) {
			b.ReportMetric(float64(first(b, b.TempDir()).Microseconds())/1000, "cold-ms")
			first(b, cache)
			var took []time.Duration
			for range 5 {
				took = append(took, first(b, cache))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "kept-ms")
		})
		v, err := vault.Open(dir, vault.Options{CacheDir: cache})
		if err != nil {
			b.Fatal(err)
		}
		defer v.Close()
		filter := thought.Filter{Prefix: []string{"Lesson"}, Tags: []string{"t3"}, CreatedAfter: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}
		strange := func(i int) string { return fmt.Sprint("nobody wrote this ", i) } // all vectors are compared
		for _, c := range []struct {
			name  string
			query func(int) string
			f     thought.Filter
		}{{"all", query, thought.Filter{}}, {"filtered", query, filter}, {"strange", strange, thought.Filter{}}, {"strange-filtered", strange, filter}} {
			b.Run(fmt.Sprintf("n=%d/%s", n, c.name), func(b *testing.B) {
				for i := range 5 {
					once(b, v, c.query(i), c.f)
				}
				var took []time.Duration
				for b.Loop() {
					took = append(took, once(b, v, c.query(len(took)), c.f))
				}
				slices.Sort(took)
				for _, p := range []int{50, 95, 99} {
					b.ReportMetric(float64(took[len(took)*p/100].Microseconds())/1000, fmt.Sprintf("p%d-ms", p))
				}
			})
		}
		b.Run(fmt.Sprintf("n=%d/walk", n), func(b *testing.B) {
			var walk, stat time.Duration
			rounds := 0
			for b.Loop() {
				rounds++
				w, s := vault.Walk(b, v)
				walk, stat = walk+w, stat+s
			}
			b.ReportMetric(float64(walk.Microseconds())/1000/float64(rounds), "walk-ms")
			b.ReportMetric(float64(stat.Microseconds())/1000/float64(rounds), "stat-ms")
		})
	}
}
