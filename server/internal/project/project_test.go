package project

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"
)

// open returns a project that holds the files, each with its name as content.
func open(t *testing.T, names ...string) (*Project, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		write(t, filepath.Join(dir, name), name)
	}
	p, err := NewProjects(dir, "/", "").Open("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p, dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestPath(t *testing.T) {
	p, dir := open(t, "src/a.ts", `b\c.ts`)
	for _, c := range []struct{ name, want string }{
		{"src/a.ts", "src/a.ts"},
		{"./src/a.ts", "src/a.ts"},
		{`src\a.ts`, "src/a.ts"},
		{`.\src\a.ts`, "src/a.ts"},
		{"src/../src/a.ts", "src/a.ts"},
		{`b\c.ts`, `b\c.ts`},
		{dir + "/src/a.ts", "src/a.ts"},
		{".", "."},
		{"..", ""},
		{"../x", ""},
		{`..\x`, ""},
		{"src/../../x", ""},
		{dir + "x/a.ts", ""},
		{dir + "/../a.ts", ""},
		{"/etc/passwd", ""},
		{`C:\Windows\win.ini`, ""},
		{"c:/x", ""},
	} {
		got, err := p.Path(c.name)
		if got != c.want || (err == nil) == (c.want == "") {
			t.Errorf("Path(%q): got %q, %v, want %q", c.name, got, err, c.want)
		}
		if err != nil && !strings.Contains(err.Error(), "is outside the project") {
			t.Errorf("Path(%q): %v", c.name, err)
		}
	}
}

func TestRoots(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "sub", "a.ts"), "")
	for _, c := range []struct{ root, home, ask, want string }{
		{dir, "", "", ""},
		{dir, "", "sub", ""},
		{"/", "", dir, ""},
		{dir, "", "none", `root "none" is not a directory`},
		{dir, "", "sub/a.ts", `root "sub/a.ts" is not a directory`},
		{filepath.Join(dir, "none"), "", "", `root "` + filepath.Join(dir, "none") + `" is not a directory`},
		{"/", "", "", ErrNoProject.Error()},
		{"/", "", "sub", ErrNoProject.Error()},
		{dir, dir, "", ErrNoProject.Error()},
	} {
		p, err := NewProjects(c.root, "/", c.home).Open(c.ask)
		if err == nil {
			p.Close()
		}
		if got := errorText(err); got != c.want {
			t.Errorf("root %q, asked for %q: got %q, want %q", c.root, c.ask, got, c.want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestCacheBound holds that projects opened long ago give their memory back.
func TestCacheBound(t *testing.T) {
	p := NewProjects(t.TempDir(), "/", "")
	for range 3 * maxOpen {
		one, err := p.Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		one.Close()
	}
	if len(p.parsed) > maxOpen || len(p.recent) != len(p.parsed) {
		t.Errorf("%d caches and %d keys are kept, want %d", len(p.parsed), len(p.recent), maxOpen)
	}
}

// TestSwappedLink swaps a file for a link out of the project all the while it is read: what is outside never comes.
func TestSwappedLink(t *testing.T) {
	p, dir := open(t, "a.ts")
	secret := filepath.Join(t.TempDir(), "secret")
	write(t, secret, "secret")
	file, link := filepath.Join(dir, "a.ts"), filepath.Join(dir, "link")
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			os.Symlink(secret, link)
			os.Rename(link, file)
			os.WriteFile(link, []byte("a.ts"), 0o644)
			os.Rename(link, file)
		}
	}()
	inside := 0
	for range 20000 {
		src, err := p.Read("a.ts", "a.ts", MaxSource)
		switch {
		case err == nil && string(src) == "secret":
			t.Fatal("read what is outside the project")
		case err == nil:
			inside++
		}
	}
	close(stop)
	<-done
	t.Logf("%d of 20000 reads found the file", inside)
}

// TestKinds holds that what is no regular file is refused at once, by its kind.
func TestKinds(t *testing.T) {
	p, dir := open(t, "src/a.ts")
	if err := mkfifo(filepath.Join(dir, "pipe")); err != nil {
		t.Skip("no named pipes here:", err)
	}
	os.Symlink("/dev/zero", filepath.Join(dir, "device"))
	os.Symlink("src/a.ts", filepath.Join(dir, "inside"))
	os.Symlink("nowhere", filepath.Join(dir, "dangling"))
	for _, c := range []struct{ name, want string }{
		{"src", "could not read src: is a directory"},
		{"pipe", "could not read pipe: is a named pipe"},
		{"device", `"device" is outside the project`},
		{"dangling", "could not read dangling: no such file"},
		{"none", "could not read none: no such file"},
		{"src/a.ts/b", "could not read src/a.ts/b: not a directory"},
		{"inside", ""},
	} {
		start := time.Now()
		_, err := p.Read(c.name, c.name, MaxSource)
		if got := errorText(err); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s: took %v", c.name, d)
		}
	}
	if _, err := (files{p.root}).Open("../x"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("fs: got %v", err)
	}
}

