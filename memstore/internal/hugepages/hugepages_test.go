package hugepages_test

import (
	"testing"
	"unsafe"

	"github.com/slipstream-mcp/slipstream/memstore/internal/hugepages"
)

func TestBytes(t *testing.T) {
	for _, n := range []int{0, 1, 4095, 1 << 20, 5<<20 + 3} {
		b := hugepages.Bytes(n)
		if len(b) != n {
			t.Errorf("%d bytes are %d", n, len(b))
		}
		for i := range b {
			if b[i] != 0 {
				t.Fatalf("byte %d of %d is %d", i, n, b[i])
			}
			b[i] = byte(i)
		}
	}
}

func TestSlice(t *testing.T) {
	const n, room = 100_000, 110_000
	p := hugepages.NewPool(room*(8+4+1) + 3*7)
	a, b, c := hugepages.Slice[int64](p, n, room), hugepages.Slice[uint32](p, n, room), hugepages.Slice[byte](p, n, room)
	if len(a) != n || cap(b) != room || len(c) != n || uintptr(unsafe.Pointer(&b[0]))%4 != 0 {
		t.Errorf("lengths %d, %d, %d, room %d", len(a), len(b), len(c), cap(b))
	}
	for i := range n {
		a[i], b[i], c[i] = int64(i), uint32(2*i), byte(i)
	}
	b = append(b, 7) // within its own room
	for i := range n {
		if a[i] != int64(i) || b[i] != uint32(2*i) || c[i] != byte(i) {
			t.Fatalf("row %d: %d, %d, %d", i, a[i], b[i], c[i])
		}
	}
	if s := hugepages.Slice[uint16](hugepages.NewPool(0), 0, 0); len(s) != 0 {
		t.Errorf("none are %d", len(s))
	}
}

func BenchmarkBytes(b *testing.B) {
	for _, c := range []struct {
		name string
		make func(n int) []byte
	}{{"large pages", hugepages.Bytes}, {"plain", func(n int) []byte { return make([]byte, n) }}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				text := c.make(32 << 20)
				for i := 0; i < len(text); i += 4096 {
					text[i] = 1
				}
			}
		})
	}
}
