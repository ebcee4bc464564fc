package filestore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
)

var errNotRegular = errors.New("it is no regular file")

// relIn returns the path of dir below within.
func relIn(within, dir string) (string, error) {
	outer, err := filepath.Abs(within)
	if err != nil {
		return "", err
	}
	inner, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(outer, inner)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%q does not lie in %q", dir, within)
	}
	return rel, nil
}

// openRoot opens the store's folder; both results are nil when there is none.
func (d *Dir) openRoot() (*os.Root, error) {
	root, err := d.openFolder()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return root, err
}

// openFolder opens the store's folder by a path that stays where it must.
func (d *Dir) openFolder() (*os.Root, error) {
	if d.within == "" {
		return openRoot(d.dir, os.Stat, os.OpenRoot)
	}
	outer, err := openRoot(d.within, os.Stat, os.OpenRoot)
	if err != nil {
		return nil, err
	}
	defer outer.Close()
	return openRoot(d.rel, outer.Stat, outer.OpenRoot)
}

// openRoot looks before it opens: a pipe in the place of a folder would block.
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

// openNow opens a file or folder for reading and does not wait for the other
// end of a pipe.
func openNow(root *os.Root, name string) (*os.File, error) {
	flag := os.O_RDONLY
	if runtime.GOOS != "windows" {
		flag |= syscall.O_NONBLOCK
	}
	return root.OpenFile(name, flag, 0)
}

// lock opens the folder, making it when it is missing, and locks it.
func (d *Dir) lock(ctx context.Context) (*os.Root, *lockedfile.Held, error) {
	root, err := d.openFolder()
	if errors.Is(err, fs.ErrNotExist) {
		if err := d.makeFolder(ctx); err != nil {
			return nil, nil, err
		}
		root, err = d.openFolder()
	}
	if err != nil {
		return nil, nil, err
	}
	fsys := lockedfile.Rooted(root)
	if d.wrap != nil {
		fsys = d.wrap(fsys)
	}
	// New content is written beside the lock, where git looks at nothing, and
	// not among the facts: a killed writer leaves it there.
	h, err := lockedfile.Store{LockPath: lockName, FS: fsys, Wait: lockWait, TempDir: "."}.Lock(ctx)
	if err != nil {
		root.Close()
		return nil, nil, err
	}
	return root, h, nil
}

// makeFolder creates the folder and those above it, durably, as taking the lock
// by its path does.
func (d *Dir) makeFolder(ctx context.Context) error {
	s := lockedfile.Store{LockPath: filepath.Join(d.dir, lockName), Wait: lockWait}
	if d.within != "" {
		outer, err := openRoot(d.within, os.Stat, os.OpenRoot)
		if err != nil {
			return err
		}
		defer outer.Close()
		s.LockPath, s.FS = filepath.Join(d.rel, lockName), lockedfile.Rooted(outer)
	}
	h, err := s.Lock(ctx)
	if err != nil {
		return err
	}
	return h.Unlock()
}

// linkProblem finds the link on the way to the facts that leads nowhere or
// where the store may not follow it.
func (d *Dir) linkProblem() (memstore.Problem, bool) {
	if d.within != "" {
		outer, err := openRoot(d.within, os.Stat, os.OpenRoot)
		if err != nil {
			return memstore.Problem{}, false
		}
		defer outer.Close()
		at := ""
		for part := range strings.SplitSeq(d.rel, string(filepath.Separator)) {
			at = filepath.Join(at, part)
			if to, err := brokenLink(outer, at); err != nil {
				return linkProblem(filepath.Join(d.within, at), to, d.within, err), true
			}
		}
	} else if info, err := os.Lstat(d.dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if _, err := os.Stat(d.dir); err != nil {
			to, _ := os.Readlink(d.dir)
			return linkProblem(d.dir, to, d.dir, err), true
		}
	}
	root, err := d.openRoot()
	if root == nil || err != nil {
		return memstore.Problem{}, false
	}
	defer root.Close()
	if to, err := brokenLink(root, factFolder); err != nil {
		return linkProblem(d.path(factFolder), to, d.dir, err), true
	}
	return memstore.Problem{}, false
}

// brokenLink returns where a link leads and why it cannot be followed; the error
// is nil for all else.
func brokenLink(root *os.Root, name string) (to string, err error) {
	if info, err := root.Lstat(name); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return "", nil
	}
	if _, err = root.Stat(name); err != nil {
		to, _ = root.Readlink(name)
	}
	return to, err
}

func linkProblem(link, to, from string, err error) memstore.Problem {
	why := fmt.Sprintf("leads out of %q", from)
	if errors.Is(err, fs.ErrNotExist) {
		why = "leads nowhere"
	} else if errors.Is(err, syscall.ELOOP) {
		why = "leads back to itself"
	}
	return memstore.Problem{Path: link, Reason: fmt.Sprintf("it is a link to %q, which %s; remove the link, or use --memory-root", to, why)}
}

// lockProblem finds what stands in the place of the lock.
func (d *Dir) lockProblem() (memstore.Problem, bool) {
	root, err := d.openRoot()
	if root == nil || err != nil {
		return memstore.Problem{}, false
	}
	defer root.Close()
	if info, err := root.Lstat(lockName); err != nil || info.Mode().IsRegular() {
		return memstore.Problem{}, false
	}
	return memstore.Problem{Path: d.path(lockName), Reason: errNotRegular.Error() + ", so that nothing can be written; remove it"}, true
}
