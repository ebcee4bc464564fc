package mapper_test

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/mapper"
)

// synthetic writes a project of n files in n/20 folders whose files use each
// other, about 2 KiB each.
func synthetic(b *testing.B, n int) string {
	dir := b.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	verbs := strings.Fields("load parse render fetch merge split build close open write read index rank cut fold")
	nouns := strings.Fields("Tree Node Config File Cache Token Stream Server Client Query Row Page Graph Word Budget Memory")
	name := func(i int) string {
		return fmt.Sprintf("%s%s%d", verbs[i%len(verbs)], nouns[i/len(verbs)%len(nouns)], i%(n/2+1))
	}
	for i := range n {
		folder := i / 20
		path := filepath.Join(dir, fmt.Sprintf("pkg%d/part%d/unit%d", folder/100, folder/10%10, folder%10), name(i)+".ts")
		var src strings.Builder
		fmt.Fprintf(&src, "// %s the %s of part %d.\n", verbs[i%len(verbs)], nouns[i%len(nouns)], folder)
		for k := range 8 {
			fmt.Fprintf(&src, "export function %s_%d(value: number) {\n\treturn %s_%d(value + %s_%d(value));\n}\n",
				name(i), k, name(int(float64(n)*r.Float64()*r.Float64())), r.IntN(8), name(r.IntN(n)), k)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(src.String()), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

const size = 10_000

func bench(b *testing.B, n int) (fs.FS, mapper.Options) {
	dir := synthetic(b, n)
	root, err := os.OpenRoot(dir)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { root.Close() })
	later := func() time.Time { return time.Now().Add(time.Hour) } // files at rest
	return root.FS(), mapper.Options{Parse: naive, Cache: &mapper.Cache{}, Now: later}
}

func scanFS(b *testing.B, fsys fs.FS, opts mapper.Options) *mapper.Map {
	m, err := mapper.Scan(context.Background(), fsys, opts)
	if err != nil {
		b.Fatal(err)
	}
	return m
}

// BenchmarkScan maps 10,000 files. Run with: go test -run '^$' -bench .
//
// walk is the floor: one reading of every folder and the state of every file,
// on one goroutine. cold includes the regular expressions of the tests' own
// parse function. On two cores shared with other work: walk 97 ms, warm 71 ms.
func BenchmarkScan(b *testing.B) {
	fsys, opts := bench(b, size)
	b.Run("walk", func(b *testing.B) {
		for b.Loop() {
			fs.WalkDir(fsys, ".", func(_ string, d fs.DirEntry, err error) error {
				if err == nil {
					_, err = d.Info()
				}
				return err
			})
		}
	})
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			opts := opts
			opts.Cache = nil
			scanFS(b, fsys, opts)
		}
	})
	scanFS(b, fsys, opts)
	b.Run("warm", func(b *testing.B) {
		for b.Loop() {
			scanFS(b, fsys, opts)
		}
	})
}

// BenchmarkOutline renders under 4,000 tokens: the first time, with the
// ranking, and again with another limit.
//
// At 10,000 files, on two cores shared with other work: first 107 ms, again
// 12 ms.
func BenchmarkOutline(b *testing.B) {
	for _, n := range []int{size, 5 * size} {
		fsys, opts := bench(b, n)
		b.Run(fmt.Sprintf("n=%d/first", n), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				opts := opts
				opts.Cache = nil
				m := scanFS(b, fsys, opts)
				b.StartTimer()
				m.Outline(mapper.OutlineOptions{MaxTokens: 4000})
			}
		})
		m := scanFS(b, fsys, opts)
		b.Run(fmt.Sprintf("n=%d/again", n), func(b *testing.B) {
			limit := 4000
			m.Outline(mapper.OutlineOptions{MaxTokens: limit})
			for b.Loop() {
				limit ^= 1
				m.Outline(mapper.OutlineOptions{MaxTokens: limit})
			}
		})
	}
}

// BenchmarkSearch asks 10,000 files. On two cores shared with other work: a name
// 2.8 ms, a question 2.3 ms, a typo 5.5 ms (1.2 ms of processor time on average).
func BenchmarkSearch(b *testing.B) {
	fsys, opts := bench(b, size)
	b.Run("index", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			opts := opts
			opts.Cache = nil
			m := scanFS(b, fsys, opts)
			b.StartTimer()
			m.Search("parse", 8)
		}
	})
	m := scanFS(b, fsys, opts)
	m.Search("parse", 8)
	for _, q := range []string{"parseTree40_3", "how is the memory of a page merged", "parze stream"} {
		b.Run(strings.ReplaceAll(q, " ", "_"), func(b *testing.B) {
			for b.Loop() {
				m.Search(q, 8)
			}
		})
	}
}
