package lockedfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// tempName is the one name in a folder under which new content is written
// before it takes its place. Writers hold the lock, so one name is enough, and
// what a killed writer left there is gone with the next write.
const tempName = ".locked.tmp"

// Held is a store's lock while it is held. Its methods are for one goroutine;
// when they return nil the write is on the disk. Paths need not lie in the
// folder of the lock, but all writers of a folder must use the same lock.
type Held struct {
	fs      FS
	unlock  func() error
	tempDir string // "" is the folder of the file that is written
}

// Unlock gives the lock back. Further calls do nothing; other methods must not
// be called after it.
func (h *Held) Unlock() error {
	if h.unlock == nil {
		return nil
	}
	unlock := h.unlock
	h.unlock = nil
	return unlock()
}

// Append adds lines to the file at path, each ended by a newline, in one write.
// A line must not hold a newline itself. The file (0600) and its folder (0700)
// are created when missing. A last line that was cut short by a crash is ended
// first, so that it spoils no line but itself. When the write fails the file
// is cut back to what it was, as far as the disk allows.
func (h *Held) Append(path string, lines ...[]byte) error {
	var text []byte
	for _, l := range lines {
		if bytes.IndexByte(l, '\n') >= 0 {
			return fmt.Errorf("appending to %q: a line holds a newline", path)
		}
		text = append(append(text, l...), '\n')
	}
	if len(text) == 0 {
		return nil
	}
	dir := filepath.Dir(path)
	if err := makeFolder(h.fs, dir); err != nil {
		return err
	}
	f, err := open(h.fs, path, os.O_RDWR|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	if size > 0 {
		var last [1]byte
		if _, err := f.ReadAt(last[:], size-1); err != nil {
			return fmt.Errorf("reading the end of %q: %w", path, err)
		}
		if last[0] != '\n' {
			text = append([]byte{'\n'}, text...)
		}
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		// Best effort: what stays is a torn line, which the next Append ends.
		_ = f.Truncate(size)
		return fmt.Errorf("appending to %q: %w", path, err)
	}
	// Always, for the file may be there because of a writer that was killed
	// before it came to this line.
	return syncFolder(h.fs, dir)
}

// Update replaces the content of the file at path by what f makes of it; old
// is nil when there is no file. An error of f is returned as it is and nothing
// is written.
func (h *Held) Update(path string, f func(old []byte) ([]byte, error)) error {
	old, err := readFile(h.fs, path)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return err
	}
	data, err := f(old)
	if err != nil {
		return err
	}
	if !missing && bytes.Equal(old, data) {
		// The equal content may be a killed writer's: rename done, folder
		// not yet on the disk.
		return syncFolder(h.fs, filepath.Dir(path))
	}
	return h.WriteFile(path, data)
}

// WriteFile replaces the content of the file at path in one step: whoever
// reads sees the old content or the new, also after a power cut. An existing
// file keeps its permissions, a new one has 0600, and missing folders are
// created with 0700. A symbolic link at path is replaced, not followed.
func (h *Held) WriteFile(path string, data []byte) error {
	dir := filepath.Dir(path)
	if err := makeFolder(h.fs, dir); err != nil {
		return err
	}
	if h.tempDir == "" {
		return h.replace(path, filepath.Join(dir, tempName), data)
	}
	// Where a folder of another disk was written to, its temporary file may be left.
	if left := filepath.Join(dir, tempName); left != filepath.Join(h.tempDir, tempName) {
		if _, err := h.fs.Lstat(left); err == nil {
			_ = h.fs.Remove(left)
		}
	}
	err := h.replace(path, filepath.Join(h.tempDir, tempName), data)
	if errors.Is(err, syscall.EXDEV) { // the folder is another disk's
		return h.replace(path, filepath.Join(dir, tempName), data)
	}
	return err
}

// replace writes data to temp and gives it the name path.
func (h *Held) replace(path, temp string, data []byte) (err error) {
	if err := h.fs.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	defer func() {
		if err != nil {
			_ = h.fs.Remove(temp)
			err = fmt.Errorf("writing %q: %w", path, err)
		}
	}()
	f, err := h.fs.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := h.fill(f, path, data); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := h.fs.Rename(temp, path); err != nil {
		return err
	}
	return h.fs.SyncDir(filepath.Dir(path))
}

func (h *Held) fill(f File, path string, data []byte) error {
	if info, err := h.fs.Lstat(path); err == nil && info.Mode().IsRegular() && info.Mode().Perm() != 0o600 {
		if err := f.Chmod(info.Mode().Perm()); err != nil {
			return err
		}
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}

// Remove removes the file at path; the error is fs.ErrNotExist's kind when
// there is none. A folder, even an empty one, is no file.
func (h *Held) Remove(path string) error {
	if info, err := h.fs.Lstat(path); err == nil && info.IsDir() {
		return fmt.Errorf("removing %q: it is a folder", path)
	}
	if err := h.fs.Remove(path); err != nil {
		return err
	}
	return syncFolder(h.fs, filepath.Dir(path))
}

// ReadFile reads the file at path whole. It needs no lock; under it, it sees
// what the next write will replace.
func (h *Held) ReadFile(path string) ([]byte, error) { return readFile(h.fs, path) }

func readFile(fsys FS, path string) ([]byte, error) {
	f, err := open(fsys, path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var data bytes.Buffer
	if info, err := f.Stat(); err == nil {
		data.Grow(int(min(info.Size(), 64<<20)) + bytes.MinRead)
	}
	if _, err := data.ReadFrom(f); err != nil {
		return nil, fmt.Errorf("reading %q: %w", path, err)
	}
	return data.Bytes(), nil
}
