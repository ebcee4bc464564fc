//go:build !(linux || openbsd || dragonfly || solaris || darwin || freebsd || netbsd)

package folder

import (
	"io/fs"
	"time"
)

// StampOf returns the stamp of a file.
func StampOf(info fs.FileInfo) Stamp { return plainStamp(info) }

// newest returns the later of a file's times; only one is known here.
func newest(info fs.FileInfo) time.Time { return info.ModTime() }
