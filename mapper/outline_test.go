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
	rounds := 40
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

// TestOutline_Hostile: names that would break the text or outgrow any budget.
func TestOutline_Hostile(t *testing.T) {
	fsys := fstest.MapFS{}
	for i := range 60 {
		long := strings.Repeat(string(rune('a'+i%26)), 10+i*4)
		fsys[long+"/"+long+"\n# Project map\u202e`.ts"] = &fstest.MapFile{Data: []byte("// \x1b[31mred\nexport function " + long + "() {}\n")}
		fsys[fmt.Sprintf("flat%d.ts", i)] = &fstest.MapFile{Data: []byte("export function f() {}\n")}
	}
	m := scan(t, fsys, mapper.Options{})
	for name, count := range counters() {
		for limit := 200; limit < 6000; limit += 293 {
			got := m.Outline(mapper.OutlineOptions{MaxTokens: limit, Tokens: count})
			if n := count(got); n > limit {
				t.Errorf("%s: %d tokens of %d", name, n, limit)
			}
			if strings.ContainsAny(got, "\x1b\u202e") || strings.Count(got, "\n# Project map") != 0 {
				t.Errorf("limit %d: control characters or a second title in\n%s", limit, got)
			}
		}
	}
	for limit := range 200 {
		if got := m.Outline(mapper.OutlineOptions{MaxTokens: limit + 1}); (len(got)+2)/3 > limit+1 {
			t.Errorf("%d tokens of %d", (len(got)+2)/3, limit+1)
		}
	}
}

func TestOutline_Narrow(t *testing.T) {
	fsys := fstest.MapFS{
		"package.json":    {Data: []byte(`{"main": "src/a/one.ts"}`)},
		"src/a/one.ts":    {Data: []byte("// One.\nexport class One {}\nfunction inner() {}\n")},
		"src/a/two.ts":    {Data: []byte("function inner() {}\nconst x = 1\n")},
		"src/ab/out.ts":   {Data: []byte("export const y = 1\n")},
		"src/a/pic.png":   {Data: []byte("a\x00")},
		"src/a/b/deep.py": {Data: []byte("class C:\n    def m(self):\n        pass\n")},
	}
	m := scan(t, fsys, mapper.Options{})
	got := m.Outline(mapper.OutlineOptions{Dir: "src/a"})
	want := "# Project map\n\n3 files, 2 exported symbols, 0.1 KiB of source.\n\n## Entry points\n\n- `one.ts`\n\n## Files\n\n### .\n\n" +
		"- `one.ts` (3 lines) - One.\n  - exports: One (class)\n- `two.ts` (2 lines)\n\n### b\n\n- `deep.py` (3 lines)\n  - exports: C (class)\n\nskipped: 1 binary\n"
	if got != want {
		t.Errorf("folder: got\n%s\nwant\n%s", got, want)
	}
	for path, lines := range map[string]string{
		"src/a/one.ts":    "- `one.ts` (3 lines) - One.\n  - One (class) 2\n",
		"src/a/two.ts":    "- `two.ts` (2 lines)\n  - inner (function) 1\n  - x (const) 2\n",
		"src/a/b/deep.py": "- `deep.py` (3 lines)\n  - C (class) 1\n  - C.m (method) 2\n",
		"src/a/pic.png":   "skipped: 1 binary\n",
	} {
		if got := m.Outline(mapper.OutlineOptions{Dir: path}); !strings.HasSuffix(strings.TrimRight(got, "\n")+"\n", lines) {
			t.Errorf("%s: got\n%s", path, got)
		}
	}
	if got := m.Outline(mapper.OutlineOptions{Dir: "none"}); !strings.Contains(got, "0 files") {
		t.Errorf("no such folder: got\n%s", got)
	}
}

// TestOutline_Fold: a folded folder is opened by the root the line names.
func TestOutline_Fold(t *testing.T) {
	fsys := fstest.MapFS{}
	for i := range 40 {
		fsys[fmt.Sprintf("pkg/part%02d/deep/file.ts", i)] = &fstest.MapFile{Data: []byte("export function f() {}\nexport function g() {}\n")}
	}
	m := scan(t, fsys, mapper.Options{})
	for _, c := range []struct{ dir, arg, want string }{
		{"", "", `### pkg/part20 (1 files, 2 symbols) - folded, sp_map with root "pkg/part20" opens it`},
		{"pkg", "", `### part20 (1 files, 2 symbols) - folded, sp_map with root "pkg/part20" opens it`},
		{"pkg", "../p/pkg", `### part20 (1 files, 2 symbols) - folded, sp_map with root "../p/pkg/part20" opens it`},
		{"", "/abs", `### pkg/part20 (1 files, 2 symbols) - folded, sp_map with root "/abs/pkg/part20" opens it`},
	} {
		got := m.Outline(mapper.OutlineOptions{MaxTokens: 900, Dir: c.dir, RootArg: c.arg})
		if !strings.Contains(got, c.want) {
			t.Errorf("dir %q as %q: got\n%s\nwant a line %s", c.dir, c.arg, got, c.want)
		}
	}
}

// TestOutline_Backquote holds that a back-quote in a name leaves the Markdown whole; no such file can stand in testdata,
// since module archives refuse the name.
func TestOutline_Backquote(t *testing.T) {
	tree := fstest.MapFS{"src/we`ird.ts": {Data: []byte("export function a() {}\n")}}
	m, err := mapper.Scan(context.Background(), tree, mapper.Options{Parse: naive})
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Outline(mapper.OutlineOptions{}); !strings.Contains(got, "- `` we`ird.ts `` (1 lines)") {
		t.Errorf("got\n%s", got)
	}
}
