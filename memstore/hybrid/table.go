package hybrid

import (
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
	"github.com/slipstream-mcp/slipstream/memstore/internal/hugepages"
)

// table holds what is known of each doc beside its words, a column a thing, a
// row a slot. Slots are given in the order of arrival; slot 0 is nobody's, so
// that 0 can mean none.
type table struct {
	id      []int64
	time    []int64 // milliseconds since 1970, or noTime
	same    []uint64
	offset  []int64
	length  []int64
	session []uint32
	kind    []uint32
	speaker []uint32
	date    []uint32
	words   []uint16 // how many; mostWords stands for any more
	flags   []byte
	signs   []byte // embed.SignsSize a slot
	// prev and next link the living docs of a session in order of ids.
	prev, next []uint32

	sessions, kinds, speakers names
	last                      []uint32 // the last slot of each session
	living                    int      // the sessions that have one

	order []uint32 // the living slots in order of ids
	dead  int
	total int64 // the words of the living
}

const (
	noTime    = -1 << 63
	mostText  = 64 << 10 // bytes of a text that are searched
	mostWords = 1<<16 - 1

	// flags
	isQuestion = 1
	isDead     = 2
)

// names numbers strings in order of arrival; "" is always 0.
type names struct {
	all    []string
	number map[string]uint32
}

func newNames() names { return names{[]string{""}, map[string]uint32{"": 0}} }

func (n *names) add(s string) uint32 {
	no, ok := n.number[s]
	if !ok {
		no = uint32(len(n.all))
		s = strings.Clone(s) // not all that it was cut from
		n.all = append(n.all, s)
		n.number[s] = no
	}
	return no
}

func (n *names) find(s string) (uint32, bool) {
	no, ok := n.number[s]
	return no, ok
}

// clear makes a table that holds nothing.
func (t *table) clear() {
	*t = table{sessions: newNames(), kinds: newNames(), speakers: newNames(), last: []uint32{0}}
	t.grow(1)
	t.flags[0] = isDead
}

// grow adds n empty rows.
func (t *table) grow(n int) {
	t.id = append(t.id, make([]int64, n)...)
	t.time = append(t.time, make([]int64, n)...)
	t.same = append(t.same, make([]uint64, n)...)
	t.offset = append(t.offset, make([]int64, n)...)
	t.length = append(t.length, make([]int64, n)...)
	t.session = append(t.session, make([]uint32, n)...)
	t.kind = append(t.kind, make([]uint32, n)...)
	t.speaker = append(t.speaker, make([]uint32, n)...)
	t.date = append(t.date, make([]uint32, n)...)
	t.words = append(t.words, make([]uint16, n)...)
	t.flags = append(t.flags, make([]byte, n)...)
	t.signs = append(t.signs, make([]byte, n*embed.SignsSize)...)
	t.prev = append(t.prev, make([]uint32, n)...)
	t.next = append(t.next, make([]uint32, n)...)
}

// reserve makes a table of n empty rows, but for the signs, with room for some
// more. It holds none yet but the one that is nobody's.
func (t *table) reserve(n int) {
	rows := n + 1
	room := rows + rows/8
	p := hugepages.NewPool(room*(5*8+7*4+2+1) + 14*8)
	for _, column := range []*[]int64{&t.id, &t.time, &t.offset, &t.length} {
		*column = hugepages.Slice[int64](p, rows, room)
	}
	t.same = hugepages.Slice[uint64](p, rows, room)
	for _, column := range []*[]uint32{&t.session, &t.kind, &t.speaker, &t.date, &t.prev, &t.next} {
		*column = hugepages.Slice[uint32](p, rows, room)
	}
	t.order = hugepages.Slice[uint32](p, n, room)
	t.words = hugepages.Slice[uint16](p, rows, room)
	t.flags = hugepages.Slice[byte](p, rows, room)
	t.flags[0] = isDead
}

// search returns where in order an id is, or would be.
func (t *table) search(id int64) (int, bool) {
	i := sort.Search(len(t.order), func(i int) bool { return t.id[t.order[i]] >= id })
	return i, i < len(t.order) && t.id[t.order[i]] == id
}

func (t *table) entry(slot uint32) Entry {
	e := Entry{
		ID: t.id[slot], Session: t.sessions.all[t.session[slot]], Kind: t.kinds.all[t.kind[slot]],
		Same: t.same[slot], Offset: t.offset[slot], Length: int(t.length[slot]),
	}
	if ms := t.time[slot]; ms != noTime {
		e.Time = time.UnixMilli(ms).UTC()
	}
	return e
}

