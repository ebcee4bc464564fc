package mapper

import (
	"io/fs"
	"os"
	"time"
)

// A stamp is what the file system says about a file without opening it. Equal
// stamps mean equal content, unless the file was written within one tick of
// the clock that gives them: see settled.
type stamp struct {
	size    int64
	mtime   int64 // nanoseconds
	changed int64 // time of the last change of content or metadata, which no program can set; 0 where the system does not tell
	inode   uint64
}

func stampOf(info fs.FileInfo) stamp {
	s := stamp{size: info.Size(), mtime: info.ModTime().UnixNano()}
	s.changed, s.inode = identity(info)
	return s
}

// stampFile stamps a file by its real path; a missing file has the zero stamp.
func stampFile(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	return stampOf(info)
}

// tick is longer than any file system's clock step: two seconds on FAT.
const tick = 2500 * time.Millisecond

// settled reports whether the file was last touched long enough before now
// that a later write must show in its stamp.
func (s stamp) settled(now time.Time) bool {
	return now.UnixNano()-max(s.mtime, s.changed) > int64(tick)
}
