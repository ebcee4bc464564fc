package filestore

import (
	"fmt"
	"io/fs"
)

// plainStamp is the part of a stamp that every system has.
func plainStamp(info fs.FileInfo) string {
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}