// add gives docs slots and returns their posting lists. They are in order of
// ids, and none is there yet.
func (t *table) add(docs []Doc) *segment {
	first := len(t.id)
	t.grow(len(docs))
	b := newBuilder()
	for i, d := range docs {
		slot := uint32(first + i)
		t.id[slot], t.same[slot], t.offset[slot], t.length[slot] = d.ID, d.Same, d.Offset, int64(d.Length)
		t.time[slot] = noTime
		if !d.Time.IsZero() {
			t.time[slot] = d.Time.UnixMilli()
			t.date[slot] = dateOf(time.UnixMilli(t.time[slot]).UTC())
		}
		t.session[slot] = t.sessions.add(d.Session)
		if int(t.session[slot]) == len(t.last) {
			t.last = append(t.last, 0)
		}
		t.kind[slot] = t.kinds.add(d.Kind)
		text := strings.ToValidUTF8(d.Text[:min(len(d.Text), mostText)], "\ufffd")
		t.speaker[slot] = t.speakers.add(speaker(text))
		if t.speaker[slot] != 0 && asks(text) { // another answers; what nobody says holds its answer itself
			t.flags[slot] |= isQuestion
		}
		at := int(slot) * embed.SignsSize
		words, _ := b.doc(uint32(i), t.signs[at:at], text, d.Tags, d.Files)
		t.words[slot] = uint16(min(words, mostWords))
		t.total += int64(t.words[slot])
		t.link(slot)
	}
	t.enter(uint32(first), len(docs))
	return b.segment(uint32(len(docs)))
}

// link puts a slot in its place among those of its session.
func (t *table) link(slot uint32) {
	of := t.session[slot]
	prev, next := t.last[of], uint32(0)
	if prev == 0 {
		t.living++
	}
	for prev != 0 && t.id[prev] > t.id[slot] {
		prev, next = t.prev[prev], prev
	}
	t.prev[slot], t.next[slot] = prev, next
	if prev != 0 {
		t.next[prev] = slot
	}
	if next != 0 {
		t.prev[next] = slot
	} else {
		t.last[of] = slot
	}
}

// enter puts n slots from first on, which are in order of ids, in order.
func (t *table) enter(first uint32, n int) {
	old := len(t.order)
	for i := range n {
		t.order = append(t.order, first+uint32(i))
	}
	if old > 0 && t.id[t.order[old-1]] > t.id[first] {
		slices.SortFunc(t.order, func(a, b uint32) int {
			if t.id[a] < t.id[b] {
				return -1
			}
			return 1
		})
	}
}

// remove takes a doc out of all but the posting lists.
func (t *table) remove(id int64) bool {
	i, ok := t.search(id)
	if !ok {
		return false
	}
	slot := t.order[i]
	t.order = slices.Delete(t.order, i, i+1)
	prev, next := t.prev[slot], t.next[slot]
	if prev != 0 {
		t.next[prev] = next
	}
	if next != 0 {
		t.prev[next] = prev
	} else {
		t.last[t.session[slot]] = prev
		if prev == 0 {
			t.living--
		}
	}
	t.prev[slot], t.next[slot] = 0, 0
	t.flags[slot] |= isDead
	t.total -= int64(t.words[slot])
	t.dead++
	return true
}

// compact leaves the living alone, in order of ids, and the names they use.
func (t *table) compact() {
	var n table
	n.clear()
	n.grow(len(t.order))
	for i, from := range t.order {
		to := uint32(i + 1)
		n.id[to], n.time[to], n.same[to] = t.id[from], t.time[from], t.same[from]
		n.offset[to], n.length[to] = t.offset[from], t.length[from]
		n.session[to] = n.sessions.add(t.sessions.all[t.session[from]])
		n.kind[to] = n.kinds.add(t.kinds.all[t.kind[from]])
		n.speaker[to] = n.speakers.add(t.speakers.all[t.speaker[from]])
		n.date[to], n.words[to], n.flags[to] = t.date[from], t.words[from], t.flags[from]
		copy(n.signs[int(to)*embed.SignsSize:], t.signs[int(from)*embed.SignsSize:][:embed.SignsSize])
	}
	n.relink()
	*t = n
}

// relink makes links, order and sums for rows that are in order of ids.
func (t *table) relink() {
	t.last = make([]uint32, len(t.sessions.all))
	t.order = slices.Grow(t.order[:0], len(t.id)-1)[:len(t.id)-1]
	for i := range t.order {
		slot := uint32(i + 1)
		t.order[i] = slot
		t.link(slot)
		t.total += int64(t.words[slot])
	}
}
