package filestore_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/filestore"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
)

// place is a store for a test, and its folder of facts.
type place struct {
	*testing.T
	state, folder string
	dir           *filestore.Dir
	store         *memstore.Store
}

func newPlace(t *testing.T) *place {
	t.Helper()
	dir := t.TempDir()
	p := &place{T: t, state: filepath.Join(dir, "state"), folder: filepath.Join(dir, "state", "memory")}
	p.dir = open(t, p.state, filestore.Options{CacheDir: filepath.Join(dir, "cache")})
	p.store = newStore(t, p.dir)
	return p
}

func (p *place) write(name, text string) {
	p.Helper()
	if err := errors.Join(os.MkdirAll(p.folder, 0o700), os.WriteFile(filepath.Join(p.folder, name), []byte(text), 0o600)); err != nil {
		p.Fatal(err)
	}
}

func (p *place) read(name string) string {
	p.Helper()
	src, err := os.ReadFile(filepath.Join(p.folder, name))
	if err != nil {
		p.Fatal(err)
	}
	return string(src)
}

func (p *place) remember(f memstore.Fact) memstore.Remembered {
	p.Helper()
	r, err := p.store.Remember(p.Context(), f)
	if err != nil {
		p.Fatal(err)
	}
	return r
}

// recall returns the names found, joined by spaces.
func (p *place) recall(query string) string {
	p.Helper()
	facts, err := p.store.Recall(p.Context(), query, 5)
	if err != nil {
		p.Fatal(err)
	}
	var names []string
	for _, f := range facts {
		names = append(names, f.Name)
	}
	return strings.Join(names, " ")
}

func (p *place) problems() []string {
	p.Helper()
	problems, err := p.store.Problems(p.Context())
	if err != nil {
		p.Fatal(err)
	}
	var texts []string
	for _, q := range problems {
		rel, err := filepath.Rel(p.folder, q.Path)
		if err != nil {
			p.Fatal(err)
		}
		texts = append(texts, rel+": "+q.Reason)
	}
	return texts
}

func fact(description, body string) string {
	return "---\ndescription: " + description + "\n---\n\n" + body + "\n"
}

func TestHandEdits(t *testing.T) {
	p := newPlace(t)
	if got := p.recall("apple"); got != "" {
		t.Errorf("empty: got %q", got)
	}
	if _, err := os.Stat(p.state); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading made the folder: %v", err)
	}
	p.write("one.md", fact("apple", "red"))
	if got := p.recall("apple"); got != "one" {
		t.Errorf("added: got %q", got)
	}
	// Same size and at once: only the changed time tells, if its clock ticked.
	for _, word := range []string{"grape", "lemon", "peach", "mango"} {
		p.write("one.md", fact(word, "red"))
		if got := p.recall(word) + p.recall("apple"); got != "one" {
			t.Errorf("edited to %q: got %q", word, got)
		}
	}
	old := time.Now().Add(-time.Hour)
	p.write("one.md", fact("melon", "red"))
	if err := os.Chtimes(filepath.Join(p.folder, "one.md"), old, old); err != nil {
		t.Fatal(err)
	}
	if got := p.recall("melon"); got != "one" {
		t.Errorf("edited and set back: got %q", got)
	}
	if err := os.Rename(filepath.Join(p.folder, "one.md"), filepath.Join(p.folder, "two.md")); err != nil {
		t.Fatal(err)
	}
	if got := p.recall("melon"); got != "two" {
		t.Errorf("renamed: got %q", got)
	}
	if err := os.RemoveAll(p.state); err != nil {
		t.Fatal(err)
	}
	if got := p.recall("melon"); got != "" {
		t.Errorf("removed: got %q", got)
	}
}

// TestHandEdits_Renamed shows that a renamed file can be forgotten by either
// of its names, and that a copy has to be told apart.
func TestHandEdits_Renamed(t *testing.T) {
	p := newPlace(t)
	text := "---\nname: old-name\ndescription: d\n---\n\nbody\n"
	p.write("new-name.md", text)
	p.write("copy.md", text)
	if _, err := p.store.Forget(t.Context(), "old-name"); err == nil || !strings.Contains(err.Error(), "copy, new-name") {
		t.Errorf("got %v, want both files named", err)
	}
	for _, name := range []string{"copy", "old-name"} {
		if ok, err := p.store.Forget(t.Context(), name); !ok || err != nil {
			t.Errorf("%s: got %v, %v", name, ok, err)
		}
	}
	if facts, err := p.store.List(t.Context()); len(facts) != 0 || err != nil {
		t.Errorf("got %v, %v", facts, err)
	}
}

