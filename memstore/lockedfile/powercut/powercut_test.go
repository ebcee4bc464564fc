package powercut_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile/powercut"
)

// contents returns what the file can hold after the last operation, "-" when
// it can be missing.
func contents(disk *powercut.Disk, name string) []string {
	var out []string
	for cut := range disk.Cuts() {
		if cut.After < len(disk.Ops()) {
			continue
		}
		text := "-"
		if data, ok := cut.Files[name]; ok {
			text = string(data)
		}
		out = append(out, text)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestCuts(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	var disk powercut.Disk
	fsys := disk.Over(lockedfile.OS(), dir)
	temp, f := filepath.Join(dir, "t"), filepath.Join(dir, "f")
	w, err := fsys.OpenFile(temp, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	step := func(err error, want ...string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		disk.Mark("a mark makes states differ from those before")
		if got := contents(&disk, "f"); !slices.Equal(got, want) {
			t.Errorf("f can be %q, want %q", got, want)
		}
	}
	_, err = w.Write([]byte("data"))
	step(err, "-") // not among the files written yet
	step(fsys.Rename(temp, f), "", "\x00\x00\x00\x00", "da", "data", "old")
	step(w.Sync(), "data", "old")
	step(fsys.SyncDir(dir), "data")
	step(fsys.Remove(f), "-", "data")
	step(w.Close(), "-", "data")
}

func TestFail(t *testing.T) {
	dir := t.TempDir()
	full := errors.New("full")
	disk := powercut.Disk{Fail: func(op powercut.Op) error {
		if op.Kind == powercut.Write {
			return full
		}
		return nil
	}}
	w, err := disk.Over(lockedfile.OS(), dir).OpenFile(filepath.Join(dir, "f"), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if n, err := w.Write([]byte("data")); n != 2 || err != full {
		t.Errorf("got %d, %v; want half and the error", n, err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "f")); string(data) != "da" {
		t.Errorf("got %q, %v", data, err)
	}
}
