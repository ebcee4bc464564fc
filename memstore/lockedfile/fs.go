package lockedfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// FS is the file system under a Store: what [OS] and [Rooted] give, or a test's
// recorder over one of them. Flags and errors are those of package os.
type FS interface {
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	Lstat(name string) (fs.FileInfo, error)
	Mkdir(name string, perm fs.FileMode) error
	Rename(oldName, newName string) error
	Remove(name string) error
	// SyncDir makes the names in a folder durable.
	SyncDir(name string) error
	// TryLock locks the file, made when missing, and never waits: ok is false
	// when another holds it.
	TryLock(name string) (unlock func() error, ok bool, err error)
}

// File is an open file of an FS; *os.File is one.
type File interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.Closer
	Stat() (fs.FileInfo, error)
	Truncate(size int64) error
	Chmod(mode fs.FileMode) error
	Sync() error
}

// OS returns the operating system's file system.
func OS() FS { return osFS{} }

type osFS struct{}

func (osFS) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (osFS) Lstat(name string) (fs.FileInfo, error)    { return os.Lstat(name) }
func (osFS) Mkdir(name string, perm fs.FileMode) error { return os.Mkdir(name, perm) }
func (osFS) Remove(name string) error                  { return os.Remove(name) }

func (osFS) Rename(oldName, newName string) error {
	return patiently(func() error { return os.Rename(oldName, newName) })
}

func (osFS) SyncDir(name string) error {
	return syncDir(func() (*os.File, error) { return os.Open(name) })
}

func (osFS) TryLock(name string) (func() error, bool, error) {
	return tryLock(name, func() (fs.FileInfo, error) { return os.Lstat(name) })
}

// Rooted returns the files below root, reached by paths relative to it that
// neither ".." nor a link can lead outside. The root stays the caller's to close.
func Rooted(root *os.Root) FS { return rootFS{root} }

type rootFS struct{ root *os.Root }

func (r rootFS) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := r.root.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (r rootFS) Lstat(name string) (fs.FileInfo, error)    { return r.root.Lstat(name) }
func (r rootFS) Mkdir(name string, perm fs.FileMode) error { return r.root.Mkdir(name, perm) }
func (r rootFS) Remove(name string) error                  { return r.root.Remove(name) }

func (r rootFS) Rename(oldName, newName string) error {
	return patiently(func() error { return r.root.Rename(oldName, newName) })
}

func (r rootFS) SyncDir(name string) error {
	return syncDir(func() (*os.File, error) { return r.root.Open(name) })
}

func (r rootFS) TryLock(name string) (func() error, bool, error) {
	if !filepath.IsLocal(name) {
		return nil, false, fmt.Errorf("path escapes from parent")
	}
	// The lock is taken by path. So that this creates nothing outside, the file
	// is made inside the root, and it must be what the path leads to.
	made, err := r.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		var f File
		if f, err = open(r, name, os.O_RDONLY|os.O_CREATE); err != nil {
			return nil, false, err
		}
		f.Close()
		made, err = r.root.Lstat(name)
	}
	if err != nil {
		return nil, false, err
	}
	path := filepath.Join(r.root.Name(), name)
	if found, err := os.Lstat(path); err != nil || !os.SameFile(made, found) {
		return nil, false, fmt.Errorf("%q was moved while it was opened", path)
	}
	return tryLock(path, func() (fs.FileInfo, error) { return r.root.Lstat(name) })
}

// patiently tries again for a tenth of a second where a reader that has the
// file open is in the way of a rename.
func patiently(rename func() error) error {
	err := rename()
	for i := 0; i < 20 && err != nil && runtime.GOOS == "windows" && !errors.Is(err, fs.ErrNotExist); i++ {
		time.Sleep(5 * time.Millisecond)
		err = rename()
	}
	return err
}

func syncDir(open func() (*os.File, error)) error {
	if runtime.GOOS == "windows" { // no folder can be synced there; NTFS journals its names
		return nil
	}
	d, err := open()
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

func tryLock(path string, lstat func() (fs.FileInfo, error)) (func() error, bool, error) {
	if info, err := lstat(); err == nil && !info.Mode().IsRegular() {
		return nil, false, ErrNotRegular
	}
	l := flock.New(path)
	ok, err := l.TryLock()
	if !ok || err != nil {
		return nil, false, err
	}
	return l.Unlock, true, nil
}

// open opens a regular file and nothing else: a pipe in its place must not
// block, nor a device be written to.
func open(fsys FS, path string, flag int) (File, error) {
	if runtime.GOOS != "windows" {
		flag |= syscall.O_NONBLOCK
	}
	f, err := fsys.OpenFile(path, flag, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%q: %w", path, ErrNotRegular)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// makeFolder creates the folder and those above it that are missing, each with
// 0700 and each durable before the next.
func makeFolder(fsys FS, dir string) error {
	if _, err := fsys.Lstat(dir); err == nil {
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	parent := filepath.Dir(dir)
	if parent == dir {
		return fmt.Errorf("%q: %w", dir, fs.ErrNotExist)
	}
	if err := makeFolder(fsys, parent); err != nil {
		return err
	}
	if err := fsys.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncFolder(fsys, parent)
}

func syncFolder(fsys FS, dir string) error {
	if err := fsys.SyncDir(dir); err != nil {
		return fmt.Errorf("syncing folder %q: %w", dir, err)
	}
	return nil
}