func TestBrokenFiles(t *testing.T) {
	p := newPlace(t)
	p.write("good.md", fact("good", "text"))
	p.write("broken.md", "---\ndescription: \"open\n---\n")
	p.write("notes.md", "just notes\n")
	p.write("ignored.txt", "text")
	p.write(".hidden.md", "text")
	secret := filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(secret, []byte(fact("outside", "secret")), 0o600); err != nil {
		t.Fatal(err)
	}
	links := runtime.GOOS != "windows"
	if links {
		for name, to := range map[string]string{"leaves.md": secret, "stays.md": "good.md", "dangles.md": "nothing.md"} {
			if err := os.Symlink(to, filepath.Join(p.folder, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := p.recall("good"); !strings.HasPrefix(got, "good") {
		t.Errorf("got %q", got)
	}
	if got := p.recall("outside secret"); got != "" {
		t.Errorf("a link out of the folder was followed: %q", got)
	}
	if err := os.Mkdir(filepath.Join(p.folder, "folder.md"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := p.remember(memstore.Fact{Body: "folder"}).Fact.Name; got != "folder-2" {
		t.Errorf("beside a folder: got %q", got)
	}
	p.remember(memstore.Fact{Body: "broken"})
	want := []string{
		"broken.md: line 2: could not find end character of double-quoted text",
		"dangles.md: no such file or directory",
		"leaves.md: path escapes from parent",
		"notes.md: line 1: no frontmatter, which begins with ---",
	}
	if got := p.problems(); links && !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := p.recall("broken"); got != "broken-2" {
		t.Errorf("a broken file's name was taken: got %q", got)
	}
	if ok, err := p.store.Forget(t.Context(), "broken"); !ok || err != nil {
		t.Errorf("a broken file cannot be forgotten: %v, %v", ok, err)
	}
}

func TestPage(t *testing.T) {
	p := newPlace(t)
	p.remember(memstore.Fact{Description: "Deploys: main", Body: "x", Tags: []string{"ci", "git"}})
	p.remember(memstore.Fact{Description: "two\nlines", Body: "x", Type: memstore.Convention})
	want := "\n## convention\n\n- **two-lines**: two lines\n\n## decision\n\n- **deploys-main**: Deploys: main (tags: ci, git)\n\n"
	if got := p.read("MEMORY.md"); !strings.HasSuffix(got, want) || !strings.HasPrefix(got, "# Project memory index\n\n") {
		t.Errorf("got %q, want it to end %q", got, want)
	}
	p.write("deploys-main.md", fact("by hand", "x"))
	if got := p.problems(); len(got) != 1 || !strings.HasPrefix(got[0], "MEMORY.md: it does not list") {
		t.Errorf("got %q", got)
	}
	for _, name := range []string{"two-lines", "deploys-main"} {
		if _, err := p.store.Forget(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	if got := p.read("MEMORY.md"); !strings.HasSuffix(got, "\nNo memories yet.\n") {
		t.Errorf("got %q", got)
	}
	if _, err := p.store.Forget(t.Context(), "MEMORY"); err != nil || p.read("MEMORY.md") == "" {
		t.Errorf("the page was forgotten: %v", err)
	}
}

func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes")
	}
	p := newPlace(t)
	p.remember(memstore.Fact{Body: "x"})
	p.dir.Close()
	err := filepath.WalkDir(filepath.Dir(p.state), func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == filepath.Dir(p.state) {
			return err
		}
		info, err := e.Info()
		if want := map[bool]fs.FileMode{true: 0o700, false: 0o600}[e.IsDir()]; err == nil && info.Mode().Perm() != want {
			t.Errorf("%s: got %v, want %v", path, info.Mode().Perm(), want)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestIndex deletes, damages and ages the index: answers stay the same.
func TestIndex(t *testing.T) {
	dir := t.TempDir()
	state, cache := filepath.Join(dir, "state"), filepath.Join(dir, "cache")
	fill(t, state, 300)
	time.Sleep(100 * time.Millisecond) // so that no file is too young to be kept
	ask := func() string {
		d, err := filestore.Open(state, filestore.Options{CacheDir: cache})
		if err != nil {
			t.Fatal(err)
		}
		facts, err := newStore(t, d).Recall(t.Context(), "fact-17", 3)
		if err := errors.Join(err, d.Close()); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(facts)
	}
	want := ask()
	for _, pattern := range []string{"*.sqlite", "*-whole"} {
		files, err := filepath.Glob(filepath.Join(cache, pattern))
		if err != nil || len(files) != 1 {
			t.Fatalf("%s: got %q, %v, want one", pattern, files, err)
		}
		whole, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		bad := slices.Clone(whole)
		for i := len(bad) / 2; i < len(bad); i += 1000 {
			bad[i] ^= 0x55
		}
		for name, data := range map[string][]byte{
			"kept": whole, "cut": whole[:len(whole)/2], "noise": []byte(strings.Repeat("noise", 4000)), "empty": {}, "flipped": bad,
		} {
			if err := os.WriteFile(files[0], data, 0o600); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if got := ask(); got != want {
					t.Errorf("%s, %s: got %s, want %s", pattern, name, got, want)
				}
			}
		}
	}
	if err := os.RemoveAll(cache); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cache, nil, 0o600); err != nil { // no folder can be made there
		t.Fatal(err)
	}
	if got := ask(); got != want {
		t.Errorf("no cache: got %s, want %s", got, want)
	}
}

// failing is a file system whose writes fail.
type failing struct {
	lockedfile.FS
	err error
}

func (f failing) OpenFile(name string, flag int, perm fs.FileMode) (lockedfile.File, error) {
	if flag&(os.O_WRONLY|os.O_RDWR) != 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: f.err}
	}
	return f.FS.OpenFile(name, flag, perm)
}

func TestFailingDisk(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{syscall.ENOSPC, "that disk is full: free some space"},
		{syscall.EROFS, "that disk is read-only: make it writable or keep memory in another folder"},
		{syscall.EACCES, "let this user write to that folder or keep memory in another one"},
	} {
		p := newPlace(t)
		p.remember(memstore.Fact{Body: "kept from before"})
		p.dir.Wrap(func(fsys lockedfile.FS) lockedfile.FS { return failing{fsys, c.err} })
		_, err := p.store.Remember(t.Context(), memstore.Fact{Body: "lost"})
		if err == nil || !errors.Is(err, c.err) || !strings.HasSuffix(err.Error(), c.want) ||
			!strings.Contains(err.Error(), filepath.Join(p.folder, "lost.md")) {
			t.Errorf("got %v, want the file and %q", err, c.want)
		}
		if got := p.recall("kept lost"); got != "kept-from-before" {
			t.Errorf("got %q", got)
		}
	}
}

func TestUnwritableFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := newStore(t, open(t, filepath.Join(file, "state"), filestore.Options{}))
	if _, err := s.Remember(t.Context(), memstore.Fact{Body: "x"}); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("got %v, want an error with the path", err)
	}
}

func TestSecrets(t *testing.T) {
	p := newPlace(t)
	secret := "gh" + "p_" + "x7Kd93LmQ2vRt8YwZ5" + "bNc1Hf6JpGs4AeUo0B"
	r := p.remember(memstore.Fact{Body: "The token is " + secret, Description: "token " + secret, Tags: []string{secret}})
	p.write("by-hand.md", fact("by hand", "token "+secret))
	p.remember(memstore.Fact{Body: "another"})
	if strings.Contains(strings.ToLower(fmt.Sprint(r)), strings.ToLower(secret)) || strings.Contains(r.Fact.Name, "ghp") {
		t.Errorf("got %+v", r)
	}
	if facts, err := p.store.Recall(t.Context(), "token", 5); err != nil || len(facts) != 2 || strings.Contains(fmt.Sprint(facts), secret) {
		t.Errorf("got %v, %v", facts, err)
	}
	p.dir.Close()
	holders := grep(t, filepath.Dir(p.state), secret)
	if !slices.Equal(holders, []string{"by-hand.md"}) {
		t.Errorf("the secret is in %q", holders)
	}
}

// grep returns the names of the files below dir that hold text.
func grep(t *testing.T, dir, text string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		src, err := os.ReadFile(path)
		if strings.Contains(string(src), text) || strings.Contains(e.Name(), text) {
			found = append(found, e.Name())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestScrub(t *testing.T) {
	p := newPlace(t)
	p.remember(memstore.Fact{Body: "The door code is hunter42.", Description: "hunter42: the door", Tags: []string{"hunter42"}})
	p.write("noted.md", "---\ndescription: door\nextra: [hunter42, x]\n---\n\nbody\n")
	p.write("broken.md", "---\nhunter42\n")
	p.write("clean.md", fact("clean", "nothing"))
	p.recall("door")
	p.dir.Close()
	changed, err := p.dir.Scrub(t.Context(), func(s string) string { return strings.ReplaceAll(s, "hunter42", "[redacted]") })
	if err != nil {
		t.Fatal(err)
	}
	for i := range changed {
		changed[i] = filepath.Base(changed[i])
	}
	if want := []string{"broken.md", "hunter42-the-door.md", "noted.md"}; !slices.Equal(changed, want) {
		t.Errorf("got %q, want %q", changed, want)
	}
	p.dir.Close()
	if found := grep(t, filepath.Dir(p.state), "hunter42"); found != nil {
		t.Errorf("it is still in %q", found)
	}
	f, err := p.store.Get(t.Context(), "redacted-the-door")
	if err != nil || f.Body != "The door code is [redacted]." || f.Description != "[redacted]: the door" {
		t.Errorf("got %+v, %v", f, err)
	}
}

// killed is a file system whose writer is gone before a new file takes its place.
type killed struct {
	lockedfile.FS
	gone bool
}

func newKilled(fsys lockedfile.FS) lockedfile.FS { return &killed{FS: fsys} }

func (k *killed) Rename(string, string) error {
	k.gone = true
	return errors.New("killed")
}

func (k *killed) Remove(name string) error {
	if k.gone {
		return errors.New("killed")
	}
	return k.FS.Remove(name)
}
