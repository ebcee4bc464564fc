//go:build linux || openbsd || dragonfly || solaris

package vault

import (
	"io/fs"
	"syscall"
	"time"
)

func stampOf(info fs.FileInfo) stamp {
	s := plainStamp(info)
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.changed, s.inode = st.Ctim.Nano(), st.Ino
	}
	return s
}

// newest returns the later of a file's times.
func newest(info fs.FileInfo) time.Time {
	at := info.ModTime()
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		if c := time.Unix(0, st.Ctim.Nano()); c.After(at) {
			return c
		}
	}
	return at
}
