package ledger

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/slipstream-mcp/slipstream/budget"
)

var read = budget.Saving{SliceBytes: 100, FileBytes: 1000, FileTokens: 250, Answer: 30}

// TestConcurrent has eight ledgers, as of eight processes, on one file: the totals are exact.
func TestConcurrent(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			var l Ledger
			for i := range 200 {
				l.Add(dir, "a.go", read)
				if i%20 != 19 {
					continue
				}
				if err := l.Flush(ctx); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	got, err := new(Ledger).Read(ctx, dir)
	want := budget.Ledger{ScopedReads: 1600, ServedBytes: 160000, FullBytes: 1600000, ServedTokens: 48000, FullTokens: 8 * 250}
	if err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestFile(t *testing.T) {
	for _, c := range []struct{ name, text, want, damaged string }{
		{"none", "", `{"scopedReads":1,"servedBytes":100,"fullBytes":1000,"servedTokens":30,"fullTokens":250}`, ""},
		{"original", `{"scopedReads":2,"servedBytes":10,"fullBytes":20}`, `{"scopedReads":3,"servedBytes":110,"fullBytes":1020,"servedTokens":30,"fullTokens":250}`, ""},
		{"other keys", `{"z":[1, 2],"scopedReads":1,"a":"x"}`, `{"scopedReads":2,"servedBytes":100,"fullBytes":1000,"servedTokens":30,"fullTokens":250,"a":"x","z":[1, 2]}`, ""},
		{"torn", `{"scopedReads":2,"serv`, `{"scopedReads":1,"servedBytes":100,"fullBytes":1000,"servedTokens":30,"fullTokens":250}`, `{"scopedReads":2,"serv`},
		{"negative", `{"scopedReads":-2}`, `{"scopedReads":1,"servedBytes":100,"fullBytes":1000,"servedTokens":30,"fullTokens":250}`, `{"scopedReads":-2}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, File)
			if c.text != "" {
				if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var l Ledger
			l.Add(dir, "a.go", read)
			if err := l.Flush(context.Background()); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(path); err != nil || string(got) != c.want {
				t.Errorf("got %s, %v, want %s", got, err, c.want)
			}
			if got, _ := os.ReadFile(path + ".damaged"); string(got) != c.damaged {
				t.Errorf("set aside: got %q, want %q", got, c.damaged)
			}
		})
	}
}

// TestNoFolder holds that reads alone make no state folder, and that their sums are still told.
func TestNoFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	var l Ledger
	l.Add(dir, "a.go", read)
	got, err := l.Read(context.Background(), dir)
	if err != nil || got.ScopedReads != 1 || l.Served() != 30 {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a folder was made")
	}
	if err := l.Flush(context.Background()); err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("got %v, want an error with the folder", err)
	}
}
