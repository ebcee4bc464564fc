package rank

import "encoding/binary"

// list is where one term occurs. It holds a byte or two an occurrence and is
// read from its start, which a query does for no more than a few.
type list struct {
	text string
	last uint32 // the slot of the last occurrence
	// Occurrences in the order of their slots, encoded: first those of a corpus
	// that was read, which are part of what it was read from.
	stored string
	at     []byte
}

// occurrence is how often a term is in one doc.
type occurrence struct {
	slot       uint32
	head, body uint16
}

// The low bits of an occurrence's first number, which has the distance from
// the slot before above them.
const (
	onceInBody = iota
	onceInHead
	counted  // two more numbers follow
	formBits = 2
)

// add adds an occurrence in a later slot than all others.
func (l *list) add(o occurrence) {
	form := uint64(counted)
	switch {
	case o.head == 0 && o.body == 1:
		form = onceInBody
	case o.head == 1 && o.body == 0:
		form = onceInHead
	}
	l.at = binary.AppendUvarint(l.at, uint64(o.slot-l.last)<<formBits|form)
	if form == counted {
		l.at = binary.AppendUvarint(binary.AppendUvarint(l.at, uint64(o.head)), uint64(o.body))
	}
	l.last = o.slot
}

// live returns the occurrences in docs that were not deleted.
func (l *list) live(slots []slot) []occurrence {
	at := make([]occurrence, 0, len(l.stored)+len(l.at))
	at, last := appendLive(at, 0, l.stored, slots)
	at, _ = appendLive(at, last, l.at, slots)
	return at
}

func appendLive[B string | []byte](at []occurrence, last uint32, encoded B, slots []slot) ([]occurrence, uint32) {
	for r := (reader[B]{b: encoded}); len(r.b) > 0; {
		o := r.occurrence(last)
		last = o.slot
		if int64(last) < int64(len(slots)) && slots[last].key != "" {
			at = append(at, o)
		}
	}
	return at, last
}
