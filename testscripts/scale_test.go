package testscripts_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/budget"
	"github.com/slipstream-mcp/slipstream/memstore/activity"
)

// invented returns n words with the frequencies of a language: the k-th of 40,000 about 1/k as often as the first.
func invented(zipf *rand.Zipf, n int) string {
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
	return b.String()
}

// remembering makes a project with n observations, 50 a session.
func remembering(tb testing.TB, n int) (project string) {
	tb.Helper()
	project = tb.TempDir()
	dir := filepath.Join(project, ".claude", "slipstream", "observations")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		tb.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, uint64(n)))
	zipf := rand.NewZipf(rng, 1.15, 3, 40_000)
	kinds := activity.Kinds()
	var text bytes.Buffer
	for id := 1; id <= n; id++ {
		at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(time.Duration(id) * time.Minute)
		o := activity.Observation{ID: int64(id), Session: fmt.Sprintf("session%d", id/50), Kind: kinds[rng.IntN(len(kinds))], Time: at, First: int64(id%50) * 4, Last: int64(id%50)*4 + 3}
		o.Summary = invented(zipf, 12)
		o.Detail = "Request: " + invented(zipf, 20) + "\nOutcome: " + invented(zipf, 20)
		o.Files = []string{fmt.Sprintf("src/%s/%s.go", invented(zipf, 1), invented(zipf, 1))}
		o.Tags = []string{string(o.Kind), invented(zipf, 1)}
		text.Write(activity.AppendObservation(nil, o))
		text.WriteByte('\n')
		if id%50 == 49 || id == n {
			if err := os.WriteFile(filepath.Join(dir, o.Session+".jsonl"), text.Bytes(), 0o600); err != nil {
				tb.Fatal(err)
			}
			text.Reset()
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".counter"), fmt.Append(nil, n), 0o600); err != nil {
		tb.Fatal(err)
	}
	return project
}

