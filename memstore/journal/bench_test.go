package journal_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
	"github.com/slipstream-mcp/slipstream/memstore/journal"
)

// sizes are how many observations the benchmarks hold; 1,000,000 too when
// JOURNAL_BENCH_1M is set.
func sizes() []int {
	if os.Getenv("JOURNAL_BENCH_1M") != "" {
		return []int{1_000, 10_000, 100_000, 1_000_000}
	}
	return []int{1_000, 10_000, 100_000}
}

// words are drawn with the frequencies of a language: the n-th about 1/n as
// often as the first.
func words(rng *rand.Rand, zipf *rand.Zipf, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		w := zipf.Uint64()
		b.WriteByte("bcdfgklmnprst"[w%13])
		for v := w; ; v /= 11 {
			b.WriteString([]string{"an", "el", "or", "it", "us", "em", "ar", "on", "il", "ur", "ed"}[v%11])
			if v < 11 {
				break
			}
		}
	}
	_ = rng
	return b.String()
}

// filled returns the folder of a journal with n observations of n/50 sessions
// and the size of their files.
func filled(b *testing.B, n int) (dir string, size int64) {
	b.Helper()
	dir = filepath.Join(b.TempDir(), "state")
	if err := os.MkdirAll(filepath.Join(dir, "observations"), 0o700); err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, uint64(n)))
	zipf := rand.NewZipf(rng, 1.15, 3, 40_000)
	kinds := activity.Kinds()
	var text bytes.Buffer
	for id := 1; id <= n; id++ {
		session := fmt.Sprintf("session%d", id/50)
		o := activity.Observation{ID: int64(id), Session: session, Kind: kinds[rng.IntN(len(kinds))], Time: june().Add(time.Duration(id) * time.Minute), First: int64(id%50) * 4, Last: int64(id%50)*4 + 3}
		o.Summary = words(rng, zipf, 12)
		o.Detail = "Request: " + words(rng, zipf, 20) + "\nOutcome: " + words(rng, zipf, 20)
		o.Files = []string{fmt.Sprintf("src/%s/%s.go", words(rng, zipf, 1), words(rng, zipf, 1))}
		o.Tags = []string{string(o.Kind), words(rng, zipf, 1)}
		text.Write(activity.AppendObservation(nil, o))
		text.WriteByte('\n')
		if id%50 == 49 || id == n {
			if err := os.WriteFile(filepath.Join(dir, "observations", session+".jsonl"), text.Bytes(), 0o600); err != nil {
				b.Fatal(err)
			}
			size += int64(text.Len())
			text.Reset()
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "observations", ".counter"), fmt.Append(nil, n), 0o600); err != nil {
		b.Fatal(err)
	}
	return dir, size
}

// percentiles reports how long calls took, in milliseconds.
func percentiles(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	for _, p := range []int{50, 95, 99} {
		b.ReportMetric(float64(times[len(times)*p/100].Microseconds())/1000, fmt.Sprintf("p%d-ms", p))
	}
}

// resident returns the memory of this process in MiB.
func resident() float64 {
	debug.FreeOSMemory()
	text, _ := os.ReadFile("/proc/self/status")
	var kib float64
	if _, rest, ok := bytes.Cut(text, []byte("VmRSS:")); ok {
		fmt.Sscan(string(rest), &kib)
	}
	return kib / 1024
}

