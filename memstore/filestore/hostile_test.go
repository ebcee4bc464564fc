//go:build unix

package filestore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/filestore"
)

// tree lists what is below a folder.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	must(t, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		names = append(names, path)
		return err
	}))
	return names
}

// attempts does all that a store can do, and returns the errors by what was done.
func attempts(ctx context.Context, t *testing.T, d *filestore.Dir) map[string]error {
	s := newStore(t, d)
	errs := map[string]error{}
	_, errs["remember"] = s.Remember(ctx, memstore.Fact{Body: "new"})
	_, errs["forget"] = s.Forget(ctx, "kept")
	errs["delete"] = d.Delete(ctx, memstore.KindFact, "kept")
	_, errs["recall"] = s.Recall(ctx, "kept", 5)
	_, errs["scrub"] = d.Scrub(ctx, func(s string) string { return strings.ReplaceAll(s, "kept", "gone") })
	errs["prepare"] = d.Prepare(ctx)
	return errs
}

func TestWithin_Links(t *testing.T) {
	for name, link := range map[string]string{".claude": "", ".claude/slipstream": "slipstream", "memory": "slipstream/memory"} {
		project, outside := t.TempDir(), t.TempDir()
		facts := filepath.Join(outside, "slipstream", "memory")
		must(t, os.MkdirAll(facts, 0o700), os.WriteFile(filepath.Join(facts, "kept.md"), []byte(fact("kept", "kept")), 0o600))
		state := filepath.Join(project, ".claude", "slipstream")
		at := filepath.Join(project, ".claude", filepath.FromSlash(link))
		must(t, os.MkdirAll(filepath.Dir(at), 0o700), os.Symlink(filepath.Join(outside, link), at))
		before := tree(t, outside)
		d := open(t, state, filestore.Options{Within: project})
		for doing, err := range attempts(t.Context(), t, d) {
			if doing == "prepare" && name == "memory" && err == nil {
				continue // the link is not in its way
			}
			if err == nil || !strings.Contains(err.Error(), at+`"`) || !strings.HasSuffix(err.Error(), "remove the link, or use --memory-root") {
				t.Errorf("%s, %s: got %v", name, doing, err)
			}
		}
		if problems, err := d.Problems(t.Context()); err != nil || len(problems) != 1 || problems[0].Path != at {
			t.Errorf("%s: got %v, %v", name, problems, err)
		}
		if after := tree(t, outside); !slices.Equal(after, before) {
			t.Errorf("%s: outside: got %q, want %q", name, after, before)
		}
		if text, err := os.ReadFile(filepath.Join(facts, "kept.md")); err != nil || string(text) != fact("kept", "kept") {
			t.Errorf("%s: got %q, %v", name, text, err)
		}
	}
}

func TestWithin(t *testing.T) {
	project := t.TempDir()
	must(t, os.Mkdir(filepath.Join(project, "real"), 0o700), os.Symlink("real", filepath.Join(project, ".claude")))
	d := open(t, filepath.Join(project, ".claude", "slipstream"), filestore.Options{Within: project})
	s := newStore(t, d)
	if _, err := s.Remember(t.Context(), memstore.Fact{Body: "kept"}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(project, "real", "slipstream", "memory", "kept.md")); err != nil {
		t.Errorf("a link that stays is not followed: %v", err)
	}
	if problems, err := d.Problems(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("got %v, %v", problems, err)
	}
	if ok, err := s.Forget(t.Context(), "kept"); !ok || err != nil {
		t.Errorf("got %v, %v", ok, err)
	}
	if _, err := filestore.Open(filepath.Join(project, "..", "x"), filestore.Options{Within: project}); err == nil {
		t.Error("a folder outside is opened")
	}
}

