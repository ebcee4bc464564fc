//go:build linux

package vault

import (
	"syscall"
	"unsafe"
)

// watch tells whether anything in some folders was touched, without a look at
// each of their files. The kernel notes a change before the system call that
// makes it returns, so that a quiet watch means unchanged files.
type watch struct{ fd int }

// newWatch returns a watch on no folder yet; nil when there can be none.
func newWatch() *watch {
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	if err != nil {
		return nil
	}
	return &watch{fd}
}

// add watches a folder, too, and reports whether it can: not when its disk is
// one that others change behind the kernel's back.
func (w *watch) add(dir string) bool {
	if w == nil {
		return false
	}
	var disk syscall.Statfs_t
	if syscall.Statfs(dir, &disk) != nil || !local(int64(disk.Type)) {
		return false
	}
	const changes = syscall.IN_MODIFY | syscall.IN_ATTRIB | syscall.IN_CREATE | syscall.IN_DELETE | syscall.IN_MOVED_FROM | syscall.IN_MOVED_TO |
		syscall.IN_DELETE_SELF | syscall.IN_MOVE_SELF | syscall.IN_CLOSE_WRITE
	_, err := syscall.InotifyAddWatch(w.fd, dir, changes)
	return err == nil
}

// local tells a disk of this machine by its magic number (statfs(2)).
func local(kind int64) bool {
	switch kind {
	case 0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1: // ext, xfs, btrfs, tmpfs, overlay, f2fs, zfs
		return true
	}
	return false
}

// quiet reports whether nothing was touched since it was last asked.
func (w *watch) quiet() bool {
	if w == nil {
		return false
	}
	var buf [4096]byte
	quiet := true
	for {
		n, err := syscall.Read(w.fd, buf[:])
		if err == syscall.EINTR {
			continue
		}
		if n <= 0 || err != nil {
			return quiet && err == syscall.EAGAIN
		}
		quiet = false
		if n < len(buf)-int(unsafe.Sizeof(syscall.InotifyEvent{}))-syscall.NAME_MAX-1 {
			return false
		}
	}
}

func (w *watch) close() {
	if w != nil {
		syscall.Close(w.fd)
	}
}
