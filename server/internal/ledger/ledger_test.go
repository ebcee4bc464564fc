package ledger

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/slipstream-mcp/slipstream/budget"
	"github.com/slipstream-mcp/slipstream/server/internal/state"
)

var read = budget.Saving{SliceBytes: 100, FileBytes: 1000, FileTokens: 250, Answer: 30}

// folder is a project with a state folder.
func folder(t *testing.T) state.Location {
	at := state.Location{Root: t.TempDir()}
	if err := os.MkdirAll(at.Dir(), 0o700); err != nil {
		t.Fatal(err)
	}
	return at
}

// TestConcurrent has eight ledgers, as of eight processes, on one file: the totals are exact.
func TestConcurrent(t *testing.T) {
	at, ctx := folder(t), context.Background()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			var l Ledger
			for i := range 200 {
				l.Add(at, "a.go", read)
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
	got, err := new(Ledger).Read(ctx, at)
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
			at := folder(t)
			path := filepath.Join(at.Dir(), File)
			if c.text != "" {
				if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var l Ledger
			l.Add(at, "a.go", read)
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
	at := state.Location{Root: t.TempDir()}
	var l Ledger
	l.Add(at, "a.go", read)
	got, err := l.Read(context.Background(), at)
	if err != nil || got.ScopedReads != 1 || l.Served() != 30 {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := os.Stat(at.Dir()); err == nil {
		t.Error("a folder was made")
	}
	if err := l.Flush(context.Background()); err == nil || !strings.Contains(err.Error(), "slipstream") {
		t.Errorf("got %v, want an error with the folder", err)
	}
}