func TestDanglingState(t *testing.T) {
	for _, within := range []bool{false, true} {
		project := t.TempDir()
		state := filepath.Join(project, "state")
		must(t, os.Symlink("nothing", state))
		var o filestore.Options
		if within {
			o.Within = project
		}
		d := open(t, state, o)
		if problems, err := d.Problems(t.Context()); err != nil || len(problems) != 1 || problems[0].Path != state ||
			!strings.Contains(problems[0].Reason, `link to "nothing", which leads nowhere; remove the link`) {
			t.Errorf("within %v: got %v, %v", within, problems, err)
		}
		_, err := newStore(t, d).Remember(t.Context(), memstore.Fact{Body: "x"})
		if err == nil || !strings.Contains(err.Error(), state+`": it is a link`) {
			t.Errorf("within %v: got %v", within, err)
		}
	}
}

func TestLockInTheWay(t *testing.T) {
	for name, put := range map[string]func(string) error{
		"folder": func(at string) error { return os.Mkdir(at, 0o700) },
		"pipe":   func(at string) error { return syscall.Mkfifo(at, 0o600) },
		"link":   func(at string) error { return os.Symlink("/dev/null", at) },
	} {
		p := newPlace(t)
		at := filepath.Join(p.state, ".locked")
		must(t, os.MkdirAll(p.state, 0o700), put(at))
		_, err := p.store.Remember(t.Context(), memstore.Fact{Body: "x"})
		if err == nil || !strings.HasSuffix(err.Error(), "not a regular file: \""+at+"\"; remove it") {
			t.Errorf("%s: got %v", name, err)
		}
		if got := p.problems(); len(got) != 1 || got[0] != "../.locked: it is no regular file, so that nothing can be written; remove it" {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestDelete_Folder(t *testing.T) {
	p := newPlace(t)
	folder := filepath.Join(p.folder, "evil.md")
	must(t, os.MkdirAll(folder, 0o700))
	if ok, err := p.store.Forget(t.Context(), "evil"); ok || err != nil {
		t.Errorf("got %v, %v", ok, err)
	}
	if err := p.dir.Delete(t.Context(), memstore.KindFact, "evil"); !errors.Is(err, memstore.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(folder); err != nil {
		t.Error(err)
	}
}

// TestPipes has pipes wherever the store looks: nothing may wait for their other
// end.
func TestPipes(t *testing.T) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, name := range []string{"memory/x.md", "memory/MEMORY.md", "memory", "log.jsonl", ".locked", ".gitignore", ".locked.tmp", "."} {
			state := filepath.Join(t.TempDir(), "state")
			at := filepath.Join(state, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), syscall.Mkfifo(at, 0o600)); err != nil {
				t.Error(err)
				return
			}
			for _, within := range []string{"", filepath.Dir(state)} {
				d, err := filestore.Open(state, filestore.Options{Within: within})
				if err != nil {
					t.Error(err)
					return
				}
				attempts(t.Context(), t, d)
				_, err = d.Problems(t.Context())
				if name == "memory/x.md" && err != nil {
					t.Error(err)
				}
			}
		}
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("a pipe blocks")
	}
}

// TestTempOutOfSight shows that what kill -9 leaves is not among the facts.
func TestTempOutOfSight(t *testing.T) {
	p := newPlace(t)
	p.remember(memstore.Fact{Body: "first"})
	left := filepath.Join(p.folder, ".locked.tmp")
	must(t, os.WriteFile(left, []byte("by an older version"), 0o600))
	p.dir.Wrap(newKilled)
	_, _ = p.store.Remember(t.Context(), memstore.Fact{Body: "second"})
	if names, err := filepath.Glob(filepath.Join(p.folder, ".*")); len(names) > 0 || err != nil {
		t.Errorf("got %q, %v", names, err)
	}
	if _, err := os.Stat(filepath.Join(p.state, ".locked.tmp")); err != nil {
		t.Error(err)
	}
	p.dir.Wrap(nil)
	p.remember(memstore.Fact{Body: "third"})
	if _, err := os.Stat(filepath.Join(p.state, ".locked.tmp")); err == nil {
		t.Error("it is still there")
	}
}
