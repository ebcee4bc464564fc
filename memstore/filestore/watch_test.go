package filestore_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/filestore"
	"github.com/slipstream-mcp/slipstream/memstore/storetest"
)

// TestBackend_Blind has no watch tell of changes.
func TestBackend_Blind(t *testing.T) {
	storetest.Run(t, func(t *testing.T) memstore.Backend {
		dir := t.TempDir()
		d := open(t, filepath.Join(dir, "state"), filestore.Options{CacheDir: filepath.Join(dir, "cache")})
		d.Blind()
		return d
	})
}

// settle lets a file's last change become so old that only a watch, or its
// stamp, can tell of the next.
func settle() { time.Sleep(60 * time.Millisecond) }

// TestWatch changes files in the ways that a watch might not tell of.
func TestWatch(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right there")
	}
	for _, blind := range []bool{false, true} {
		p := newPlace(t)
		if blind {
			p.dir.Blind()
		}
		expect := func(doing, query, want string) {
			t.Helper()
			if got := p.recall(query); got != want {
				t.Errorf("blind %v: %s: got %q, want %q", blind, doing, got, want)
			}
		}
		p.write("one.md", fact("apple", "red"))
		p.write("two.md", fact("grape", "blue"))
		settle()
		expect("at first", "apple", "one")

		f, err := os.OpenFile(filepath.Join(p.folder, "one.md"), os.O_WRONLY, 0)
		must(t, err)
		for i, word := range []string{"lemon", "peach", "mango"} {
			_, err := f.WriteAt([]byte(fact(word, "red")), 0)
			must(t, err)
			expect(fmt.Sprintf("written while open, %d", i), word, "one")
		}
		must(t, f.Close())

		other := filepath.Join(t.TempDir(), "other.md")
		must(t, os.Link(filepath.Join(p.folder, "one.md"), other))
		must(t, os.Chmod(other, 0o600))
		settle()
		p.dir.Close() // the index knows the file, and nothing of its second name
		expect("linked", "mango", "one")
		must(t, os.WriteFile(other, []byte(fact("olive", "red")), 0o600))
		expect("written under another name", "olive", "one")

		settle()
		expect("settled", "grape", "two")
		away := p.folder + "-away"
		must(t, os.Rename(p.folder, away))
		expect("folder renamed", "grape", "")
		p.write("three.md", fact("grape", "green"))
		expect("another folder", "grape", "three")
		must(t, os.WriteFile(filepath.Join(away, "two.md"), []byte(fact("cherry", "blue")), 0o600))
		must(t, os.RemoveAll(p.folder), os.Rename(away, p.folder))
		expect("the old folder again", "cherry", "two")
		expect("the old folder again", "grape", "")
		settle()
		expect("settled again", "cherry", "two")
		must(t, os.Rename(p.folder, away))
		p.write("four.md", fact("cherry", "green"))
		expect("another folder at once", "cherry", "four")

		inside := filepath.Join(p.state, "inside.md")
		must(t, os.WriteFile(inside, []byte(fact("quince", "x")), 0o600), os.Symlink("../inside.md", filepath.Join(p.folder, "link.md")))
		settle()
		expect("a link", "quince", "link")
		must(t, os.WriteFile(inside, []byte(fact("medlar", "x")), 0o600))
		expect("what the link leads to", "medlar", "link")
	}
}

// TestWatch_Overflow makes more changes than the kernel keeps.
func TestWatch_Overflow(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 12,000 files")
	}
	p := newPlace(t)
	p.write("one.md", fact("apple", "red"))
	settle()
	if got := p.recall("apple"); got != "one" {
		t.Fatalf("got %q", got)
	}
	for i := range 6000 {
		p.write("a.txt", "x")
		p.write("b.txt", fmt.Sprint(i))
	}
	p.write("one.md", fact("lemon", "red"))
	if got := p.recall("lemon"); got != "one" {
		t.Errorf("got %q", got)
	}
}

// TestIndex_Same changes files at random, through a store and by hand, and opens
// stores again and again: one with an index has what one without has.
func TestIndex_Same(t *testing.T) {
	dir := t.TempDir()
	state, cache := filepath.Join(dir, "state"), filepath.Join(dir, "cache")
	word := fill(t, state, 600)
	r := rand.New(rand.NewPCG(5, 6))
	folder := filepath.Join(state, "memory")
	for round := range 12 {
		settle()
		d, err := filestore.Open(state, filestore.Options{CacheDir: cache})
		must(t, err)
		s := newStore(t, d)
		for range r.IntN(60) * (1 + 5*(round%4/3)) {
			name := fmt.Sprintf("fact-%d", r.IntN(700))
			file := filepath.Join(folder, name+".md")
			switch r.IntN(6) {
			case 0:
				_, err = s.Remember(t.Context(), memstore.Fact{Description: word(), Body: word(), Tags: []string{"t"}})
			case 1:
				_, err = s.Forget(t.Context(), name)
			case 2:
				err = os.WriteFile(file, []byte(fact(word(), word())), 0o600)
			case 3:
				err = os.WriteFile(file, []byte("broken"), 0o600)
			case 4:
				os.Remove(file)
			case 5:
				_, err = s.Recall(t.Context(), word(), 3)
			}
			must(t, err)
		}
		if r.IntN(2) == 0 {
			settle()
			_, err = s.Recall(t.Context(), word(), 3)
		}
		must(t, err, d.Close())

		with, without := open(t, state, filestore.Options{CacheDir: cache}), open(t, state, filestore.Options{})
		without.Blind()
		a, b := newStore(t, with), newStore(t, without)
		for range 20 {
			query := word()
			got, err := a.Recall(t.Context(), query, 7)
			must(t, err)
			want, err := b.Recall(t.Context(), query, 7)
			must(t, err)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("round %d, %q: got %v, want %v", round, query, got, want)
			}
		}
		got, err := a.List(t.Context())
		must(t, err)
		want, err := b.List(t.Context())
		must(t, err)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("round %d: got %d facts, want %d", round, len(got), len(want))
		}
		problems, err := a.Problems(t.Context())
		must(t, err)
		also, err := b.Problems(t.Context())
		must(t, err)
		if !slices.Equal(problems, also) {
			t.Errorf("round %d: got %v, want %v", round, problems, also)
		}
		must(t, with.Close())
	}
}
