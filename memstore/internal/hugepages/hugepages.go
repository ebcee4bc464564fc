// Package hugepages makes large slices that the system backs with large pages
// where it can: the first touch of a page of 4 KiB costs some microseconds, which
// is most of the time in which a large file is read and taken apart. The slices
// are the garbage collector's like any other.
//
//	text := hugepages.Bytes(int(info.Size()))
//	pool := hugepages.NewPool(12 * n)
//	ids, sizes := hugepages.Slice[int64](pool, n, n), hugepages.Slice[uint32](pool, n, n)
package hugepages

import "unsafe"

// Bytes returns n zero bytes.
func Bytes(n int) []byte {
	b := make([]byte, n)
	advise(b)
	return b
}

// Pool is memory that several slices are cut from, since each alone would be too
// small for a large page. It stays as long as one of them does.
type Pool struct{ free []byte }

// NewPool returns a pool of n bytes; cutting a slice off takes up to 7 more than
// it holds.
func NewPool(n int) *Pool { return &Pool{Bytes(n)} }

// Slice cuts a slice of zeros off a pool, n long, with room for capacity. It
// panics when the pool has not enough left.
func Slice[T byte | uint16 | uint32 | uint64 | int64](p *Pool, n, capacity int) []T {
	if capacity == 0 {
		return nil
	}
	var zero T
	size := (int(unsafe.Sizeof(zero))*capacity + 7) &^ 7
	b := p.free[:size:size]
	p.free = p.free[size:]
	// A pool begins where any T may, and all cuts are of a multiple of 8.
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), capacity)[:n:capacity]
}
