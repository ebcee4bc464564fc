package checkout_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/server/internal/checkout"
)

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

func write(t *testing.T, dir, name string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(name+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestOf(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "fix/a-b")
	if got := checkout.Of(t.Context(), dir, time.Minute); got.Branch != "fix/a-b" || got.Changed != nil {
		t.Errorf("a new checkout: %+v", got)
	}
	for _, name := range []string{"kept", "moved", "changed here", "sub/gone"} {
		write(t, dir, name)
	}
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "first")
	git(t, dir, "mv", "moved", "there")
	write(t, dir, "sub/new/ünd so.txt")
	if err := os.WriteFile(filepath.Join(dir, "changed here"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "sub", "gone")); err != nil {
		t.Fatal(err)
	}
	want := []string{"changed here", "sub/gone", "sub/new/ünd so.txt", "there"}
	got := checkout.Of(t.Context(), dir, time.Minute)
	slices.Sort(got.Changed)
	if !slices.Equal(got.Changed, want) {
		t.Errorf("changed: %q, want %q", got.Changed, want)
	}
	git(t, dir, "checkout", "-q", "--detach")
	if got := checkout.Of(t.Context(), dir, time.Minute); got.Branch != "" || len(got.Changed) != len(want) {
		t.Errorf("detached: %+v", got)
	}
	if got := checkout.Of(t.Context(), dir, 0); got.Branch != "" || got.Changed != nil {
		t.Errorf("without patience: %+v", got)
	}
	if got := checkout.Of(t.Context(), t.TempDir(), time.Minute); got.Branch != "" || got.Changed != nil {
		t.Errorf("no checkout: %+v", got)
	}
}
