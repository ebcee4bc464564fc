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