// served is a server in a process of its own.
type served struct {
	tb  testing.TB
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

func start(tb testing.TB, project string, args ...string) *served {
	tb.Helper()
	program, err := exec.LookPath("slipstream")
	if err != nil {
		tb.Fatal(err)
	}
	s := &served{tb: tb, cmd: exec.Command(program, append([]string{"serve", "--root", project}, args...)...)}
	s.cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(project, ".cache"), "SLIPSTREAM_MCP_EMIT=0")
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		tb.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	s.out = bufio.NewReaderSize(out, 1<<20)
	if err := s.cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	s.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`)
	return s
}

func (s *served) ask(method, params string) string {
	s.tb.Helper()
	s.id++
	if _, err := fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", s.id, method, params); err != nil {
		s.tb.Fatal(err)
	}
	line, err := s.out.ReadString('\n')
	if err != nil {
		s.tb.Fatal(err)
	}
	return line
}

func (s *served) call(tool, arguments string) string {
	s.tb.Helper()
	var answer struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	line := s.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
	if err := json.Unmarshal([]byte(line), &answer); err != nil || answer.Result.IsError || len(answer.Result.Content) != 1 {
		s.tb.Fatalf("%s %s answers %s, %v", tool, arguments, line, err)
	}
	return answer.Result.Content[0].Text
}

// resident returns the server's memory in MiB, as Linux tells it; 0 elsewhere.
func (s *served) resident() float64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	var kib float64
	if _, rest, ok := bytes.Cut(text, []byte("VmRSS:")); ok {
		fmt.Sscan(string(rest), &kib)
	}
	return kib / 1024
}

func (s *served) stop() {
	s.in.Close()
	if err := s.cmd.Wait(); err != nil {
		s.tb.Error(err)
	}
}

// Run with go test -bench Memory -run '^$' -timeout 60m; 1,000,000 observations too when SCALE_1M is set. A client's time: over
// the pipes of a server in a process of its own.
func BenchmarkMemory(b *testing.B) {
	sizes := []int{1_000, 10_000, 100_000}
	if os.Getenv("SCALE_1M") != "" {
		sizes = append(sizes, 1_000_000)
	}
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			project := remembering(b, n)
			began := time.Now()
			s := start(b, project)
			s.call("sp_search_memory", `{"query":"anything"}`)
			built := time.Since(began)
			s.stop()
			b.Run("Start", func(b *testing.B) { // to the first answer, the index being there
				b.ReportMetric(built.Seconds(), "s-without-index")
				var times []time.Duration
				for b.Loop() {
					began := time.Now()
					s := start(b, project)
					s.call("sp_search_memory", `{"query":"anything"}`)
					times = append(times, time.Since(began))
					s.stop()
				}
				percentiles(b, times)
			})
			s = start(b, project)
			defer s.stop()
			zipf := rand.NewZipf(rand.New(rand.NewPCG(5, 6)), 1.15, 3, 40_000)
			rng := rand.New(rand.NewPCG(7, 8))
			for _, c := range []struct {
				name, tool string
				arguments  func() string
			}{
				{"Search", "sp_search_memory", func() string { return fmt.Sprintf(`{"query":"how did we %s?"}`, invented(zipf, 6)) }},
				{"Timeline", "sp_timeline", func() string { return fmt.Sprintf(`{"around":"%d"}`, 1+rng.IntN(n)) }},
				{"Detail", "sp_observations", func() string { return fmt.Sprintf(`{"ids":[%d,%d]}`, 1+rng.IntN(n), 1+rng.IntN(n)) }},
				{"Lessons", "sp_lessons", func() string { return `{}` }},
			} {
				b.Run(c.name, func(b *testing.B) {
					var times []time.Duration
					s.call(c.tool, c.arguments())
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

func percentiles(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	for _, p := range []int{50, 95, 99} {
		b.ReportMetric(float64(times[len(times)*p/100].Microseconds())/1000, fmt.Sprintf("p%d-ms", p))
	}
}

// No row of an index costs more than 40 tokens, and no answer more than its budget, whatever the records hold.
func TestMemory_Costs(t *testing.T) {
	project := remembering(t, 3_000)
	long := filepath.Join(project, ".claude", "slipstream", "observations", "long.jsonl")
	var text bytes.Buffer
	for i, summary := range []string{strings.Repeat("word ", 2000), strings.Repeat("界", 5000), strings.Repeat("x", 20_000), "a\nb\tc\u202ed\x1b[31m " + strings.Repeat("é", 300)} {
		o := activity.Observation{ID: int64(10_000 + i), Session: "long", Kind: activity.Note, Summary: summary + " zebra", Detail: strings.Repeat("zebra detail ", 5000)}
		text.Write(activity.AppendObservation(nil, o))
		text.WriteByte('\n')
	}
	if err := os.WriteFile(long, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, project)
	defer s.stop()
	const row, answer = 40, 4000
	for tool, all := range map[string][]string{
		"sp_search_memory": {`{"query":"zebra"}`, `{"query":"ban bel bor","limit":100}`},
		"sp_timeline":      {`{"around":"10001","window":50}`, `{"around":"zebra"}`},
		"sp_lessons":       {`{"limit":100,"minCount":2}`},
	} {
		for _, arguments := range all {
			got := s.call(tool, arguments)
			if n := budget.Tokens(got); n > answer {
				t.Errorf("%s %s: %d tokens", tool, arguments, n)
			}
			for line := range strings.Lines(got) {
				if n := budget.Tokens(strings.TrimSuffix(line, "\n")); n > row && tool != "sp_lessons" && strings.Contains(line, "#") {
					t.Errorf("%s %s: a row of %d tokens: %s", tool, arguments, n, line)
				}
			}
		}
	}
	if got := s.call("sp_observations", `{"ids":[10000,10001,10002,10003]}`); len([]rune(got)) > 38_000 {
		t.Errorf("bodies of %d characters", len([]rune(got)))
	}
}
