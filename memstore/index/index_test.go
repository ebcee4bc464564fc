package index_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/index"
)

func load(t *testing.T, x *index.Index, kind string) map[string]string {
	t.Helper()
	rows, err := x.Load(t.Context(), kind)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, r := range rows {
		got[r.Key] = r.Stamp + string(r.Data)
	}
	return got
}

func save(t *testing.T, x *index.Index, kind string, put []index.Row, gone ...string) {
	t.Helper()
	if err := x.Save(t.Context(), kind, put, gone); err != nil {
		t.Fatal(err)
	}
}

func TestIndex(t *testing.T) {
	path := filepath.Join(t.TempDir(), "with space?", "i#%.sqlite")
	x := index.New(path)
	if err := x.Close(); err != nil {
		t.Errorf("closing what was never opened: %v", err)
	}
	if _, err := os.Stat(filepath.Dir(path)); err == nil {
		t.Error("New made a folder")
	}
	save(t, x, "fact", []index.Row{{"a", "1", []byte("x")}, {"b", "2", nil}})
	save(t, x, "other", []index.Row{{"a", "3", []byte("y")}})
	save(t, x, "fact", []index.Row{{"a", "4", []byte("z")}}, "b", "c")
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	y := index.New(path)
	defer y.Close()
	if got := load(t, y, "fact"); len(got) != 1 || got["a"] != "4z" {
		t.Errorf("got %q", got)
	}
	if got := load(t, y, "other"); len(got) != 1 || got["a"] != "3y" {
		t.Errorf("got %q", got)
	}
	if err := y.Drop(); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(path + "*"); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	if got := load(t, y, "fact"); len(got) != 0 {
		t.Errorf("got %q after Drop", got)
	}
}

// TestIndex_Damaged holds that a damaged file gives rows that are right or
// none, and can be used again.
func TestIndex_Damaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "i.sqlite")
	x := index.New(path)
	defer x.Close()
	row := index.Row{Key: "a", Stamp: "1", Data: bytes.Repeat([]byte("data"), 3000)}
	save(t, x, "fact", []index.Row{row})
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(whole); at += 509 {
		bad := bytes.Clone(whole)
		bad[at] ^= 0xff
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		rows, err := x.Load(t.Context(), "fact")
		if err != nil {
			t.Errorf("byte %d: %v", at, err)
		}
		for _, r := range rows {
			if r.Key != row.Key || r.Stamp != row.Stamp || !bytes.Equal(r.Data, row.Data) {
				t.Errorf("byte %d: got a wrong row %q", at, r.Key)
			}
		}
		if err := x.Drop(); err != nil {
			t.Fatal(err)
		}
	}
	save(t, x, "fact", []index.Row{row})
}

func TestIndex_Shared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "i.sqlite")
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			x := index.New(path)
			defer x.Close()
			for j := range 5 {
				save(t, x, "fact", []index.Row{{Key: string(rune('a' + i*5 + j)), Data: []byte{1}}})
			}
		})
	}
	wg.Wait()
	x := index.New(path)
	defer x.Close()
	if got := load(t, x, "fact"); len(got) != 20 {
		t.Errorf("got %d rows, want 20", len(got))
	}
}

func TestIndex_Cancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	x := index.New(filepath.Join(t.TempDir(), "i.sqlite"))
	defer x.Close()
	if _, err := x.Load(ctx, "fact"); err == nil {
		t.Error("want an error")
	}
}
