//go:build linux || openbsd || dragonfly || solaris

package filestore

import (
	"fmt"
	"io/fs"
	"syscall"
	"time"
)

// stampOf returns what changes with a file: also an editor that sets the time
// of a file back leaves its mark in the ctime.
func stampOf(info fs.FileInfo) string {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return plainStamp(info)
	}
	return fmt.Sprintf("%s %d.%d %d", plainStamp(info), st.Ctim.Sec, st.Ctim.Nsec, st.Ino)
}

// newest returns the later of a file's times.
func newest(info fs.FileInfo) time.Time {
	at := info.ModTime()
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		if c := time.Unix(int64(st.Ctim.Sec), int64(st.Ctim.Nsec)); c.After(at) {
			return c
		}
	}
	return at
}
