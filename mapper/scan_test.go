package mapper_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/slipstream-mcp/slipstream/mapper"
)

// A project is a real folder that is scanned again and again with one cache.
type project struct {
	t      *testing.T
	dir    string
	opts   mapper.Options
	parses atomic.Int64
}

func newProject(t *testing.T) *project {
	p := &project{t: t, dir: t.TempDir()}
	p.opts = mapper.Options{Cache: &mapper.Cache{}, Dir: p.dir, Env: gitEnv(t)}
	p.opts.Parse = func(ctx context.Context, path string, src []byte) (mapper.File, error) {
		p.parses.Add(1)
		return naive(ctx, path, src)
	}
	return p
}

func (p *project) write(name, text string) {
	p.t.Helper()
	write(p.t, p.dir, name, text)
}

func (p *project) scan() *mapper.Map {
	p.t.Helper()
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		p.t.Fatal(err)
	}
	defer root.Close()
	m, err := mapper.Scan(context.Background(), root.FS(), p.opts)
	if err != nil {
		p.t.Fatal(err)
	}
	return m
}

// lists checks the paths of a scan, in order.
func (p *project) lists(want ...string) {
	p.t.Helper()
	var got []string
	for _, f := range p.scan().Files {
		got = append(got, f.Path)
	}
	if !slices.Equal(got, want) {
		p.t.Errorf("got %q, want %q", got, want)
	}
}

// TestScan_Fresh edits a file in ways that are easy to miss and asks at once.
func TestScan_Fresh(t *testing.T) {
	p := newProject(t)
	old := time.Now().Add(-time.Hour)
	path := filepath.Join(p.dir, "a.go")
	for i := range 300 {
		name := fmt.Sprintf("F%03d", i)
		text := "func " + name + "() {}\n"
		switch i % 4 {
		case 0:
			p.write("a.go", text)
		case 1: // same size, time set back
			p.write("a.go", text)
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		case 2: // replaced by rename
			p.write("b.tmp", text)
			if err := os.Rename(filepath.Join(p.dir, "b.tmp"), path); err != nil {
				t.Fatal(err)
			}
		case 3:
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			p.write("a.go", text)
		}
		f, ok := p.scan().File("a.go")
		if !ok || len(f.Symbols) != 1 || f.Symbols[0].Name != name {
			t.Fatalf("round %d: got %+v, want %s", i, f.Symbols, name)
		}
	}
}

// TestScan_FreshWhenSettled does the same with files that had been at rest,
// whose stamps alone must tell.
func TestScan_FreshWhenSettled(t *testing.T) {
	p := newProject(t)
	now := time.Now()
	p.opts.Now = func() time.Time { return now.Add(time.Hour) }
	p.write("a.go", "func A() {}\n")
	p.scan()
	was, err := os.Stat(filepath.Join(p.dir, "a.go"))
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * time.Millisecond)
	p.write("a.go", "func B() {}\n")
	if err := os.Chtimes(filepath.Join(p.dir, "a.go"), was.ModTime(), was.ModTime()); err != nil {
		t.Fatal(err)
	}
	if f, _ := p.scan().File("a.go"); f.Symbols[0].Name != "B" {
		t.Errorf("got %s, want B", f.Symbols[0].Name)
	}
}

func TestScan_ParsesOnlyWhatChanged(t *testing.T) {
	p := newProject(t)
	for i := range 20 {
		p.write(fmt.Sprintf("d%d/f.go", i%3), fmt.Sprintf("func F%d() {}\n", i))
		p.write(fmt.Sprintf("d%d/g%d.go", i%3, i), fmt.Sprintf("func G%d() {}\n", i))
	}
	first := p.scan()
	cold := p.parses.Load()
	if again := p.scan(); again != first || p.parses.Load() != cold {
		t.Errorf("an unchanged project: %d parses more, same map %v", p.parses.Load()-cold, again == first)
	}
	p.write("d1/new.go", "func N() {}\n")
	p.write("d1/f.go", "func Changed() {}\n")
	if p.scan(); p.parses.Load() != cold+2 {
		t.Errorf("two files changed, %d parses", p.parses.Load()-cold)
	}
}

