package testscripts_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// thinking makes a vault of n thoughts of some 60 words, by an import as people make one, and returns how long that took.
func thinking(tb testing.TB, project string, n int) (vault string, took time.Duration) {
	tb.Helper()
	vault = filepath.Join(project, "vault")
	zipf := rand.NewZipf(rand.New(rand.NewPCG(11, uint64(n))), 1.15, 3, 40_000)
	var rows bytes.Buffer
	for i := range n {
		at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(time.Duration(i) * time.Minute)
		prefix := []string{"Note", "Lesson", "Decision"}[i%3]
		fmt.Fprintf(&rows, `{"id": %d, "content": "[%s] %s", "created_at": %q, "metadata": {"tags": ["t%d"]}}`+"\n", i, prefix, invented(zipf, 60), at.Format(time.RFC3339), i%7)
	}
	file := filepath.Join(project, "rows.jsonl")
	if err := os.WriteFile(file, rows.Bytes(), 0o600); err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command("slipstream", "import", "open-brain", file, "--vault", vault)
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(project, ".cache"))
	began := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("%s, %v", out, err)
	}
	return vault, time.Since(began)
}

// Run with go test -bench Thoughts -run '^$' -timeout 60m. Engram's own bench is the one of 10,000 thoughts and k=10 without a
// filter, five searches to warm up and a hundred timed; it publishes a p95 of 36.6 ms, without the way through a client's pipes.
func BenchmarkThoughts(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			project := b.TempDir()
			vault, took := thinking(b, project, n)
			b.Run("Start", func(b *testing.B) { // to the first answer to initialize, and to the first search
				var times, first []time.Duration
				for b.Loop() {
					began := time.Now()
					s := start(b, project, "--vault", vault)
					times = append(times, time.Since(began))
					s.call("search_thoughts", `{"query":"anything"}`)
					first = append(first, time.Since(began))
					s.stop()
				}
				percentiles(b, times)
				b.ReportMetric(float64(n)/took.Seconds(), "imported/s")
				b.ReportMetric(float64(first[len(first)/2].Microseconds())/1000, "first-search-ms")
			})
			s := start(b, project, "--vault", vault)
			defer s.stop()
			zipf := rand.NewZipf(rand.New(rand.NewPCG(5, 6)), 1.15, 3, 40_000)
			query := func() string { return invented(zipf, 6) }
			for _, c := range []struct {
				name, tool string
				arguments  func() string
			}{
				{"Search", "search_thoughts", func() string { return fmt.Sprintf(`{"query":"how did we %s?"}`, query()) }},
				{"Filtered", "search_thoughts", func() string {
					return fmt.Sprintf(`{"query":"how did we %s?","filter":{"prefix":"Lesson","tags":["t3"],"created_after":"2026-01-02"}}`, query())
				}},
				{"Strange", "search_thoughts", func() string { return fmt.Sprintf(`{"query":"xyzzy%d plugh"}`, len(query())) }},
				{"List", "list_thoughts", func() string { return `{"limit":10}` }},
				{"Stats", "thought_stats", func() string { return `{}` }},
			} {
				b.Run(c.name, func(b *testing.B) {
					for range 5 {
						s.call(c.tool, c.arguments())
					}
					var times []time.Duration
					for b.Loop() {
						arguments := c.arguments()
						began := time.Now()
						s.call(c.tool, arguments)
						times = append(times, time.Since(began))
					}
					percentiles(b, times)
					b.ReportMetric(s.resident(), "RSS-MiB")
				})
			}
		})
	}
}