func TestFS(t *testing.T) {
	p, _ := open(t, "src/a.ts", "b.ts")
	if err := fstest.TestFS(files{p.root}, "src/a.ts", "b.ts"); err != nil {
		t.Error(err)
	}
}

func TestCut(t *testing.T) {
	const text = "one\ntwo\nthree\n"
	for _, c := range []struct {
		text        string
		start, end  int
		want        string
		first, last int
		total       int
	}{
		{text, 1, 3, "one\ntwo\nthree", 1, 3, 3},
		{text, 2, 2, "two", 2, 2, 3},
		{text, 2, 99, "two\nthree", 2, 3, 3},
		{text, -5, 1, "one", 1, 1, 3},
		{text, 3, 1, "three", 3, 3, 3},
		{text, 50, 99, "three", 3, 3, 3},
		{"one\ntwo", 2, 2, "two", 2, 2, 2},
		{"one\r\ntwo\r\n", 1, 2, "one\r\ntwo\r", 1, 2, 2},
		{"\n\n", 1, 9, "\n", 1, 2, 2},
		{"", 1, 1, "", 0, 0, 0},
		{strings.Repeat("x", 200000) + "\nend", 2, 2, "end", 2, 2, 2},
	} {
		got, err := cut(context.Background(), bufio.NewReader(strings.NewReader(c.text)), c.start, c.end, 1<<20)
		if err != nil || string(got.Text) != c.want || got.First != c.first || got.Last != c.last || got.Total != c.total {
			t.Errorf("%.20q %d-%d: got %q %d-%d of %d, %v", c.text, c.start, c.end, got.Text, got.First, got.Last, got.Total, err)
		}
	}
}

// TestParse holds that what was parsed before is given again for the same text alone, and that not all is kept.
func TestParse(t *testing.T) {
	p := NewProjects(t.TempDir(), "/", "")
	for i := range 2 * maxDeclared {
		for range 2 {
			f, err := p.Parse(t.Context(), "a.go", fmt.Appendf(nil, "package a\n\nfunc F%d() {}\n", i))
			if want := fmt.Sprintf("F%d", i); err != nil || len(f.Decls) != 1 || f.Decls[0].Name != want {
				t.Fatalf("got %v, %v, want %s", f.Decls, err, want)
			}
		}
	}
	if n := len(p.declared.files); n != maxDeclared || n != len(p.declared.recent) {
		t.Errorf("%d files and %d keys are kept, want %d", n, len(p.declared.recent), maxDeclared)
	}
}

// TestCut_Wide holds that text of wide characters is kept by characters, and not cut within one.
func TestCut_Wide(t *testing.T) {
	wide := strings.Repeat("漢", 80) + "\n"
	for _, text := range []string{strings.Repeat(wide, 4000), strings.Repeat("漢", 300000)} {
		got, err := cut(context.Background(), bufio.NewReaderSize(strings.NewReader(text), 64<<10), 1, 4000, 38000)
		if n := utf8.RuneCount(got.Text); err != nil || n < 38000 || !utf8.Valid(got.Text) {
			t.Errorf("kept %d characters, %v, want 38000 whole ones at least", n, err)
		}
	}
}

// TestTop holds that neither the top of the system nor the home folder is a project, by whatever link.
func TestTop(t *testing.T) {
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	write(t, filepath.Join(home, "a.ts"), "")
	for link, to := range map[string]string{"top": "/", "linked": home} {
		path := filepath.Join(dir, link)
		if err := os.Symlink(to, path); err != nil {
			t.Skip("no links here:", err)
		}
		if _, err := NewProjects(path, "/", home).Open(""); !errors.Is(err, ErrNoProject) {
			t.Errorf("%s: got %v", link, err)
		}
	}
	if _, err := NewProjects(dir, "/", "").Open(filepath.Join(dir, "top")); err == nil || !strings.Contains(err.Error(), "whole system") {
		t.Errorf("got %v", err)
	}
}
