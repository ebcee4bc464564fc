package folder

import (
	"fmt"
	"io/fs"
	"time"
)

// Stamp is what changes with a file. An editor that sets the time of a file
// back still leaves its mark in Changed, where the system tells it.
type Stamp struct {
	// Size is in bytes, the times in nanoseconds since 1970; what the system
	// does not tell is 0.
	Size, Modified, Changed int64
	Inode                   uint64
}

// plainStamp is the part of a stamp that every system has.
func plainStamp(info fs.FileInfo) Stamp {
	return Stamp{Size: info.Size(), Modified: info.ModTime().UnixNano()}
}

// String tells a stamp from others.
func (s Stamp) String() string {
	return fmt.Sprintf("%d %d %d %d", s.Size, s.Modified, s.Changed, s.Inode)
}

// Young reports whether a file read at that time may change again without a
// change of its stamp: clocks of file systems tick slowly, some by the second.
func Young(info fs.FileInfo, at time.Time) bool {
	tick := 50 * time.Millisecond
	if info.ModTime().Nanosecond() == 0 {
		tick = 2100 * time.Millisecond
	}
	return newest(info).After(at.Add(-tick))
}
