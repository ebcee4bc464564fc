package vault

import "io/fs"

// stamp is what changes with a file. An editor that sets the time of a file
// back still leaves its mark in changed, where the system tells it.
type stamp struct {
	size, modified, changed int64
	inode                   uint64
}

// plainStamp is the part of a stamp that every system has.
func plainStamp(info fs.FileInfo) stamp {
	return stamp{size: info.Size(), modified: info.ModTime().UnixNano()}
}
