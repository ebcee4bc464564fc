package filestore

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
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
	if cure := folder.Cure(doing, err); cure != "" {
		return fmt.Errorf("%s %q: %w; %s", doing, d.path(file), err, cure)
	}
	if p, is := d.linkProblem(); is {
		return fmt.Errorf("%s %q: %w: %q: %s", doing, d.path(file), err, p.Path, p.Reason)
	}
	return fmt.Errorf("%s %q: %w", doing, d.path(file), err)
}

// reason is an error without the path in it, for a Problem has that already.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
