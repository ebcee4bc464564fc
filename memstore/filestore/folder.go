package filestore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
)

// openRoot opens the store's folder; both results are nil when there is none.
func (d *Dir) openRoot() (*os.Root, error) {
	root, err := d.folder.Open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return root, err
}

// lock opens the folder, making it when it is missing, and locks it.
func (d *Dir) lock(ctx context.Context) (*os.Root, *lockedfile.Held, error) {
	root, h, _, err := d.folder.Lock(ctx)
	return root, h, err
}

// linkProblem finds the link on the way to the facts that leads nowhere or
// where the store may not follow it.
func (d *Dir) linkProblem() (memstore.Problem, bool) {
	dir := d.folder.Dir
	if within, rel := d.folder.Within(); within != "" {
		outer, err := os.OpenRoot(within)
		if err != nil {
			return memstore.Problem{}, false
		}
		defer outer.Close()
		at := ""
		for part := range strings.SplitSeq(rel, string(filepath.Separator)) {
			at = filepath.Join(at, part)
			if to, err := brokenLink(outer, at); err != nil {
				return linkProblem(filepath.Join(within, at), to, within, err), true
			}
		}
	} else if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if _, err := os.Stat(dir); err != nil {
			to, _ := os.Readlink(dir)
			return linkProblem(dir, to, dir, err), true
		}
	}
	root, err := d.openRoot()
	if root == nil || err != nil {
		return memstore.Problem{}, false
	}
	defer root.Close()
	if to, err := brokenLink(root, factFolder); err != nil {
		return linkProblem(d.path(factFolder), to, dir, err), true
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
	if info, err := root.Lstat(folder.LockName); err != nil || info.Mode().IsRegular() {
		return memstore.Problem{}, false
	}
	return memstore.Problem{Path: d.path(folder.LockName), Reason: "it is no regular file, so that nothing can be written; remove it"}, true
}
