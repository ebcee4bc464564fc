package filestore

import "github.com/slipstream-mcp/slipstream/memstore/lockedfile"

// Wrap puts a file system of a test between a store and the disk.
func (d *Dir) Wrap(wrap func(lockedfile.FS) lockedfile.FS) { d.folder.Wrap = wrap }

// Blind makes a store look at all files each time, as where nothing can be
// watched.
func (d *Dir) Blind() { d.blind = true }
