package filestore_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/filestore"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile/powercut"
)

// TestPowerCut goes through every state that a power cut can leave of a few
// changes: what was acknowledged is there, what was under way is there whole
// or not at all, and the store can be written to again.
func TestPowerCut(t *testing.T) {
	p := newPlace(t)
	p.remember(memstore.Fact{Body: "first"}) // the folders are there
	var disk powercut.Disk
	p.dir.Wrap(func(fsys lockedfile.FS) lockedfile.FS { return disk.Over(fsys, ".") })
	state := func(s *memstore.Store) string {
		facts, err := s.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, f := range facts {
			if f.Name != "first" {
				texts = append(texts, f.Name+"="+f.Body)
			}
		}
		return strings.Join(texts, " ")
	}
	want := []string{state(p.store)}
	for i, do := range []func() error{
		func() error {
			_, err := p.store.Remember(t.Context(), memstore.Fact{Description: "a", Body: "1"})
			return err
		},
		func() error {
			_, err := p.store.Remember(t.Context(), memstore.Fact{Description: "b", Body: "2"})
			return err
		},
		func() error {
			_, err := p.store.Remember(t.Context(), memstore.Fact{Description: "a", Body: "3"})
			return err
		},
		func() error { _, err := p.store.Forget(t.Context(), "b"); return err },
		func() error {
			_, err := p.store.Remember(t.Context(), memstore.Fact{Description: "A", Body: "4"})
			return err
		},
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
		disk.Mark(fmt.Sprint(i))
		want = append(want, state(p.store))
	}
	cuts := 0
	for cut := range disk.Cuts() {
		cuts++
		dir := filepath.Join(t.TempDir(), "state")
		if err := cut.Restore(dir); err != nil {
			t.Fatal(err)
		}
		d := open(t, dir, filestore.Options{})
		s := newStore(t, d)
		done := len(cut.Marks)
		if got := state(s); got != want[done] && (done+1 == len(want) || got != want[done+1]) {
			t.Errorf("after %d operations, %d changes acknowledged: got %q, want %q", cut.After, done, got, want[done:])
		}
		if _, err := s.Remember(t.Context(), memstore.Fact{Body: "again"}); err != nil {
			t.Error(err)
		}
		if problems, err := d.Problems(t.Context()); err != nil || len(problems) > 0 {
			t.Errorf("after %d operations: got %v, %v", cut.After, problems, err)
		}
	}
	if cuts < 30 || !slices.Contains(kindsOf(&disk), powercut.SyncDir) {
		t.Errorf("only %d states of %v", cuts, kindsOf(&disk))
	}
}

func kindsOf(d *powercut.Disk) []powercut.Kind {
	var kinds []powercut.Kind
	for _, op := range d.Ops() {
		kinds = append(kinds, op.Kind)
	}
	return kinds
}
