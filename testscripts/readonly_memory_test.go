package testscripts_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadOnlyMemory asks a memory that may not be written, as a user who owns nothing: it still recalls, and what would
// write names the folder and the reason.
func TestReadOnlyMemory(t *testing.T) {
	setpriv, err := exec.LookPath("setpriv")
	if err != nil || os.Getuid() != 0 {
		t.Skip("only root with setpriv can become a user who owns nothing")
	}
	program, err := exec.LookPath("slipstream")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, parent := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(parent, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(dir, "slipstream")
	if err := os.WriteFile(copied, text, 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(as, tool, arguments string) (string, error) {
		command := []string{copied, "call", tool, arguments, "--root", filepath.Join(dir, "project")}
		if as != "" {
			command = append([]string{setpriv, "--reuid", as, "--regid", as, "--clear-groups"}, command...)
		}
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
	if got, err := run("65534", "sp_remember", fact); err == nil || !strings.Contains(got, folder) || !strings.Contains(got, "permission denied") {
		t.Errorf("no memory can be made: got %q, %v", got, err)
	}
	if got, err := run("", "sp_remember", fact); err != nil {
		t.Fatalf("got %q, %v", got, err)
	}
	err = filepath.WalkDir(filepath.Join(dir, "project"), func(name string, d os.DirEntry, err error) error {
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
	if got, err := run("65534", "sp_recall", `{"query": "deploys"}`); err != nil || !strings.Contains(got, "Deploys run from main only.") {
		t.Errorf("recall: got %q, %v", got, err)
	}
	for tool, arguments := range map[string]string{"sp_remember": `{"fact": "More."}`, "sp_forget": `{"name": "deploys-run-from-main-only"}`} {
		if got, err := run("65534", tool, arguments); err == nil || !strings.Contains(got, folder) || !strings.Contains(got, "permission denied") {
			t.Errorf("%s: got %q, %v", tool, got, err)
		}
	}
}
