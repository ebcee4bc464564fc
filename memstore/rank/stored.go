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
	var texts []byte // apart, so that what is read again is one string
	b = binary.AppendUvarint(b, uint64(len(c.slots)))
	for i := range c.slots {
		s := &c.slots[i]
		if !keep(s.key) {
			b = binary.AppendUvarint(b, 0)
			continue
		}
		b = binary.AppendUvarint(b, uint64(len(s.key)))
		texts = append(texts, s.key...)
		b = binary.AppendUvarint(b, uint64(s.headLen))
		b = binary.AppendUvarint(b, uint64(s.bodyLen))
		b = binary.AppendVarint(b, milli(s.time))
		for _, x := range s.vector {
			b = append(b, byte(x))
		}
	}
	b = binary.AppendUvarint(b, uint64(len(c.lists)))
	for i := range c.lists {
		l := &c.lists[i]
		b = binary.AppendUvarint(b, uint64(len(l.text)))
		texts = append(texts, l.text...)
		b = binary.AppendUvarint(b, uint64(l.last))
		b = binary.AppendUvarint(b, uint64(len(l.at)))
		b = append(b, l.at...)
	}
	b = append(b, texts...)
	return binary.LittleEndian.AppendUint64(b, uint64(len(texts)))
}

// DecodeCorpus returns the corpus that Append made b of, and keeps no part of b.
// Times come back in UTC, to the millisecond.
func DecodeCorpus(b []byte) (*Corpus, error) {
	if len(b) < 8 {
		return nil, errBadCorpus
	}
	b, size := b[:len(b)-8], binary.LittleEndian.Uint64(b[len(b)-8:])
	if size > uint64(len(b)) {
		return nil, errBadCorpus
	}
	r := reader{b: b[:uint64(len(b))-size], texts: string(b[uint64(len(b))-size:])}
	n := r.uvarint()
	if r.bad || n > uint64(len(r.b)) || n > math.MaxInt32 {
		return nil, errBadCorpus
	}
	c := &Corpus{slots: make([]slot, n), byKey: make(map[string]uint32, n)}
	for i := range c.slots {
		s := &c.slots[i]
		if s.key = r.text(); s.key == "" {
			continue
		}
		s.headLen, s.bodyLen, s.time = uint32(r.uvarint()), uint32(r.uvarint()), fromMilli(r.varint())
		for j, x := range r.take(embed.Dim) {
			s.vector[j] = int8(x)
		}
		s.square = square(&s.vector)
		c.byKey[s.key] = uint32(i)
		c.headSum += uint64(s.headLen)
		c.bodySum += uint64(s.bodyLen)
		if r.bad {
			return nil, errBadCorpus
		}
	}
	n = r.uvarint()
	if r.bad || n > uint64(len(r.b)) {
		return nil, errBadCorpus
	}
	c.lists, c.byText = make([]list, n), make(map[string]uint32, n)
	all := make([]byte, 0, len(r.b)) // one piece for all lists
	for i := range c.lists {
		l := &c.lists[i]
		l.text, l.last = r.text(), uint32(r.uvarint())
		from := len(all)
		all = append(all, r.take(r.uvarint())...)
		l.at = all[from:len(all):len(all)]
		if r.bad || l.text == "" || !l.sound(len(c.slots)) {
			return nil, errBadCorpus
		}
		c.byText[l.text] = uint32(i)
	}
	if len(r.b) > 0 || r.texts != "" || len(c.byText) < len(c.lists) || len(c.byKey) < c.taken() {
		return nil, errBadCorpus
	}
	return c, nil
}

// taken counts the slots with a doc.
func (c *Corpus) taken() int {
	n := 0
	for i := range c.slots {
		if c.slots[i].key != "" {
			n++
		}
	}
	return n
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

// reader takes values from the front of b, and texts from the front of theirs.
// Once bad, it gives what must not be used.
type reader struct {
	b     []byte
	texts string
	bad   bool
}

func (r *reader) uvarint() uint64 {
	if len(r.b) > 0 && r.b[0] < 0x80 {
		v := r.b[0]
		r.b = r.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.b, r.bad = nil, true
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.b, r.bad = nil, true
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.b, r.bad = nil, true
		return nil
	}
	part := r.b[:n]
	r.b = r.b[n:]
	return part
}

func (r *reader) text() string {
	n := r.uvarint()
	if n > uint64(len(r.texts)) {
		r.bad = true
		return ""
	}
	s := r.texts[:n]
	r.texts = r.texts[n:]
	return s
}

// occurrence takes one whose slot is counted from that of the one before.
func (r *reader) occurrence(before uint32) occurrence {
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
