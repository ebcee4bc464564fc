package mapper_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/mapper"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares got with a file, or writes it.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s:\ngot\n%s\nwant\n%s", file, got, want)
	}
}

// TestGolden maps each testdata/<case>/tree and answers its queries.
func TestGolden(t *testing.T) {
	dirs, err := filepath.Glob("testdata/*/tree")
	if err != nil || len(dirs) == 0 {
		t.Fatal("no cases", err)
	}
	for _, dir := range dirs {
		at := filepath.Dir(dir)
		t.Run(filepath.Base(at), func(t *testing.T) {
			m, err := mapper.Scan(context.Background(), os.DirFS(dir), mapper.Options{Parse: naive})
			if err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join(at, "map.md"), m.Outline(mapper.OutlineOptions{}))
			golden(t, filepath.Join(at, "map200.md"), m.Outline(mapper.OutlineOptions{MaxTokens: 200}))
			queries, err := os.ReadFile(filepath.Join(at, "queries.txt"))
			if err != nil {
				t.Fatal(err)
			}
			var rows strings.Builder
			for q := range strings.Lines(string(queries)) {
				fmt.Fprintf(&rows, "? %s", q)
				for _, h := range m.Search(strings.TrimSpace(q), 5) {
					var names []string
					for _, s := range h.Symbols {
						names = append(names, fmt.Sprintf("%s:%d", s.Qualified, s.Line))
					}
					fmt.Fprintf(&rows, "%s (%.1f): %s %v", h.Path, h.Score, h.Purpose, names)
					if h.Uses != nil {
						fmt.Fprintf(&rows, " uses %v", h.Uses)
					}
					rows.WriteByte('\n')
				}
			}
			golden(t, filepath.Join(at, "search.txt"), rows.String())
		})
	}
}
