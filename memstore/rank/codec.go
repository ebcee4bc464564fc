package rank

import (
	"encoding/binary"
	"errors"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
)

// Append adds a doc's encoding to b, for a cache: the form may change with any
// release.
func (d Doc) Append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(d.HeadLen))
	b = binary.AppendUvarint(b, uint64(d.BodyLen))
	b = binary.AppendVarint(b, milli(d.Time))
	for _, x := range d.Vector {
		b = append(b, byte(x))
	}
	b = binary.AppendUvarint(b, uint64(len(d.Terms)))
	for _, t := range d.Terms {
		b = binary.AppendUvarint(b, uint64(len(t.Text)))
		b = append(b, t.Text...)
		b = binary.AppendUvarint(b, uint64(t.Head))
		b = binary.AppendUvarint(b, uint64(t.Body))
	}
	return b
}

var errBadDoc = errors.New("not the encoding of a doc")

// DecodeDoc returns the doc that Append made b of. Times come back in UTC, to
// the millisecond.
func DecodeDoc(b []byte) (Doc, error) {
	// One string for all terms: they are many and short.
	text := string(b)
	at := 0
	bad := false
	number := func() uint64 {
		v, n := binary.Uvarint(b[at:])
		if n <= 0 {
			bad = true
			return 0
		}
		at += n
		return v
	}
	d := Doc{HeadLen: uint32(number()), BodyLen: uint32(number())}
	ms, n := binary.Varint(b[at:])
	if n <= 0 || bad || len(b)-at-n < embed.Dim {
		return Doc{}, errBadDoc
	}
	at += n
	d.Time = fromMilli(ms)
	for i := range d.Vector {
		d.Vector[i] = int8(b[at+i])
	}
	at += embed.Dim
	terms := number()
	if terms > uint64(len(b)-at) {
		return Doc{}, errBadDoc
	}
	d.Terms = make([]Term, 0, terms)
	for range terms {
		size := number()
		if bad || size == 0 || size > uint64(len(b)-at) {
			return Doc{}, errBadDoc
		}
		t := Term{Text: text[at : at+int(size)]}
		at += int(size)
		t.Head, t.Body = uint16(number()), uint16(number())
		d.Terms = append(d.Terms, t)
	}
	if bad || at != len(b) {
		return Doc{}, errBadDoc
	}
	return d, nil
}
