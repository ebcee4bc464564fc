//go:build unix

package lockedfile_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
)

func TestPipe(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	if err := lockedfile.Append(t.Context(), path, []byte("x")); err == nil {
		t.Error("a pipe is appended to")
	}
	if err := lockedfile.Update(t.Context(), path, func([]byte) ([]byte, error) { return nil, nil }); err == nil {
		t.Error("a pipe is read")
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := lockedfile.WriteFile(t.Context(), filepath.Join(dir, "folder"), nil); err == nil {
		t.Error("a folder is replaced")
	}
}

func TestRemove_Folder(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := lockedfile.Remove(t.Context(), folder); err == nil {
		t.Error("a folder is removed")
	}
	if _, err := os.Stat(folder); err != nil {
		t.Error(err)
	}
}

// otherDisk is a file system whose folder "far" is another disk's.
type otherDisk struct{ lockedfile.FS }

func (o otherDisk) Rename(oldName, newName string) error {
	if filepath.Base(filepath.Dir(newName)) == "far" && filepath.Dir(oldName) != filepath.Dir(newName) {
		return &os.LinkError{Op: "rename", Old: oldName, New: newName, Err: syscall.EXDEV}
	}
	return o.FS.Rename(oldName, newName)
}

func TestTempDir_OtherDisk(t *testing.T) {
	dir := t.TempDir()
	s := lockedfile.Store{LockPath: filepath.Join(dir, ".locked"), TempDir: dir, FS: otherDisk{lockedfile.OS()}}
	for _, name := range []string{"far", "near"} {
		path := filepath.Join(dir, name, "file")
		if err := s.WriteFile(t.Context(), path, []byte(name)); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != name {
			t.Errorf("got %q, %v", text, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*", ".*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}
