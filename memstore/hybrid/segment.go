package hybrid

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// A segment is the posting lists of a run of slots, in bytes that never
// change. Terms stand in byte order, blockTerms to a block, each as how many
// bytes it shares with the one before it in the block, how many more it has,
// and those. A list is how many docs it names and for each the distance from
// the one before, twice, plus one when a count follows because the term occurs
// more than once.
type segment struct {
	slots  uint32 // how many
	blocks []byte // where each block begins in terms; 4 bytes each
	shapes []byte // the shape of each term; 4 bytes each
	lists  []byte // where each list begins in posts, and where the last ends; 4 bytes each
	terms  []byte
	posts  []byte
}

const blockTerms = 16

func (s *segment) len() int { return len(s.shapes) / 4 }

func at32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }

// list returns the posting list of term i.
func (s *segment) list(i int) []byte { return s.posts[at32(s.lists, i):at32(s.lists, i+1)] }

// find returns the posting list of a term, or nil.
func (s *segment) find(term string) []byte {
	blocks := len(s.blocks) / 4
	lo, hi := 0, blocks // the last block whose first term is not after term
	for lo < hi {
		mid := (lo + hi) / 2
		b := s.terms[at32(s.blocks, mid):]
		_, n := binary.Uvarint(b) // 0: nothing is shared
		b = b[n:]
		size, n := binary.Uvarint(b)
		if string(b[n:n+int(size)]) <= term {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return nil
	}
	var name [256]byte
	r := s.reader(lo-1, name[:0])
	for range blockTerms {
		if !r.next() {
			return nil
		}
		switch c := bytes.Compare(r.term, []byte(term)); {
		case c == 0:
			return s.list(r.index)
		case c > 0:
			return nil
		}
	}
	return nil
}

// termReader reads terms in order.
type termReader struct {
	s     *segment
	index int // of term
	rest  []byte
	term  []byte // valid until next
}

// reader returns one that stands before the first term of a block.
func (s *segment) reader(block int, buf []byte) termReader {
	r := termReader{s: s, index: block*blockTerms - 1, term: buf}
	if block < len(s.blocks)/4 {
		r.rest = s.terms[at32(s.blocks, block):]
	}
	return r
}

func (r *termReader) next() bool {
	if len(r.rest) == 0 {
		return false
	}
	shared, n := binary.Uvarint(r.rest)
	size, m := binary.Uvarint(r.rest[n:])
	n += m
	r.term = append(r.term[:shared], r.rest[n:n+int(size)]...)
	r.rest = r.rest[n+int(size):]
	r.index++
	return true
}

// postings reads a posting list.
type postings struct {
	rest []byte
	slot uint32 // within the segment
	tf   uint32
}

// read returns how many docs a list names, and a reader of them that stands
// before the first.
func read(list []byte) (docs uint32, p postings) {
	n, size := binary.Uvarint(list)
	return uint32(n), postings{rest: list[size:], slot: ^uint32(0)}
}

func (p *postings) next() bool {
	b := p.rest
	if len(b) == 0 {
		return false
	}
	if v := b[0]; v < 0x80 && v&1 == 0 { // nearly all
		p.slot += uint32(v >> 1)
		p.tf = 1
		p.rest = b[1:]
		return true
	}
	p.long()
	return true
}

// long reads a posting that takes more than a byte.
func (p *postings) long() {
	b := p.rest
	v, i := uint32(0), 0
	for shift := 0; ; shift += 7 {
		c := b[i]
		i++
		v |= uint32(c&0x7f) << shift
		if c < 0x80 {
			break
		}
	}
	p.slot += v >> 1
	p.tf = 1
	if v&1 == 1 {
		tf, n := binary.Uvarint(b[i:])
		p.tf = uint32(tf)
		i += n
	}
	p.rest = b[i:]
}

// posting is one entry of a list.
type posting struct{ slot, tf uint32 }

// appendList appends the list of postings, which are in order of slots, first
// of which may be 0.
func appendList(b []byte, list []posting) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	last := ^uint32(0)
	for _, p := range list {
		v := (p.slot - last) << 1
		if p.tf > 1 {
			v |= 1
		}
		b = binary.AppendUvarint(b, uint64(v))
		if p.tf > 1 {
			b = binary.AppendUvarint(b, uint64(p.tf))
		}
		last = p.slot
	}
	return b
}

// segmentWriter makes a segment of terms that come in byte order.
type segmentWriter struct {
	s    segment
	n    int
	last []byte
}

