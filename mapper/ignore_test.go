package mapper_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/mapper"
)

// gitEnv keeps the user's own git settings out of the tests.
func gitEnv(t testing.TB) []string {
	home := t.TempDir()
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"}
}

func git(t testing.TB, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func needGit(t testing.TB) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// gitList is what git lists and is there, in our order.
func gitList(t testing.TB, dir string, env []string) []string {
	t.Helper()
	var paths []string
	for path := range strings.SplitSeq(git(t, dir, env, "ls-files", "-co", "--exclude-standard", "-z"), "\x00") {
		if path == "" || strings.HasSuffix(path, "/") {
			continue
		}
		if info, err := os.Lstat(filepath.Join(dir, path)); err == nil && !info.IsDir() {
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, mapper.ComparePaths)
	return slices.Compact(paths)
}

func list(t testing.TB, dir string, useGit bool) []string {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	at := ""
	if useGit {
		at = dir
	}
	paths, err := mapper.List(context.Background(), root.FS(), at)
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// TestList_AsGit compares both ways to the list with git on generated trees.
func TestList_AsGit(t *testing.T) {
	needGit(t)
	env := gitEnv(t)
	t.Setenv("HOME", strings.TrimPrefix(env[1], "HOME="))
	t.Setenv("XDG_CONFIG_HOME", "")
	trees := 120
	if testing.Short() {
		trees = 30
	}
	for seed := range trees {
		dir := t.TempDir()
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		git(t, dir, env, "init", "-q")
		rules := growTree(t, r, dir)
		if want, got := gitList(t, dir, env), list(t, dir, false); !slices.Equal(got, want) {
			t.Errorf("tree %d by our rules:\n%s\n%s", seed, diff(got, want), rules)
		}
		if r.IntN(2) == 0 {
			trackSome(t, r, dir, env)
		}
		at := dir
		if sub := filepath.Join(dir, "a"); r.IntN(4) == 0 && isDir(sub) {
			at = sub
		}
		want := gitList(t, at, env)
		if got := list(t, at, true); len(want) > 0 && !slices.Equal(got, want) {
			t.Errorf("tree %d with git in %s:\n%s\n%s", seed, at, diff(got, want), rules)
		}
		if t.Failed() {
			return
		}
	}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// growTree writes files with few different names and ignore files with rules
// that are likely to meet them. It gives the rules, for the message of a
// failure.
func growTree(t *testing.T, r *rand.Rand, dir string) string {
	names := []string{"a", "b", "c", "ab", "a.c", "b.o", "foo", "bar.txt", "[x]", "#h", "!n", "sp ", "A", "é"}
	pick := func() string { return names[r.IntN(len(names))] }
	dirs := []string{""}
	for range 2 + r.IntN(6) {
		dirs = append(dirs, dirs[r.IntN(len(dirs))]+pick()+"/")
	}
	for range 5 + r.IntN(30) {
		name := dirs[r.IntN(len(dirs))] + pick()
		if !isDir(filepath.Join(dir, name)) && parentsAreDirs(dir, name) {
			write(t, dir, name, "x")
		}
	}
	var said strings.Builder
	for _, d := range dirs[:1+r.IntN(len(dirs))] {
		if r.IntN(3) == 0 && d != "" || !parentsAreDirs(dir, d+".gitignore") {
			continue
		}
		var text strings.Builder
		for range 1 + r.IntN(5) {
			text.WriteString(randomRule(r, pick) + []string{"\n", "\n", "\r\n"}[r.IntN(3)])
		}
		write(t, dir, d+".gitignore", text.String())
		fmt.Fprintf(&said, "%s.gitignore: %q\n", d, text.String())
	}
	if r.IntN(4) == 0 {
		write(t, dir, ".git/info/exclude", pick()+"\n")
	}
	if r.IntN(5) == 0 {
		os.Symlink("a", filepath.Join(dir, "link"))
	}
	if r.IntN(6) == 0 && parentsAreDirs(dir, "nested/x") {
		write(t, dir, "nested/x", "")
		git(t, filepath.Join(dir, "nested"), os.Environ(), "init", "-q")
	}
	return said.String()
}

func parentsAreDirs(dir, name string) bool {
	for at := filepath.Dir(name); at != "."; at = filepath.Dir(at) {
		if info, err := os.Lstat(filepath.Join(dir, at)); err == nil && !info.IsDir() {
			return false
		}
	}
	return true
}

func randomRule(r *rand.Rand, pick func() string) string {
	pieces := []string{"*", "**", "?", "/", "/", "[a-c]", "[!a]", "[^b]", "[[:alpha:]]", "[]x]", "[a", `\a`, `\`, "*.c", "*o", "**/", "/**", "a/b"}
	var b strings.Builder
	if r.IntN(4) == 0 {
		b.WriteByte('!')
	}
	if r.IntN(4) == 0 {
		b.WriteByte('/')
	}
	for range 1 + r.IntN(3) {
		if r.IntN(2) == 0 {
			b.WriteString(pick())
		} else {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
	}
	switch r.IntN(8) {
	case 0, 1:
		b.WriteByte('/')
	case 2:
		b.WriteString("  ")
	case 3:
		b.WriteString(`\ `)
	}
	return b.String()
}

func trackSome(t *testing.T, r *rand.Rand, dir string, env []string) {
	var all []string
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "nested") {
			return filepath.SkipDir
		}
		if !d.IsDir() && r.IntN(3) == 0 {
			all = append(all, path)
		}
		return nil
	})
	if len(all) == 0 {
		return
	}
	git(t, dir, env, append([]string{"--literal-pathspecs", "add", "-f", "--"}, all...)...)
	os.Remove(all[r.IntN(len(all))])
}

func diff(got, want []string) string {
	var b strings.Builder
	for _, g := range got {
		if !slices.Contains(want, g) {
			fmt.Fprintf(&b, "  ours only: %q\n", g)
		}
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			fmt.Fprintf(&b, "  git only: %q\n", w)
		}
	}
	if b.Len() == 0 {
		fmt.Fprintf(&b, "  order: %q, want %q\n", got, want)
	}
	return b.String()
}
