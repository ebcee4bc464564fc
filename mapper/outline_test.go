package mapper_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/slipstream-mcp/slipstream/mapper"
)

func scan(t testing.TB, fsys fstest.MapFS, opts mapper.Options) *mapper.Map {
	t.Helper()
	if opts.Parse == nil {
		opts.Parse = naive
	}
	m, err := mapper.Scan(context.Background(), fsys, opts)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// randomProject has some hundred files of random shape that use each other.
func randomProject(r *rand.Rand) fstest.MapFS {
	word := func() string {
		return []string{"parse", "Map", "load", "http", "Node", "x", "configuration", "tree", "Walk", "io", "cache", "Übung"}[r.IntN(12)]
	}
	fsys := fstest.MapFS{}
	dirs := []string{""}
	for range r.IntN(40) {
		dirs = append(dirs, dirs[r.IntN(len(dirs))]+word()+fmt.Sprint(r.IntN(5))+"/")
	}
	for i := range 1 + r.IntN(400) {
		var src strings.Builder
		if r.IntN(2) == 0 {
			src.WriteString("// " + strings.Repeat(word()+" ", r.IntN(20)) + "\n")
		}
		for range r.IntN(12) {
			fmt.Fprintf(&src, "export function %s%s%d() { %s%d() }\n", word(), word(), r.IntN(50), word(), r.IntN(50))
		}
		name := fmt.Sprintf("%s%s%d.ts", dirs[r.IntN(len(dirs))], word(), i)
		if r.IntN(30) == 0 {
			name += ".xyz"
		}
		fsys[name] = &fstest.MapFile{Data: []byte(src.String())}
	}
	if r.IntN(3) == 0 {
		fsys["package.json"] = &fstest.MapFile{Data: []byte(`{"main": "x1.ts", "bin": {"a": "./x2.ts"}}`)}
	}
	return fsys
}

// counters are ways to count tokens; none is additive.
func counters() map[string]func(string) int {
	return map[string]func(string) int{
		"third": func(s string) int { return (len(s) + 2) / 3 },
		"words": func(s string) int { return len(strings.Fields(s))*2 + len(s)/9 },
		"runs": func(s string) int { // long runs of letters are cheap, everything else is dear
			n, run := 0, 0
			for _, c := range s {
				if c >= 'a' && c <= 'z' {
					run++
				} else {
					n += run/5 + 1
					run = 0
				}
			}
			return n + run/5
		},
	}
}

// TestOutline_Budget: a budget is never exceeded, and it is used when there is
// more to show.
func TestOutline_Budget(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 20
	}
	thin := 0
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		m := scan(t, randomProject(r), mapper.Options{})
		for name, count := range counters() {
			whole := m.Outline(mapper.OutlineOptions{Tokens: count})
			for range 4 {
				limit := 200 + r.IntN(1+r.IntN(8000))
				o := mapper.OutlineOptions{MaxTokens: limit, Tokens: count}
				got := m.Outline(o)
				n := count(got)
				switch {
				case n > limit:
					t.Errorf("seed %d, %s: %d tokens of %d", seed, name, n, limit)
				case count(whole) <= limit && got != whole:
					t.Errorf("seed %d, %s: %d tokens of %d and the whole takes %d", seed, name, n, limit, count(whole))
				case got != whole && n*100 < limit*95:
					thin++
					t.Errorf("seed %d, %s: only %d tokens of %d; the whole takes %d", seed, name, n, limit, count(whole))
				}
				if again := m.Outline(o); again != got {
					t.Errorf("seed %d: a second outline differs", seed)
				}
				if got, want := strings.SplitN(got, "\n", 4)[2], strings.SplitN(whole, "\n", 4)[2]; got != want {
					t.Errorf("totals %q, want %q", got, want)
				}
				if t.Failed() && thin > 10 {
					t.FailNow()
				}
			}
		}
	}
}
