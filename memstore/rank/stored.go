package rank

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
)

var errBadCorpus = errors.New("not the encoding of a corpus")

// Append adds the corpus's encoding to b, for a cache: the form may change with
// any release. Docs whose key keep refuses are left out.
func (c *Corpus) Append(b []byte, keep func(key string) bool) []byte {
	if len(c.slots) > c.Len() {
		c.sweep()
	}
	b = binary.AppendUvarint(b, uint64(len(c.slots)))
	for i := range c.slots {
		s := &c.slots[i]
		if !keep(s.key) {
			b = appendText(b, "")
			continue
		}
		b = appendText(b, s.key)
		b = binary.AppendUvarint(b, uint64(s.headLen))
		b = binary.AppendUvarint(b, uint64(s.bodyLen))
		b = binary.AppendVarint(b, milli(s.time))
		b = binary.AppendUvarint(b, uint64(s.square))
		b = append(b, s.vector...)
	}
	b = binary.AppendUvarint(b, uint64(len(c.lists)))
	for i := range c.lists {
		l := &c.lists[i]
		b = appendText(b, l.text)
		b = binary.AppendUvarint(b, uint64(l.last))
		b = appendText(b, l.stored+string(l.at))
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// DecodeCorpus returns the corpus that Append made data of. It refers to data
// as long as it is there. Times come back in UTC, to the millisecond. Lists are
// not looked into before they are needed, so that a checksum has to tell whether
// data is whole: what is found in other data can be wrong, and nothing worse.
func DecodeCorpus(data string) (*Corpus, error) {
	r := reader[string]{b: data}
	n := r.uvarint()
	if r.bad || n > uint64(len(r.b)) || n > math.MaxInt32 {
		return nil, errBadCorpus
	}
	c := &Corpus{slots: make([]slot, n), byKey: make(map[string]uint32, n)}
	taken := 0
	for i := range c.slots {
		s := &c.slots[i]
		if s.key = r.take(r.uvarint()); s.key == "" {
			continue
		}
		s.headLen, s.bodyLen, s.time = uint32(r.uvarint()), uint32(r.uvarint()), fromMilli(r.varint())
		s.square, s.vector = int32(r.uvarint()), r.take(embed.Dim)
		if r.bad || s.square < 0 {
			return nil, errBadCorpus
		}
		c.byKey[s.key] = uint32(i)
		c.headSum += uint64(s.headLen)
		c.bodySum += uint64(s.bodyLen)
		taken++
	}
	n = r.uvarint()
	if r.bad || n > uint64(len(r.b)) || len(c.byKey) < taken {
		return nil, errBadCorpus
	}
	c.lists, c.byText = make([]list, n), make(map[string]uint32, n)
	for i := range c.lists {
		l := &c.lists[i]
		l.text, l.last, l.stored = r.take(r.uvarint()), uint32(r.uvarint()), r.take(r.uvarint())
		if r.bad || l.text == "" || l.stored == "" {
			return nil, errBadCorpus
		}
		c.byText[l.text] = uint32(i)
	}
	if len(r.b) > 0 || len(c.byText) < len(c.lists) {
		return nil, errBadCorpus
	}
	return c, nil
}

// Zero times are kept apart from those of 1970.
func milli(t time.Time) int64 {
	if t.IsZero() {
		return math.MinInt64
	}
	return t.UnixMilli()
}

func fromMilli(ms int64) time.Time {
	if ms == math.MinInt64 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// reader takes values from the front of b. Once bad, it gives what must not be
// used.
type reader[B string | []byte] struct {
	b   B
	bad bool
}

func (r *reader[B]) uvarint() uint64 {
	var v uint64
	for i := range min(len(r.b), binary.MaxVarintLen64) {
		c := r.b[i]
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			r.b = r.b[i+1:]
			return v
		}
	}
	r.b, r.bad = r.b[:0], true
	return 0
}

func (r *reader[B]) varint() int64 {
	v := r.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

func (r *reader[B]) take(n uint64) B {
	if n > uint64(len(r.b)) {
		r.b, r.bad = r.b[:0], true
		return r.b
	}
	part := r.b[:n]
	r.b = r.b[n:]
	return part
}

// occurrence takes one whose slot is counted from that of the one before.
func (r *reader[B]) occurrence(before uint32) occurrence {
	v := r.uvarint()
	o := occurrence{slot: before + uint32(v>>formBits)}
	switch v & (1<<formBits - 1) {
	case onceInBody:
		o.body = 1
	case onceInHead:
		o.head = 1
	case counted:
		o.head, o.body = uint16(r.uvarint()), uint16(r.uvarint())
	default:
		r.bad = true
	}
	return o
}
