package lockedfile_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
)

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "log")
	for _, lines := range [][]string{{"one"}, {"two", "three"}, nil, {""}} {
		var args [][]byte
		for _, l := range lines {
			args = append(args, []byte(l))
		}
		if err := lockedfile.Append(t.Context(), path, args...); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := read(t, path), "one\ntwo\nthree\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := lockedfile.Append(t.Context(), path, []byte("a\nb")); err == nil {
		t.Error("a line with a newline in it is taken")
	}
}

func TestAppend_RepairsTornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte("one\ntw"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := lockedfile.Append(t.Context(), path, []byte("three")); err != nil {
		t.Fatal(err)
	}
	if got, want := read(t, path), "one\ntw\nthree\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestUpdate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "n")
	for want, in := range []string{"", "0", "1"} {
		err := lockedfile.Update(t.Context(), path, func(old []byte) ([]byte, error) {
			if string(old) != in || (old == nil) != (want == 0) {
				t.Errorf("old is %q, want %q", old, in)
			}
			return fmt.Append(nil, want), nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	failed := errors.New("no")
	if err := lockedfile.Update(t.Context(), path, func([]byte) ([]byte, error) { return nil, failed }); err != failed {
		t.Errorf("got error %v, want the function's own", err)
	}
	if got := read(t, path); got != "2" {
		t.Errorf("got %q", got)
	}
}

func TestWriteFiles(t *testing.T) {
	dir := t.TempDir()
	held, err := lockedfile.Store{LockPath: filepath.Join(dir, lockedfile.LockName), TempDir: dir}.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer held.Unlock()
	left := filepath.Join(dir, ".locked.tmp3") // by a writer that was killed
	if err := os.WriteFile(left, []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	var files []lockedfile.Content
	for i := range 150 {
		files = append(files, lockedfile.Content{Path: filepath.Join(dir, "a", fmt.Sprint(i%3), fmt.Sprint(i)), Data: fmt.Append(nil, "text ", i)})
	}
	files = append(files, lockedfile.Content{Path: files[0].Path, Data: []byte("again")})
	if err := held.WriteFiles(files); err != nil {
		t.Fatal(err)
	}
	for _, f := range files[1:] {
		if got := read(t, f.Path); got != string(f.Data) {
			t.Errorf("%s: got %q", f.Path, got)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("got %v, %v", entries, err)
	}
	if err := held.WriteFiles([]lockedfile.Content{{Path: filepath.Join(dir, "a")}}); err == nil {
		t.Error("a folder is replaced")
	}
}

func TestRemove(t *testing.T) {
	path := filepath.Join(t.TempDir(), "n")
	if err := lockedfile.WriteFile(t.Context(), path, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := lockedfile.Remove(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if err := lockedfile.Remove(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got error %v", err)
	}
}

func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits")
	}
	dir := filepath.Join(t.TempDir(), "store")
	path := filepath.Join(dir, "f")
	mode := func(path string) fs.FileMode {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	if err := lockedfile.WriteFile(t.Context(), path, []byte("a")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{dir: 0o700, path: 0o600, filepath.Join(dir, lockedfile.LockName): 0o600} {
		if got := mode(name); got != want {
			t.Errorf("%s has mode %o, want %o", filepath.Base(name), got, want)
		}
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := lockedfile.WriteFile(t.Context(), path, []byte("b")); err != nil {
		t.Fatal(err)
	}
	if got := mode(path); got != 0o644 {
		t.Errorf("the mode a person set became %o", got)
	}
}

func TestLock_Held(t *testing.T) {
	s := lockedfile.Store{LockPath: filepath.Join(t.TempDir(), "l"), Wait: 30 * time.Millisecond}
	h, err := s.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "f")
	if err := s.WriteFile(t.Context(), path, nil); !errors.Is(err, lockedfile.ErrLocked) {
		t.Errorf("got error %v, want ErrLocked", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	s.Wait = time.Minute
	if err := s.WriteFile(ctx, path, nil); !errors.Is(err, lockedfile.ErrLocked) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got error %v, want ErrLocked and the context's", err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("something was written without the lock")
	}
	if err := h.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := h.Unlock(); err != nil {
		t.Errorf("a second Unlock: %v", err)
	}
	if err := s.WriteFile(t.Context(), path, nil); err != nil {
		t.Errorf("after Unlock: %v", err)
	}
	if err := s.WriteFile(ctx, path, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("with an ended context: %v", err)
	}
}

func TestLock_Refused(t *testing.T) {
	dir := t.TempDir()
	if _, err := lockedfile.Lock(t.Context(), filepath.Join(dir, "a.LOCK")); err == nil {
		t.Error("a name that ends in .lock is taken")
	}
	if err := os.Symlink(filepath.Join(dir, "elsewhere"), filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	if _, err := lockedfile.Lock(t.Context(), filepath.Join(dir, "link")); err == nil {
		t.Error("a link for a lock file is followed")
	}
}

func TestRooted(t *testing.T) {
	outside := t.TempDir()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	s := lockedfile.Store{LockPath: ".locked", FS: lockedfile.Rooted(root)}
	if err := s.WriteFile(t.Context(), filepath.Join("a", "b"), []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), "log", []byte("x")); err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Join(root.Name(), "a", "b")) + read(t, filepath.Join(root.Name(), "log")); got != "xx\n" {
		t.Errorf("got %q", got)
	}
	if err := s.WriteFile(t.Context(), filepath.Join("..", "f"), nil); err == nil {
		t.Error("a path that leads outside is written")
	}
	if err := os.Symlink(outside, filepath.Join(root.Name(), "out")); err != nil {
		t.Skip(err)
	}
	if err := s.WriteFile(t.Context(), filepath.Join("out", "f"), nil); err == nil {
		t.Error("a link that leads outside is followed")
	}
	if _, err := (lockedfile.Store{LockPath: filepath.Join("out", "l"), FS: lockedfile.Rooted(root)}).Lock(t.Context()); err == nil {
		t.Error("a lock is taken outside")
	}
}

func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	log, count := filepath.Join(dir, "log"), filepath.Join(dir, "count")
	const writers, writes = 8, 15
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			s := lockedfile.Store{LockPath: filepath.Join(dir, "l"), Wait: time.Minute}
			for i := range writes {
				if err := s.Append(t.Context(), log, fmt.Appendf(nil, "%d-%d", w, i)); err != nil {
					t.Error(err)
				}
				err := s.Update(t.Context(), count, func(old []byte) ([]byte, error) { return append(old, 'x'), nil })
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := strings.Count(read(t, log), "\n"); got != writers*writes {
		t.Errorf("%d lines, want %d", got, writers*writes)
	}
	if got := len(read(t, count)); got != writers*writes {
		t.Errorf("%d updates, want %d", got, writers*writes)
	}
}

func TestLines(t *testing.T) {
	var got []string
	for l, err := range lockedfile.Lines(strings.NewReader("a\r\n\nbc\nd")) {
		got = append(got, fmt.Sprintf("%d %q %v %v", l.Offset, l.Text, l.Torn, err))
	}
	want := []string{`0 "a" false <nil>`, `4 "bc" false <nil>`, `7 "d" true <nil>`}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb\r\n\nc"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for l, err := range lockedfile.Lines(bytes.NewReader(data)) {
			if err != nil {
				t.Fatal(err)
			}
			if end := int(l.Offset) + len(l.Text); !bytes.Equal(data[l.Offset:end], l.Text) || bytes.IndexByte(l.Text, '\n') >= 0 {
				t.Errorf("line %q is not at %d of %q", l.Text, l.Offset, data)
			} else if l.Torn != (bytes.IndexByte(data[end:], '\n') < 0) {
				t.Errorf("line %q of %q: torn is %v", l.Text, data, l.Torn)
			}
		}
	})
}

// On a shared cloud machine's SSD an append takes about a millisecond, two
// thirds of it the file's fsync.
//
//	go test -bench . -run - ./lockedfile
func BenchmarkAppend(b *testing.B) {
	path := filepath.Join(b.TempDir(), "log")
	line := []byte(strings.Repeat("x", 200))
	for b.Loop() {
		if err := lockedfile.Append(b.Context(), path, line); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteFile(b *testing.B) {
	path := filepath.Join(b.TempDir(), "f")
	data := []byte(strings.Repeat("x", 1000))
	for b.Loop() {
		if err := lockedfile.WriteFile(b.Context(), path, data); err != nil {
			b.Fatal(err)
		}
	}
}
