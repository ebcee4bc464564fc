//go:build !(linux || openbsd || dragonfly || solaris || darwin || freebsd || netbsd)

package vault

import (
	"io/fs"
	"time"
)

func stampOf(info fs.FileInfo) stamp { return plainStamp(info) }

// newest returns the later of a file's times; only one is known here.
func newest(info fs.FileInfo) time.Time { return info.ModTime() }
