// Package folder opens a store's folder: by a path that stays where it must,
// created when there is something to write, locked by the one lock its writers
// share.
package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
)

// LockName is the lock file of a store's folder.
const LockName = ".locked"

// Folder is where a store is kept.
type Folder struct {
	// Dir is its path.
	Dir string
	// Wait is how long its lock is waited for.
	Wait time.Duration
	// Wrap, unless nil, stands between the store and the disk, for tests.
	Wrap func(lockedfile.FS) lockedfile.FS

	within, rel string
}

// New returns the folder at dir, which must lie in within unless that is "".
func New(dir, within string, wait time.Duration) (Folder, error) {
	if dir == "" {
		return Folder{}, errors.New("a store needs a folder")
	}
	f := Folder{Dir: dir, Wait: wait}
	if within == "" {
		return f, nil
	}
	outer, err := filepath.Abs(within)
	if err != nil {
		return Folder{}, err
	}
	inner, err := filepath.Abs(dir)
	if err != nil {
		return Folder{}, err
	}
	rel, err := filepath.Rel(outer, inner)
	if err != nil || !filepath.IsLocal(rel) {
		return Folder{}, fmt.Errorf("%q does not lie in %q", dir, within)
	}
	f.within, f.rel = within, rel
	return f, nil
}

// Within returns the folder it must lie in and its path from there; both are ""
// when any will do.
func (f Folder) Within() (within, rel string) { return f.within, f.rel }

// Open opens the folder; the error is fs.ErrNotExist's kind when there is none.
func (f Folder) Open() (*os.Root, error) {
	if f.within == "" {
		return openRoot(f.Dir, os.Stat, os.OpenRoot)
	}
	outer, err := openRoot(f.within, os.Stat, os.OpenRoot)
	if err != nil {
		return nil, err
	}
	defer outer.Close()
	return openRoot(f.rel, outer.Stat, outer.OpenRoot)
}

// OpenRoot opens a folder of an open one. It looks first: a pipe in its place would
// block.
func OpenRoot(in *os.Root, name string) (*os.Root, error) {
	return openRoot(name, in.Stat, in.OpenRoot)
}

func openRoot(dir string, stat func(string) (fs.FileInfo, error), open func(string) (*os.Root, error)) (*os.Root, error) {
	info, err := stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR}
	}
	return open(dir)
}

// Lock opens the folder, making it when it is missing, and locks it. made says
// that it was missing.
func (f Folder) Lock(ctx context.Context) (root *os.Root, h *lockedfile.Held, made bool, err error) {
	root, err = f.Open()
	if errors.Is(err, fs.ErrNotExist) {
		if err := f.create(ctx); err != nil {
			return nil, nil, false, err
		}
		made = true
		root, err = f.Open()
	}
	if err != nil {
		return nil, nil, false, err
	}
	fsys := lockedfile.Rooted(root)
	if f.Wrap != nil {
		fsys = f.Wrap(fsys)
	}
	// New content is written beside the lock, where git looks at nothing: a
	// killed writer leaves it there.
	h, err = lockedfile.Store{LockPath: LockName, FS: fsys, Wait: f.Wait, TempDir: "."}.Lock(ctx)
	if err != nil {
		root.Close()
		return nil, nil, false, err
	}
	return root, h, made, nil
}

// create makes the folder and those above it, durably, as taking the lock by
// its path does.
func (f Folder) create(ctx context.Context) error {
	s := lockedfile.Store{LockPath: filepath.Join(f.Dir, LockName), Wait: f.Wait}
	if f.within != "" {
		outer, err := openRoot(f.within, os.Stat, os.OpenRoot)
		if err != nil {
			return err
		}
		defer outer.Close()
		s.LockPath, s.FS = filepath.Join(f.rel, LockName), lockedfile.Rooted(outer)
	}
	h, err := s.Lock(ctx)
	if err != nil {
		return err
	}
	return h.Unlock()
}

// OpenFile opens a regular file for reading; a pipe in its place does not block.
func OpenFile(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	flag := os.O_RDONLY
	if runtime.GOOS != "windows" {
		flag |= syscall.O_NONBLOCK
	}
	f, err := root.OpenFile(name, flag, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: lockedfile.ErrNotRegular}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// Cure tells the way out of an error of reading or writing ("" when none is
// known).
func Cure(doing string, err error) string {
	switch {
	case errors.Is(err, lockedfile.ErrLocked):
		return "another program is writing there, try again"
	case errors.Is(err, syscall.EROFS):
		return "that disk is read-only: make it writable or keep memory in another folder"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "that disk is full: free some space"
	case errors.Is(err, fs.ErrPermission) && doing == "writing":
		return "let this user write to that folder or keep memory in another one"
	case errors.Is(err, fs.ErrPermission):
		return "let this user read that folder"
	case errors.Is(err, syscall.ENOTDIR):
		return "a file stands where a folder should be: move it away"
	}
	return ""
}
