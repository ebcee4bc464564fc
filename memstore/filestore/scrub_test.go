package filestore_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/filestore"
)

func TestScrub_AllFiles(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	ctx := context.Background()
	plain := func(s string) string { return s }
	open := func() (*filestore.Dir, *memstore.Store) {
		d, err := filestore.Open(dir, filestore.Options{CacheDir: cache, Redact: plain})
		if err != nil {
			t.Fatal(err)
		}
		s, err := memstore.New(d, memstore.Options{Redact: plain})
		if err != nil {
			t.Fatal(err)
		}
		return d, s
	}
	d, s := open()
	for _, f := range []memstore.Fact{
		{Body: "the door opens to hunter2hunter2 at night"},
		{Body: "something else", Tags: []string{"hunter2hunter2"}},
		{Body: "nothing here"},
	} {
		if _, err := s.Remember(ctx, f); err != nil {
			t.Fatal(err)
		}
	}
	log := filepath.Join(dir, "observations", "a.jsonl")
	if err := os.MkdirAll(filepath.Dir(log), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(log, []byte(`{"id":1,"summary":"hunter2hunter2"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	clean := strings.NewReplacer("hunter2hunter2", "[redacted]").Replace
	done, err := d.Scrub(ctx, clean)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"memory/something-else.md", "memory/the-door-opens-to-hunter2hunter2-at-night.md", "observations/a.jsonl"}
	for i, name := range want {
		want[i] = filepath.Join(dir, filepath.FromSlash(name))
	}
	if !slices.Equal(done, want) {
		t.Errorf("changed: got %q, want %q", done, want)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{dir, cache} {
		filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil || strings.Contains(string(text)+filepath.Base(path), "hunter2") {
				t.Errorf("%s still holds it (%v)", path, err)
			}
			return nil
		})
	}
	_, s = open()
	facts, err := s.List(ctx)
	if err != nil || len(facts) != 3 {
		t.Errorf("got %d facts, %v", len(facts), err)
	}
	if found, err := s.Recall(ctx, "door opens", 1); err != nil || len(found) != 1 || found[0].Name != "the-door-opens-to-redacted-at-night" {
		t.Errorf("recall: got %v, %v", found, err)
	}
}

func TestScrub_NoStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	d, err := filestore.Open(dir, filestore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if done, err := d.Scrub(context.Background(), strings.ToUpper); err != nil || done != nil {
		t.Errorf("got %v, %v", done, err)
	}
	if _, err := os.Lstat(dir); err == nil {
		t.Error("looking created the folder")
	}
}

// TestScrub_Everywhere puts the secret into every kind of file there may be.
func TestScrub_Everywhere(t *testing.T) {
	p := newPlace(t)
	p.remember(memstore.Fact{Body: "first"})
	put := func(name, text string) {
		t.Helper()
		at := filepath.Join(p.state, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		".hidden", ".locked.tmp", "a/b/c.txt", "memory/.hidden.md", "memory/.locked.tmp", "memory/fact.md~", "memory/fact.md.bak",
		"memory/huge.md", "memory/notes.txt", "memory/sub/x.md", "observations/big.jsonl",
	}
	long := strings.Repeat(`{"id":1}`+"\n", 600_000)
	for _, name := range want {
		put(name, "a hunter2hunter2 b\n")
	}
	put("observations/big.jsonl", long+"hunter2hunter2\n")
	put("memory/huge.md", long+"hunter2hunter2\n")
	put("observations/clean.jsonl", long)
	changed, err := p.dir.Scrub(t.Context(), strings.NewReplacer("hunter2hunter2", "[redacted]").Replace)
	if err != nil {
		t.Fatal(err)
	}
	p.dir.Close()
	if found := grep(t, filepath.Dir(p.state), "hunter2"); found != nil {
		t.Errorf("it is still in %q", found)
	}
	for i, name := range changed {
		rel, err := filepath.Rel(p.state, name)
		if err != nil {
			t.Fatal(err)
		}
		changed[i] = filepath.ToSlash(rel)
	}
	// The leftovers of killed writers go with the next write.
	gone := func(name string) bool { return strings.HasSuffix(name, ".locked.tmp") }
	slices.Sort(want)
	if got := slices.DeleteFunc(changed, gone); !slices.Equal(got, slices.DeleteFunc(want, gone)) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestScrub_UnsteadyMask(t *testing.T) {
	p := newPlace(t)
	p.remember(memstore.Fact{Body: "a secret thing"})
	p.write("notes.txt", "it was redacted")
	before := p.read("a-secret-thing.md")
	mask := strings.NewReplacer("secret", "[redacted]", "redacted", "[redacted]").Replace
	changed, err := p.dir.Scrub(t.Context(), mask)
	if err == nil || !strings.Contains(err.Error(), "nothing was changed") || len(changed) > 0 {
		t.Errorf("got %q, %v", changed, err)
	}
	if p.read("a-secret-thing.md") != before || p.read("notes.txt") != "it was redacted" {
		t.Error("something was changed")
	}
}

// TestScrub_NamesAlike renames two facts that are called the same without what
// was masked: none takes the place of the other.
func TestScrub_NamesAlike(t *testing.T) {
	p := newPlace(t)
	p.write("door-hunter21.md", fact("one", "1"))
	p.write("door-hunter22.md", fact("two", "2"))
	_, err := p.dir.Scrub(t.Context(), strings.NewReplacer("hunter21", "[redacted]", "hunter22", "[redacted]").Replace)
	if err != nil {
		t.Fatal(err)
	}
	if facts, err := p.store.List(t.Context()); err != nil || len(facts) != 2 {
		t.Errorf("got %v, %v", facts, err)
	}
}