// TestScan_List changes what the list depends on between scans.
func TestScan_List(t *testing.T) {
	needGit(t)
	p := newProject(t)
	env := p.opts.Env
	p.write("a.go", "x")
	p.lists("a.go")
	git(t, p.dir, env, "init", "-q")
	p.write(".gitignore", "*.o\n/build/\n")
	p.write("b.o", "x")
	p.write("build/x.go", "x")
	p.lists(".gitignore", "a.go")
	git(t, p.dir, env, "add", "-f", "build/x.go")
	p.lists(".gitignore", "a.go", "build/x.go")
	git(t, p.dir, env, "rm", "-q", "--cached", "build/x.go")
	p.lists(".gitignore", "a.go")
	p.write(".gitignore", "/build/\n")
	p.lists(".gitignore", "a.go", "b.o")
	p.write(".git/info/exclude", "*.o\n")
	p.lists(".gitignore", "a.go")
	if err := os.MkdirAll(filepath.Join(p.dir, "empty", "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	p.lists(".gitignore", "a.go")
	p.write("empty/deep/c.go", "x")
	p.lists(".gitignore", "a.go", "empty/deep/c.go")
	home := strings.TrimPrefix(env[1], "HOME=")
	write(t, home, ".config/git/ignore", "a.go\n")
	p.lists(".gitignore", "empty/deep/c.go")
	write(t, home, "mine", "c.go\n")
	write(t, home, ".gitconfig", "[core]\n\texcludesFile = "+home+"/mine\n")
	p.lists(".gitignore", "a.go")
	write(t, home, "mine", "")
	p.lists(".gitignore", "a.go", "empty/deep/c.go")
	git(t, p.dir, env, "add", ".")
	p.write(".slipstreamignore", "empty/*\n!empty/keep\n")
	p.lists(".gitignore", ".slipstreamignore", "a.go")
	p.write(".claude/slipstream/memory/x.md", "x")
	p.write("sub/.claude/slipstream/x.md", "x")
	p.write(".claude/settings.json", "x")
	p.lists(".gitignore", ".slipstreamignore", "a.go", ".claude/settings.json")
	p.write("sub/.git", "gitdir: ../elsewhere\n")
	p.write("sub/x.go", "x")
	p.lists(".gitignore", ".slipstreamignore", "a.go", ".claude/settings.json", "sub/x.go")
	if err := os.Remove(filepath.Join(p.dir, "sub/.git")); err != nil {
		t.Fatal(err)
	}
	git(t, filepath.Join(p.dir, "sub"), env, "init", "-q")
	p.lists(".gitignore", ".slipstreamignore", "a.go", ".claude/settings.json")
	if err := os.RemoveAll(filepath.Join(p.dir, "sub/.git")); err != nil {
		t.Fatal(err)
	}
	p.lists(".gitignore", ".slipstreamignore", "a.go", ".claude/settings.json", "sub/x.go")
}

// TestScan_BelowTheTop: a root inside a repository sees the rules above it,
// unless they hide the root itself.
func TestScan_BelowTheTop(t *testing.T) {
	needGit(t)
	p := newProject(t)
	git(t, p.dir, p.opts.Env, "init", "-q")
	p.write(".gitignore", "*.o\n/out/\n/in/gone/\n")
	p.write("in/a.go", "x")
	p.write("in/b.o", "x")
	p.write("in/gone/c.go", "x")
	p.write("out/d.go", "x")
	p.write("out/.gitignore", "e.go\n")
	p.write("out/e.go", "x")
	top := p.dir
	p.dir, p.opts.Dir = filepath.Join(top, "in"), filepath.Join(top, "in")
	p.lists("a.go")
	p.dir, p.opts.Dir = filepath.Join(top, "out"), filepath.Join(top, "out")
	p.lists(".gitignore", "d.go")
}

// TestScan_FreshRules edits an ignore file without changing its size, at once.
func TestScan_FreshRules(t *testing.T) {
	p := newProject(t)
	p.write("a.go", "x")
	p.write("b.go", "x")
	for range 50 {
		p.write(".gitignore", "a.go\n")
		p.lists(".gitignore", "b.go")
		p.write(".gitignore", "b.go\n")
		p.lists(".gitignore", "a.go")
	}
}

func TestScan_Reasons(t *testing.T) {
	if os.PathSeparator != '/' {
		t.Skip("no pipes and links here")
	}
	p := newProject(t)
	p.write("ok.go", "package x\nfunc A() {}")
	p.write("bin.go", "a\x00b")
	p.write("wide.go", "\xff\xfef\x00u\x00n\x00c\x00 \x00A\x00(\x00)\x00\n\x00")
	p.write("min.ts", strings.Repeat("function(a){return b(c);};", 200))
	p.write("data.ts", "export const x = \""+strings.Repeat("A", 5000)+"\"\n")
	p.write("big.go", strings.Repeat("// long\n", 1000))
	p.write("notes.xyz", "one\ntwo\n")
	p.write("bad.go", "refuse\n")
	p.opts.MaxFileBytes = 7000
	inner := p.opts.Parse
	p.opts.Parse = func(ctx context.Context, path string, src []byte) (mapper.File, error) {
		if string(src) == "refuse\n" {
			return mapper.File{}, errors.New("no")
		}
		return inner(ctx, path, src)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(p.dir, "link.go")); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfifo", filepath.Join(p.dir, "pipe.go")).CombinedOutput(); err != nil {
		t.Skipf("no pipes here: %v %s", err, out)
	}
	want := map[string]string{
		"ok.go": "", "wide.go": "", "data.ts": "", "bin.go": mapper.SkipBinary, "min.ts": mapper.SkipMinified, "big.go": mapper.SkipTooLarge,
		"notes.xyz": mapper.SkipUnknown, "bad.go": mapper.SkipUnparsed, "link.go": mapper.SkipSymlink,
	}
	for range 2 {
		m := p.scan()
		got := map[string]string{}
		for _, f := range m.Files {
			got[f.Path] = f.Skipped
		}
		if !maps.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if f, _ := m.File("ok.go"); f.Lines != 2 {
			t.Errorf("got %d lines, want 2", f.Lines)
		}
		if f, _ := m.File("wide.go"); f.Lines != 1 || len(f.Symbols) != 1 || !slices.Contains(f.Idents, "func") {
			t.Errorf("UTF-16: got %+v", f)
		}
	}
}

// shutFS cannot read one folder.
type shutFS struct{ fstest.MapFS }

func (f shutFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "shut" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return f.MapFS.ReadDir(name)
}

// TestScan_ShutFolder: a folder that cannot be read costs that folder, and the
// map says so.
func TestScan_ShutFolder(t *testing.T) {
	file := &fstest.MapFile{Data: []byte("x")}
	fsys := shutFS{fstest.MapFS{"a.go": file, "shut/b.go": file, "z/c.go": file}}
	opts := mapper.Options{Parse: naive, Cache: &mapper.Cache{}}
	for range 2 {
		m, err := mapper.Scan(context.Background(), fsys, opts)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprint(len(m.Mapped()), m.Skipped()), "2 map[unreadable folder:1]"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestScan_Ends(t *testing.T) {
	if _, err := mapper.Scan(context.Background(), os.DirFS(filepath.Join(t.TempDir(), "none")), mapper.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing root: %v", err)
	}
	fsys := fstest.MapFS{}
	for i := range 1000 {
		fsys[fmt.Sprintf("f%d.go", i)] = &fstest.MapFile{Data: []byte("x")}
	}
	ctx, cancel := context.WithCancel(context.Background())
	done, total := 0, 0
	opts := mapper.Options{Parse: naive, Progress: func(d, n int) {
		if d != done+1 {
			t.Errorf("progress %d after %d", d, done)
		}
		if done, total = d, n; d == 10 {
			cancel()
		}
	}}
	if _, err := mapper.Scan(ctx, fsys, opts); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled scan: %v", err)
	}
	if total != 1000 || done > 100 {
		t.Errorf("cancelled after 10, %d of %d done", done, total)
	}
}

// TestScan_Same: what goroutines did first leaves no trace in an answer.
func TestScan_Same(t *testing.T) {
	p := newProject(t)
	for i := range 200 {
		p.write(fmt.Sprintf("d%d/f%d.ts", i%7, i), fmt.Sprintf("export function load%d() { parse%d(); loadTree() }\nexport function parse%d() {}\n", i%20, i%13, i%13))
	}
	answer := func() string {
		p.opts.Cache = &mapper.Cache{}
		m := p.scan()
		return m.Outline(mapper.OutlineOptions{MaxTokens: 700}) + fmt.Sprint(m.Search("load tree parsed", 20))
	}
	want := answer()
	for range 5 {
		if got := answer(); got != want {
			t.Fatalf("got %s\nwant %s", got, want)
		}
	}
}

// TestScan_Together: scans, searches and outlines of one cache at once.
func TestScan_Together(t *testing.T) {
	p := newProject(t)
	for i := range 60 {
		p.write(fmt.Sprintf("d%d/f%d.ts", i%7, i), fmt.Sprintf("export function load%d() { parse%d() }\n", i, i%13))
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for k := range 5 {
				p.write(fmt.Sprintf("d%d/mine.ts", i), fmt.Sprintf("export function own%d_%d() {}\n", i, k))
				m := p.scan()
				if hits := m.Search(fmt.Sprintf("own%d_%d", i, k), 1); len(hits) == 0 || hits[0].Path != fmt.Sprintf("d%d/mine.ts", i) {
					t.Errorf("%d, %d: got %v", i, k, hits)
				}
				if got := m.Outline(mapper.OutlineOptions{MaxTokens: 400}); (len(got)+2)/3 > 400 {
					t.Error("over the budget")
				}
			}
		})
	}
	wg.Wait()
}
