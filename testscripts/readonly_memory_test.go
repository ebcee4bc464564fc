package testscripts_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestReadOnlyMemory asks a memory that may not be written, as a user who owns nothing: it still recalls, and what would
// write names the folder and the reason.
func TestReadOnlyMemory(t *testing.T) {
	dir, program, nobody := stranger(t)
	run := func(as []string, tool, arguments string) (string, error) {
		command := append(slices.Clone(as), program, "call", tool, arguments, "--root", filepath.Join(dir, "project"))
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME=/nonexistent")
		out, err := cmd.CombinedOutput()
		return strings.TrimSpace(string(out)), err
	}
	if err := os.Mkdir(filepath.Join(dir, "project"), 0o755); err != nil {
		t.Fatal(err)
	}

	const fact, folder = `{"fact": "Deploys run from main only."}`, ".claude/slipstream"
	if got, err := run(nobody, "sp_remember", fact); err == nil || !strings.Contains(got, folder) || !strings.Contains(got, "permission denied") {
		t.Errorf("no memory can be made: got %q, %v", got, err)
	}
	if got, err := run(nil, "sp_remember", fact); err != nil {
		t.Fatalf("got %q, %v", got, err)
	}
	err := filepath.WalkDir(filepath.Join(dir, "project"), func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Chmod(name, 0o755)
		}
		return os.Chmod(name, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := run(nobody, "sp_recall", `{"query": "deploys"}`); err != nil || !strings.Contains(got, "Deploys run from main only.") {
		t.Errorf("recall: got %q, %v", got, err)
	}
	for tool, arguments := range map[string]string{"sp_remember": `{"fact": "More."}`, "sp_forget": `{"name": "deploys-run-from-main-only"}`} {
		if got, err := run(nobody, tool, arguments); err == nil || !strings.Contains(got, folder) || !strings.Contains(got, "permission denied") {
			t.Errorf("%s: got %q, %v", tool, got, err)
		}
	}
}

// TestReadOnlyVault asks a vault that may not be written, and one of whose folders may not even be read, as a user who owns
// nothing: the other thoughts are found, doctor names the folder, and what would write says why it cannot.
func TestReadOnlyVault(t *testing.T) {
	dir, program, nobody := stranger(t)
	for name, mode := range map[string]os.FileMode{"vault/thoughts/note/a.md": 0o755, "vault/thoughts/shut/b.md": 0o700} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("We deploy from main only.\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Dir(path), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{"vault", "vault/thoughts"} {
		if err := os.Chmod(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args, want string
		fails      bool
	}{
		{"thoughts list", "1 of 1 thought in ", false},
		{"thoughts search deploy", "We deploy from main only.", false},
		{"doctor", "BAD  thoughts: shut: the folder cannot be read: ", true},
		{`call capture_thought {"content":"new"}`, "permission denied; let this user write to that folder", true},
		{`import open-brain rows.json`, "permission denied; let this user write to that folder", true},
	} {
		command := slices.Concat(nobody, []string{program}, strings.Fields(c.args), []string{"--vault", filepath.Join(dir, "vault"), "--root", dir})
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME=/nonexistent")
		if err := os.WriteFile(filepath.Join(dir, "rows.json"), []byte(`[{"content": "imported"}]`), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := cmd.CombinedOutput()
		if !strings.Contains(string(out), c.want) || (err != nil) != c.fails {
			t.Errorf("%s: got %s, %v, want %q", c.args, out, err, c.want)
		}
	}
}
