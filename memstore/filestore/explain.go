package filestore

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
)

// explain says which file an error is about and, where it is known, the cure.
func (d *Dir) explain(doing, file string, err error) error {
	if errors.Is(err, memstore.ErrConflict) || errors.Is(err, memstore.ErrNotFound) {
		return err
	}
	if p, is := d.lockProblem(); is && errors.Is(err, lockedfile.ErrNotRegular) {
		return fmt.Errorf("%s %q: %w: %q; remove it", doing, d.path(file), err, p.Path)
	}
	if cure := cureOf(doing, err); cure != "" {
		return fmt.Errorf("%s %q: %w; %s", doing, d.path(file), err, cure)
	}
	if p, is := d.linkProblem(); is {
		return fmt.Errorf("%s %q: %w: %q: %s", doing, d.path(file), err, p.Path, p.Reason)
	}
	return fmt.Errorf("%s %q: %w", doing, d.path(file), err)
}

func cureOf(doing string, err error) string {
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

// reason is an error without the path in it, for a Problem has that already.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
