//go:build darwin || freebsd || netbsd

package folder

import (
	"io/fs"
	"syscall"
	"time"
)

// StampOf returns the stamp of a file.
func StampOf(info fs.FileInfo) Stamp {
	s := plainStamp(info)
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.Changed, s.Inode = st.Ctimespec.Nano(), uint64(st.Ino)
	}
	return s
}

// newest returns the later of a file's times.
func newest(info fs.FileInfo) time.Time {
	at := info.ModTime()
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		if c := time.Unix(0, st.Ctimespec.Nano()); c.After(at) {
			return c
		}
	}
	return at
}
