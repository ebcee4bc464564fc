//go:build linux

package hugepages

import (
	"syscall"
	"unsafe"
)

// large is the size of a large page on most machines, in bytes.
const large = 2 << 20

// advise asks for large pages where b holds whole ones (madvise(2)). A kernel that
// has none says no, and nothing is lost.
func advise(b []byte) {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	from := (large - start%large) % large
	if whole := (uintptr(len(b)) - min(from, uintptr(len(b)))) / large * large; whole > 0 {
		_ = syscall.Madvise(b[from:from+whole], syscall.MADV_HUGEPAGE)
	}
}
