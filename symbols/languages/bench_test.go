package languages_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/slipstream-mcp/slipstream/symbols/languages"
)

// BenchmarkParse measures each language on its own fixtures, which declare more
// and hold less than files do: go test -bench Parse ./languages
func BenchmarkParse(b *testing.B) {
	for _, c := range []struct{ name, pattern, path string }{
		{"go", "../golang/testdata/[cdgmp]*/in.txt", "a.go"},
		{"javascript", "../javascript/testdata/*/in.js", "a.js"},
		{"python", "../python/testdata/[acf]*/in.py", "a.py"},
		{"typescript", "../typescript/testdata/[acfmntv]*/in.ts", "a.ts"},
	} {
		b.Run(c.name, func(b *testing.B) {
			paths, err := filepath.Glob(c.pattern)
			if err != nil || len(paths) == 0 {
				b.Fatal("no fixtures", err)
			}
			var sources [][]byte
			size := 0
			for _, p := range paths {
				src, err := os.ReadFile(p)
				if err != nil {
					b.Fatal(err)
				}
				if c.name != "go" { // a Go file has one package clause
					src = bytes.Repeat(append(src, '\n'), 20)
				}
				sources = append(sources, src)
				size += len(src)
			}
			b.SetBytes(int64(size))
			for b.Loop() {
				for _, src := range sources {
					if _, err := languages.Parse(b.Context(), c.path, src); err != nil {
						b.Skip(err)
					}
				}
			}
		})
	}
}