// Run with go test -bench . -run '^$' ./journal.
func BenchmarkJournal(b *testing.B) {
	for _, n := range sizes() {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir, size := filled(b, n)
			cache := filepath.Join(filepath.Dir(dir), "cache")
			b.Run("Rebuild", func(b *testing.B) {
				for b.Loop() {
					if err := os.RemoveAll(cache); err != nil {
						b.Fatal(err)
					}
					j := open(b, dir)
					search(b, j, "anything")
					j.Close()
				}
			})
			b.Run("Open", func(b *testing.B) { // with the index, to the first answer
				var times []time.Duration
				for b.Loop() {
					debug.FreeOSMemory() // as a process begins
					start := time.Now()
					j := open(b, dir)
					search(b, j, "anything")
					times = append(times, time.Since(start))
					j.Close()
				}
				percentiles(b, times)
				files, _ := filepath.Glob(filepath.Join(cache, "*"))
				index := int64(0)
				for _, f := range files {
					if info, err := os.Stat(f); err == nil {
						index += info.Size()
					}
				}
				b.ReportMetric(float64(size+index)/float64(size), "disk/text")
			})
			debug.FreeOSMemory()
			before := resident()
			j := open(b, dir)
			search(b, j, "anything")
			rss := resident() - before
			rng := rand.New(rand.NewPCG(5, 6))
			zipf := rand.NewZipf(rng, 1.15, 3, 40_000)
			timed := func(name string, call func() (prepared time.Time, err error)) {
				b.Run(name, func(b *testing.B) {
					var times []time.Duration
					for b.Loop() {
						start, err := call()
						if err != nil {
							b.Fatal(err)
						}
						times = append(times, time.Since(start))
					}
					percentiles(b, times)
					if name == "Search" {
						b.ReportMetric(rss, "MiB")
					}
				})
			}
			ctx := b.Context()
			timed("Search", func() (time.Time, error) {
				q := hybrid.Query{Text: "how did we " + words(rng, zipf, 6) + "?"}
				start := time.Now()
				_, err := j.Search(ctx, q)
				return start, err
			})
			timed("Around", func() (time.Time, error) {
				start := time.Now()
				_, err := j.Around(ctx, 1+rng.Int64N(int64(n)), 3, "")
				return start, err
			})
			timed("Get", func() (time.Time, error) {
				start := time.Now()
				_, err := j.Get(ctx, 1+rng.Int64N(int64(n)), 1+rng.Int64N(int64(n)))
				return start, err
			})
			timed("LessonsFirst", func() (time.Time, error) {
				if err := j.Close(); err != nil { // forgets what was counted
					return time.Time{}, err
				}
				start := time.Now()
				_, err := j.Lessons(ctx, activity.LessonOptions{})
				return start, err
			})
			timed("Lessons", func() (time.Time, error) {
				start := time.Now()
				_, err := j.Lessons(ctx, activity.LessonOptions{})
				return start, err
			})
			at := 0
			timed("Record", func() (time.Time, error) {
				at++
				start := time.Now()
				return start, j.Record(ctx, turn("bench", at, "x")...)
			})
			timed("Capture", func() (time.Time, error) {
				at++
				if err := j.Record(ctx, turn("bench2", at, "A turn of its own")...); err != nil {
					return time.Time{}, err
				}
				start := time.Now()
				_, err := j.Capture(ctx, "bench2", activity.FoldOptions{})
				return start, err
			})
			timed("SearchAfterCapture", func() (time.Time, error) {
				at++
				err := j.Record(ctx, turn("bench3", at, "A turn of its own")...)
				if err == nil {
					_, err = j.Capture(ctx, "bench3", activity.FoldOptions{})
				}
				if err != nil {
					return time.Time{}, err
				}
				start := time.Now()
				_, err = j.Search(ctx, hybrid.Query{Text: "turn of its own"})
				return start, err
			})
		})
	}
}

// BenchmarkMerge is another machine's 10,000 observations.
func BenchmarkMerge(b *testing.B) {
	dir, _ := filled(b, 10_000)
	j := open(b, dir)
	observations := make([]activity.Observation, 0, 10_000)
	for o, err := range j.All(b.Context()) {
		if err != nil {
			b.Fatal(err)
		}
		observations = append(observations, o)
	}
	for b.Loop() {
		to, err := journal.Open(filepath.Join(b.TempDir(), "state"), journal.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, n, err := to.Merge(b.Context(), observations); err != nil || n != 10_000 {
			b.Fatal(n, err)
		}
	}
}
