//go:build linux

package folder

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"syscall"
)

// Watch is told by the kernel which files of some folders change, before the
// call that changes them returns. So whoever asks after a change learns of it,
// and the others need not be looked at.
type Watch struct {
	folder fs.FileInfo // the first one
	queue  *os.File
	fd     int              // the queue's
	names  map[int32]string // of the folders, by the kernel's numbers
}

const watched = syscall.IN_CREATE | syscall.IN_DELETE | syscall.IN_MODIFY | syscall.IN_ATTRIB | syscall.IN_CLOSE_WRITE |
	syscall.IN_MOVED_FROM | syscall.IN_MOVED_TO | syscall.IN_ONLYDIR

// unsure is in events after which the files have to be looked at: the queue was
// full, or there is no watch any more.
const unsure = syscall.IN_Q_OVERFLOW | syscall.IN_IGNORED | syscall.IN_UNMOUNT

// local holds the file systems, by their magic numbers, on which no change is
// made but through this kernel.
var local = []int64{
	0xef53,     // ext2, ext3, ext4
	0x58465342, // xfs
	0x9123683e, // btrfs
	0xf2f52010, // f2fs
	0x2fc12fc1, // zfs
	0xca451a4e, // bcachefs
	0x01021994, // tmpfs
	0x794c7630, // overlayfs
}

// NewWatch watches an open folder; nil means that it cannot be watched.
func NewWatch(folder *os.File) *Watch {
	w := &Watch{names: map[int32]string{}}
	var err error
	if w.folder, err = folder.Stat(); err != nil {
		return nil
	}
	fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	if err != nil {
		return nil
	}
	w.queue, w.fd = os.NewFile(uintptr(fd), "inotify"), fd
	if !w.Add(folder, "") {
		w.queue.Close()
		return nil
	}
	return w
}

// Add watches another open folder, too, and reports whether it can. The names
// of what changes there come after name and "/".
func (w *Watch) Add(folder *os.File, name string) bool {
	conn, err := folder.SyscallConn()
	if err != nil {
		return false
	}
	added := false
	err = conn.Control(func(fd uintptr) {
		var on syscall.Statfs_t
		if syscall.Fstatfs(int(fd), &on) != nil || !slices.Contains(local, int64(uint32(on.Type))) {
			return
		}
		// By its descriptor, for the path may lead elsewhere by now.
		number, err := syscall.InotifyAddWatch(w.fd, fmt.Sprintf("/proc/self/fd/%d", fd), watched)
		if err == nil {
			w.names[int32(number)], added = name, true
		}
	})
	return err == nil && added
}

// Changed returns the names of what was changed since the last call, each at
// least once; ok is false when the first folder is another or that cannot be
// told.
func (w *Watch) Changed(folder fs.FileInfo) (names []string, ok bool) {
	if !os.SameFile(w.folder, folder) {
		return nil, false
	}
	conn, err := w.queue.SyscallConn()
	if err != nil {
		return nil, false
	}
	buf := make([]byte, 16<<10)
	for {
		n, failed := 0, error(nil)
		if conn.Read(func(fd uintptr) bool { n, failed = syscall.Read(int(fd), buf); return true }) != nil {
			return nil, false
		}
		switch {
		case failed == syscall.EINTR:
			continue
		case failed == syscall.EAGAIN:
			return names, true
		case failed != nil || n <= 0:
			return nil, false
		}
		if names, ok = w.eventNames(names, buf[:n]); !ok {
			return nil, false
		}
	}
}

// eventNames appends the names in a queue's events.
func (w *Watch) eventNames(names []string, events []byte) (_ []string, ok bool) {
	for len(events) >= syscall.SizeofInotifyEvent {
		dir, known := w.names[int32(binary.NativeEndian.Uint32(events))]
		mask := binary.NativeEndian.Uint32(events[4:])
		size := int(binary.NativeEndian.Uint32(events[12:]))
		events = events[syscall.SizeofInotifyEvent:]
		if mask&unsure != 0 || size > len(events) || !known && mask&syscall.IN_Q_OVERFLOW == 0 {
			return nil, false
		}
		if name, _, _ := bytes.Cut(events[:size], []byte{0}); len(name) > 0 {
			names = append(names, path.Join(dir, string(name)))
		}
		events = events[size:]
	}
	return names, len(events) == 0
}

// Close ends the watch.
func (w *Watch) Close() { w.queue.Close() }

// Elsewhere reports whether a file can be changed under a name in another
// folder, of which no watch tells.
func Elsewhere(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || st.Nlink > 1
}
