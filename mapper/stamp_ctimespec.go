//go:build darwin || freebsd || netbsd

package mapper

import (
	"io/fs"
	"syscall"
)

// identity gives the change time in nanoseconds and the inode.
func identity(info fs.FileInfo) (changed int64, inode uint64) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return st.Ctimespec.Nano(), uint64(st.Ino)
}
