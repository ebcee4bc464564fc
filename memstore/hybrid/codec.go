package hybrid

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
)

// An encoding is magic, then a note, three tables of names, the columns, and
// one segment, each with its length before it, then the CRC32C of it all. It
// is a cache: another version is no reason to read it another way, but to make
// it anew.
const magic = "hybrid index 1\n\x00"

var (
	errNotIndex = errors.New("not an index of this version: build it anew from the docs")
	errDamaged  = errors.New("the index is damaged: build it anew from the docs")
)

func castagnoli(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// Encode returns the whole index, with a note of the caller's, for Load. What
// was removed is dropped on the way, and Pending is 0 after it. The same docs
// give the same bytes, in whatever order they came.
func (x *Index) Encode(note []byte) []byte {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.compact()
	x.pending = 0
	x.changes++ // slots have moved
	t := &x.table
	s := &segment{}
	if len(x.segments) > 0 {
		s = x.segments[0]
	}
	n := len(t.order)
	b := make([]byte, 0, len(magic)+len(note)+n*(64+embed.SignsSize)+len(s.terms)+len(s.posts)+len(s.lists)*3+1<<16)
	b = append(b, magic...)
	b = appendBytes(b, note)
	for _, names := range [][]string{t.sessions.all, t.kinds.all, t.speakers.all} {
		b = binary.AppendUvarint(b, uint64(len(names)-1))
		for _, name := range names[1:] {
			b = appendBytes(b, []byte(name))
		}
	}
	b = binary.AppendUvarint(b, uint64(n))
	b = appendColumn64(b, t.id)
	b = appendColumn64(b, t.time)
	b = appendColumn64(b, t.same)
	b = appendColumn64(b, t.offset)
	b = appendColumn64(b, t.length)
	for _, column := range [][]uint32{t.session, t.kind, t.speaker, t.date} {
		for _, v := range column[1:] {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
	}
	for _, v := range t.words[1:] {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	b = append(b, t.flags[1:]...)
	b = append(b, t.signs...)
	for _, part := range [][]byte{s.blocks, s.shapes, s.lists, s.terms, s.posts} {
		b = appendBytes(b, part)
	}
	return binary.LittleEndian.AppendUint32(b, castagnoli(b))
}

func appendBytes(b, part []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(part))), part...)
}

func appendColumn64[T int64 | uint64](b []byte, column []T) []byte {
	for _, v := range column[1:] {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return b
}

// Load returns the index that Encode made b of, and the note. The index goes
// on reading b, which must not change. Bytes that are damaged or of another
// version are an error.
func Load(b []byte) (*Index, []byte, error) {
	if len(b) < len(magic)+4 || string(b[:len(magic)]) != magic {
		return nil, nil, errNotIndex
	}
	body, sum := b[:len(b)-4], binary.LittleEndian.Uint32(b[len(b)-4:])
	if castagnoli(body) != sum {
		return nil, nil, errDamaged
	}
	d := decoder{rest: body[len(magic):]}
	note := d.bytes()
	x := New()
	t := &x.table
	for _, names := range []*names{&t.sessions, &t.kinds, &t.speakers} {
		for range d.number() {
			if d.bad {
				break
			}
			names.add(string(d.bytes()))
		}
	}
	n := d.number()
	if d.bad || n > uint64(len(d.rest))/embed.SignsSize {
		return nil, nil, errDamaged
	}
	t.reserve(int(n))
	d.columns(t, int(n))
	s := &segment{slots: uint32(n), blocks: d.bytes(), shapes: d.bytes(), lists: d.bytes(), terms: d.bytes(), posts: d.bytes()}
	if d.bad || len(d.rest) > 0 {
		return nil, nil, errDamaged
	}
	if n > 0 {
		if !s.fits() {
			return nil, nil, errDamaged
		}
		x.segments = []*segment{s}
	}
	if !t.fits() {
		return nil, nil, errDamaged
	}
	t.relink()
	return x, slices.Clone(note), nil
}

// decoder takes an encoding apart; once it is bad all it returns is empty.
type decoder struct {
	rest []byte
	bad  bool
}

func (d *decoder) number() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.bad, d.rest = true, nil
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

func (d *decoder) bytes() []byte { return d.take(d.number()) }

func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.rest)) {
		d.bad, d.rest = true, nil
		return nil
	}
	b := d.rest[:n:n]
	d.rest = d.rest[n:]
	return b
}

// columns fills the rows 1 to n.
func (d *decoder) columns(t *table, n int) {
	column64(d, t.id)
	column64(d, t.time)
	column64(d, t.same)
	column64(d, t.offset)
	column64(d, t.length)
	for _, column := range [][]uint32{t.session, t.kind, t.speaker, t.date} {
		b := d.take(uint64(4 * n))
		for i := range len(b) / 4 {
			column[i+1] = at32(b, i)
		}
	}
	b := d.take(uint64(2 * n))
	for i := range len(b) / 2 {
		t.words[i+1] = binary.LittleEndian.Uint16(b[2*i:])
	}
	copy(t.flags[1:], d.take(uint64(n)))
	t.signs = d.take(uint64((n + 1) * embed.SignsSize))
}

func column64[T int64 | uint64](d *decoder, column []T) {
	b := d.take(uint64(8 * (len(column) - 1)))
	for i := range len(b) / 8 {
		column[i+1] = T(binary.LittleEndian.Uint64(b[8*i:]))
	}
}

// fits reports whether rows read from outside are in order of ids, alive, and
// name what there is.
func (t *table) fits() bool {
	for i := 1; i < len(t.id); i++ {
		if t.id[i] <= t.id[i-1] || t.flags[i]&^isQuestion != 0 ||
			int(t.session[i]) >= len(t.sessions.all) ||
			int(t.kind[i]) >= len(t.kinds.all) ||
			int(t.speaker[i]) >= len(t.speakers.all) {
			return false
		}
	}
	return true
}
