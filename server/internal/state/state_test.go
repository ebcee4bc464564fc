package state

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestFind(t *testing.T) {
	tmp, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(parts ...string) string { return filepath.Join(append([]string{tmp}, parts...)...) }
	mkdir := func(parts ...string) {
		t.Helper()
		if err := os.MkdirAll(at(parts...), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	git := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	mkdir("plain", "sub")
	mkdir("repo", "a", "b")
	mkdir("mono", "app", Folder)
	mkdir("mono", "app", "src")
	for _, r := range []string{"repo", "mono"} {
		git(at(r), "init", "-q")
		git(at(r), "commit", "-q", "--allow-empty", "-m", "start")
	}
	git(at("repo"), "worktree", "add", "-q", at("linked"))
	mkdir("linked", "a")
	mkdir("shared", Folder, "memory")
	git(at("shared"), "init", "-q")
	if err := os.WriteFile(at("shared", Folder, "memory", "x.md"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	git(at("shared"), "add", "-A")
	git(at("shared"), "commit", "-q", "-m", "start")
	git(at("shared"), "worktree", "add", "-q", at("shared-linked"))

	for _, c := range []struct{ name, dir, root, facts string }{
		{"no repository", at("plain", "sub"), at("plain", "sub"), at("plain", "sub")},
		{"repository", at("repo", "a", "b"), at("repo"), at("repo")},
		{"monorepo", at("mono", "app", "src"), at("mono", "app"), at("mono", "app")},
		{"linked worktree", at("linked", "a"), at("repo"), at("repo")},
		{"worktree with tracked facts", at("shared-linked"), at("shared"), at("shared-linked")},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := Find(c.dir)
			if l.Root != c.root {
				t.Errorf("root: got %s, want %s", l.Root, c.root)
			}
			if got := l.Facts().Root; got != c.facts {
				t.Errorf("facts: got %s, want %s", got, c.facts)
			}
		})
	}
}
