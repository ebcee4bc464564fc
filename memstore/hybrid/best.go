package hybrid

import "slices"

// best keeps the best docs of those it is given, one of each that restate one
// another.
type best struct {
	t     *table
	limit int
	slots []scored // best first
}

type scored struct {
	slot  uint32
	score float64
}

func newBest(t *table, limit int) *best { return &best{t: t, limit: limit} }

// floor is the score below which nothing is taken any more.
func (b *best) floor() float64 {
	if len(b.slots) < b.limit {
		return 0
	}
	return b.slots[b.limit-1].score
}

// compare is negative when x comes before y.
func (b *best) compare(x, y scored) int {
	switch {
	case x.score > y.score:
		return -1
	case x.score < y.score:
		return 1
	case b.t.id[x.slot] > b.t.id[y.slot]:
		return -1
	case x.slot != y.slot:
		return 1
	}
	return 0
}

func (b *best) add(slot uint32, score float64) {
	c := scored{slot, score}
	if len(b.slots) == b.limit && b.compare(c, b.slots[b.limit-1]) > 0 {
		return
	}
	if same := b.t.same[slot]; same != 0 {
		i := slices.IndexFunc(b.slots, func(o scored) bool { return b.t.same[o.slot] == same })
		if i >= 0 {
			if b.compare(c, b.slots[i]) > 0 {
				return
			}
			b.slots = slices.Delete(b.slots, i, i+1)
		}
	}
	at, _ := slices.BinarySearchFunc(b.slots, c, b.compare)
	b.slots = slices.Insert(b.slots, at, c)
	b.slots = b.slots[:min(len(b.slots), b.limit)]
}
