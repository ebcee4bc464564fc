package testscripts_test

import (
	"encoding/json"
	"go/ast"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// goMod is what the policy asks of a go.mod or go.work, as the go command prints them.
type goMod struct {
	Module  struct{ Path string }
	Go      string
	Use     []struct{ DiskPath string }
	Replace []struct{ Old, New struct{ Path string } }
}

func edit(t *testing.T, args ...string) goMod {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = repository(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	var m goMod
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// modules lists the folders of the repository that hold a go.mod.
func modules(t *testing.T) []string {
	t.Helper()
	var dirs []string
	walk(t, func(rel string) {
		if path.Base(rel) == "go.mod" {
			dirs = append(dirs, path.Dir(rel))
		}
	})
	return dirs
}

func TestPolicy_Modules(t *testing.T) {
	const version = "1.26.0"
	work := edit(t, "work", "edit", "-json", "go.work")
	if work.Go != version || len(work.Replace) > 0 {
		t.Errorf("go.work says go %s and has %d replace lines; want go %s and none", work.Go, len(work.Replace), version)
	}
	var used []string
	for _, u := range work.Use {
		used = append(used, path.Clean(filepath.ToSlash(u.DiskPath)))
	}
	slices.Sort(used)
	dirs := modules(t)
	if got := slices.Sorted(slices.Values(dirs)); !slices.Equal(got, used) {
		t.Errorf("go.work uses %q, the folders with a go.mod are %q", used, got)
	}
	for _, dir := range dirs {
		mod := edit(t, "mod", "edit", "-json", dir+"/go.mod")
		if mod.Module.Path != prefix+dir || mod.Go != version {
			t.Errorf("%s/go.mod: module %s, go %s; want %s, go %s", dir, mod.Module.Path, mod.Go, prefix+dir, version)
		}
		for _, r := range mod.Replace {
			if dir != "server" && dir != "testscripts" || r.New.Path != "../"+strings.TrimPrefix(r.Old.Path, prefix) {
				t.Errorf("%s/go.mod replaces %s by %s; only server and testscripts replace, and only siblings", dir, r.Old.Path, r.New.Path)
			}
		}
	}
}

// TestPolicy_Examples holds that a module's README is one screen and that its snippet is an example that is tested.
func TestPolicy_Examples(t *testing.T) {
	const mostReadme, mostExample = 40, 20
	leaves := siblings()
	examples := map[string]string{} // module -> source of its Example
	for _, s := range sources(t) {
		if path.Base(s.path) != "example_test.go" || path.Dir(s.path) != s.module() {
			continue
		}
		for _, decl := range s.file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(f.Name.Name, "Example") {
				continue
			}
			body := s.text[s.fset.Position(f.Body.Lbrace).Offset+1 : s.fset.Position(f.Body.Rbrace).Offset]
			if _, seen := examples[s.module()]; !seen || f.Name.Name == "Example" {
				examples[s.module()] = body
			}
		}
	}
	for _, dir := range modules(t) {
		readme, err := os.ReadFile(filepath.Join(repository(t), dir, "README.md"))
		if err != nil {
			t.Error(err)
			continue
		}
		if n := strings.Count(string(readme), "\n"); n > mostReadme {
			t.Errorf("%s/README.md has %d lines, over %d", dir, n, mostReadme)
		}
		example, ok := examples[dir]
		if !ok {
			t.Errorf("%s has no Example in example_test.go", dir)
			continue
		}
		if leaves[dir] != nil {
			continue
		}
		code, output, ok := strings.Cut(example, "// Output:")
		if !ok {
			t.Errorf("%s: its Example states no output %q", dir, output)
		}
		lines := strings.Split(strings.TrimSpace(code), "\n")
		if len(lines) >= mostExample {
			t.Errorf("%s: its Example has %d lines, want under %d", dir, len(lines), mostExample)
		}
		rest := string(readme)
		for _, line := range lines {
			line = strings.TrimSpace(line)
			i := strings.Index(rest, line)
			if i < 0 {
				t.Errorf("%s/README.md does not show its Example: %q is missing or out of order", dir, line)
				break
			}
			rest = rest[i+len(line):]
		}
	}
}
