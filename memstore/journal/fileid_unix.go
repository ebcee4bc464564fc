//go:build unix

package journal

import (
	"io/fs"
	"syscall"
)

// fileID tells a file from another that took its name.
func fileID(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Ino)
	}
	return 0
}
