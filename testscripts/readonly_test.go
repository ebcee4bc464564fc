package testscripts_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// stranger gives a folder that everyone can enter, a copy of the program in it, and what to put before a command so that it
// runs as a user who owns nothing.
func stranger(t *testing.T) (dir, program string, as []string) {
	t.Helper()
	setpriv, err := exec.LookPath("setpriv")
	if err != nil || os.Getuid() != 0 {
		t.Skip("only root with setpriv can become a user who owns nothing")
	}
	installed, err := exec.LookPath("slipstream")
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for _, parent := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(parent, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	program = filepath.Join(dir, "slipstream")
	text, err := os.ReadFile(installed)
	if err == nil {
		err = os.WriteFile(program, text, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir, program, []string{setpriv, "--reuid", "65534", "--regid", "65534", "--clear-groups"}
}

// TestReadOnly reads a checkout that may not be written, as a user who owns nothing: every read answers as it does elsewhere.
func TestReadOnly(t *testing.T) {
	dir, program, nobody := stranger(t)
	project := filepath.Join(dir, "sample")
	if err := os.CopyFS(project, os.DirFS("testdata/sample")); err != nil {
		t.Fatal(err)
	}
	files := map[string]bool{}
	mode := func(writable bool) error {
		return filepath.WalkDir(project, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			files[name] = true
			perm := fs.FileMode(0o444)
			if d.IsDir() {
				perm = 0o555
			}
			if writable {
				perm |= 0o200
			}
			return os.Chmod(name, perm)
		})
	}
	if err := mode(false); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mode(true) })
	read := func(as []string, args ...string) string {
		t.Helper()
		command := append(append(slices.Clone(as), program, "call"), args...)
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir = project
		cmd.Env = append(os.Environ(), "HOME=/nonexistent", "TMPDIR=/nonexistent", "SLIPSTREAM_VAULT="+filepath.Join(dir, "vault"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s as %q: %v\n%s", strings.Join(args, " "), as, err, out)
		}
		return string(out)
	}
	for tool, arguments := range reads() {
		if got, want := read(nobody, tool, arguments), read(nil, tool, arguments); got != want {
			t.Errorf("%s answers %q on a read-only checkout, %q to its owner", tool, got, want)
		}
	}
	before := len(files)
	if mode(false); len(files) != before {
		t.Errorf("reads left something behind: %d names became %d", before, len(files))
	}
}