func (w *segmentWriter) add(term []byte, list []posting) {
	shared := 0
	if w.n%blockTerms == 0 {
		w.s.blocks = binary.LittleEndian.AppendUint32(w.s.blocks, uint32(len(w.s.terms)))
	} else {
		for shared < min(len(term), len(w.last)) && term[shared] == w.last[shared] {
			shared++
		}
	}
	w.s.terms = binary.AppendUvarint(w.s.terms, uint64(shared))
	w.s.terms = binary.AppendUvarint(w.s.terms, uint64(len(term)-shared))
	w.s.terms = append(w.s.terms, term[shared:]...)
	w.s.shapes = binary.LittleEndian.AppendUint32(w.s.shapes, shape(term))
	w.s.lists = binary.LittleEndian.AppendUint32(w.s.lists, uint32(len(w.s.posts)))
	w.s.posts = appendList(w.s.posts, list)
	w.last = append(w.last[:0], term...)
	w.n++
}

func (w *segmentWriter) finish() *segment {
	w.s.lists = binary.LittleEndian.AppendUint32(w.s.lists, uint32(len(w.s.posts)))
	s := w.s
	return &s
}

// merge returns one segment for several that follow one another. place says
// where a slot of all of them goes, and whether it is kept; nil leaves every
// one where it is.
func merge(parts []*segment, slots uint32, place func(slot uint32) (uint32, bool)) *segment {
	var w segmentWriter
	first := make([]uint32, len(parts))
	readers := make([]termReader, len(parts))
	alive := make([]bool, len(parts))
	at := uint32(0)
	for i, p := range parts {
		first[i] = at
		at += p.slots
		readers[i] = p.reader(0, nil)
		alive[i] = readers[i].next()
	}
	var list []posting
	var least []byte
	for {
		found := false
		for i := range readers {
			if alive[i] && (!found || bytes.Compare(readers[i].term, least) < 0) {
				least, found = append(least[:0], readers[i].term...), true
			}
		}
		if !found {
			break
		}
		list = list[:0]
		for i := range readers {
			r := &readers[i]
			if !alive[i] || !bytes.Equal(r.term, least) {
				continue
			}
			_, p := read(parts[i].list(r.index))
			for p.next() {
				slot, keep := first[i]+p.slot, true
				if place != nil {
					slot, keep = place(slot)
				}
				if keep {
					list = append(list, posting{slot, p.tf})
				}
			}
			alive[i] = r.next()
		}
		if len(list) == 0 {
			continue
		}
		if place != nil {
			slices.SortFunc(list, func(a, b posting) int { return int(a.slot) - int(b.slot) })
		}
		w.add(least, list)
	}
	w.s.slots = slots
	return w.finish()
}

// fits reports whether every number in a segment stays within it, so that
// nothing that reads it later has to ask.
func (s *segment) fits() bool {
	n := s.len()
	if len(s.shapes) != 4*n || len(s.lists) != 4*(n+1) || len(s.blocks) != 4*((n+blockTerms-1)/blockTerms) {
		return false
	}
	rest, length := s.terms, 0
	for i := range n {
		if i%blockTerms == 0 {
			if int(at32(s.blocks, i/blockTerms)) != len(s.terms)-len(rest) {
				return false
			}
			length = 0
		}
		shared, k := binary.Uvarint(rest)
		if k <= 0 || shared > uint64(length) {
			return false
		}
		size, m := binary.Uvarint(rest[k:])
		if m <= 0 || size == 0 || size > uint64(len(rest)-k-m) {
			return false
		}
		rest = rest[k+m+int(size):]
		length = int(shared) + int(size)
	}
	if len(rest) > 0 || at32(s.lists, 0) != 0 || int(at32(s.lists, n)) != len(s.posts) {
		return false
	}
	for i := range n {
		from, to := at32(s.lists, i), at32(s.lists, i+1)
		if from >= to || int(to) > len(s.posts) || !s.holds(s.posts[from:to]) {
			return false
		}
	}
	return true
}

// holds reports whether a list is whole and names slots of the segment alone.
func (s *segment) holds(list []byte) bool {
	docs, n := binary.Uvarint(list)
	if n <= 0 || docs == 0 || docs > uint64(s.slots) {
		return false
	}
	list = list[n:]
	next := uint64(0) // the least slot that may come
	for len(list) > 0 {
		docs--
		v := uint64(list[0])
		if v < 0x80 {
			list = list[1:]
		} else if len(list) > 1 && list[1] < 0x80 {
			v = v&0x7f | uint64(list[1])<<7
			list = list[2:]
		} else {
			var k int
			if v, k = binary.Uvarint(list); k <= 0 || k > 5 {
				return false
			}
			list = list[k:]
		}
		if v < 2 {
			return false
		}
		next += v >> 1
		if v&1 == 1 {
			tf, k := binary.Uvarint(list)
			if k <= 0 || tf > 1<<31 {
				return false
			}
			list = list[k:]
		}
	}
	return docs == 0 && next <= uint64(s.slots)
}
