// Package rank finds the texts that match a query, best first, in memory.
//
//	var c rank.Corpus
//	c.Put("deploys", rank.NewDoc("deploys run from main", "…", updated))
//	for _, hit := range c.Search("how do we deploy?", 5) {
//		fmt.Println(hit.Key, hit.Score)
//	}
//
// Words count whole, by their English stems and once more as they are
// written. A text whose head matches comes before one whose body alone does,
// and both come before one that only looks alike. The same texts and the same
// query give the same answer, whatever was in the corpus before.
package rank

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/internal/letters"
)

// What the parts of a score weigh. BM25's usual constants; a word in the head
// counts as much as headWeight in the body.
const (
	saturation  = 1.2
	headNorm    = 0.3
	bodyNorm    = 0.75
	headWeight  = 3.0
	nearWeight  = 0.3
	alikeWeight = 0.3
	// alikeFloor is the cosine from which a text without a common word is
	// still worth showing.
	alikeFloor = 0.45
)

// sweepFrom is the number of deleted docs below which their occurrences stay
// in the lists.
const sweepFrom = 64

// Corpus is a set of docs by key. The zero value is empty and ready. It is not
// safe for concurrent use, but for any number of calls of Search, Len and Has.
type Corpus struct {
	slots   []slot
	byKey   map[string]uint32 // places in slots
	lists   []list
	byText  map[string]uint32 // places in lists
	headSum uint64
	bodySum uint64
}

// slot is where a doc is. It is not used again before the next sweep, so that
// lists need only grow.
type slot struct {
	key              string // empty: the doc was deleted
	time             time.Time
	headLen, bodyLen uint32
	square           int32  // the vector times itself
	vector           string // the bytes of an embed.Vector
}

// Hit is a doc that matches.
type Hit struct {
	Key string
	// Tier is 2 when a word of the query is in the head, 1 when one is in the
	// body, 0 when the doc only looks alike; a higher tier comes first.
	Tier int
	// Score orders hits of one tier.
	Score float64
}

// Len returns the number of docs.
func (c *Corpus) Len() int { return len(c.byKey) }

// Has reports whether there is a doc of that key.
func (c *Corpus) Has(key string) bool {
	_, ok := c.byKey[key]
	return ok
}

// Put adds a doc, in the place of any of the same key, which must not be empty.
func (c *Corpus) Put(key string, d Doc) {
	c.Delete(key)
	if c.byKey == nil {
		c.byKey = map[string]uint32{}
		c.byText = map[string]uint32{}
	}
	at := uint32(len(c.slots))
	c.slots = append(c.slots, slot{key: key, time: d.Time, headLen: d.HeadLen, bodyLen: d.BodyLen,
		square: square(&d.Vector), vector: bytesOf(&d.Vector)})
	for _, t := range d.Terms {
		i, ok := c.byText[t.Text]
		if !ok {
			i = uint32(len(c.lists))
			c.lists = append(c.lists, list{text: t.Text})
			c.byText[t.Text] = i
		}
		c.lists[i].add(occurrence{at, t.Head, t.Body})
	}
	c.byKey[key] = at
	c.headSum += uint64(d.HeadLen)
	c.bodySum += uint64(d.BodyLen)
}

// Delete removes the doc of that key, if there is one.
func (c *Corpus) Delete(key string) {
	at, ok := c.byKey[key]
	if !ok {
		return
	}
	s := &c.slots[at]
	c.headSum -= uint64(s.headLen)
	c.bodySum -= uint64(s.bodyLen)
	*s = slot{}
	delete(c.byKey, key)
	if dead := len(c.slots) - len(c.byKey); dead > sweepFrom+len(c.byKey) {
		c.sweep()
	}
}

// sweep takes deleted docs out of the slots and the lists.
func (c *Corpus) sweep() {
	moved := make([]uint32, len(c.slots))
	kept := make([]slot, 0, len(c.byKey))
	for i, s := range c.slots {
		if s.key != "" {
			moved[i] = uint32(len(kept))
			c.byKey[s.key] = moved[i]
			kept = append(kept, s)
		}
	}
	lists := make([]list, 0, len(c.lists))
	clear(c.byText)
	for i := range c.lists {
		at := c.lists[i].live(c.slots)
		if len(at) == 0 {
			continue
		}
		l := list{text: c.lists[i].text}
		for _, o := range at {
			o.slot = moved[o.slot]
			l.add(o)
		}
		c.byText[l.text] = uint32(len(lists))
		lists = append(lists, l)
	}
	c.slots, c.lists = kept, lists
}

// Search returns the docs that match the query, best first, at most limit.
func (c *Corpus) Search(query string, limit int) []Hit {
	words := unique(telling(split(query)))
	if len(words) == 0 || limit < 1 || c.Len() == 0 {
		return nil
	}
	scores := make([]float64, len(c.slots))
	tiers := make([]int8, len(c.slots))
	c.scoreWords(words, scores, tiers)
	like := newProbe(vector(words))
	var best []candidate // at most limit, in order
	for i := range c.slots {
		s := &c.slots[i]
		if s.key == "" {
			continue
		}
		// In steps, so that texts which differ in nothing that matters are
		// left for their age to tell apart.
		alike := math.Round(like.cosine(s)*10) / 10
		if scores[i] == 0 && alike < alikeFloor {
			continue
		}
		score := scores[i] + alikeWeight*max(0, alike)
		next := candidate{s, int(tiers[i]), math.Round(score*1e6) / 1e6}
		if len(best) == limit && next.compare(best[limit-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, next, candidate.compare)
		best = slices.Insert(best, at, next)
		best = best[:min(limit, len(best))]
	}
	hits := make([]Hit, len(best))
	for i, b := range best {
		hits[i] = Hit{b.slot.key, b.tier, b.score}
	}
	return hits
}

type candidate struct {
	slot  *slot
	tier  int
	score float64
}

// compare is negative when a comes before b.
func (a candidate) compare(b candidate) int {
	return cmp.Or(
		cmp.Compare(b.tier, a.tier),
		cmp.Compare(b.score, a.score),
		b.slot.time.Compare(a.slot.time),
		cmp.Compare(a.slot.key, b.slot.key))
}

func unique(words []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(words, func(w string) bool {
		if seen[w] {
			return true
		}
		seen[w] = true
		return false
	})
}

// scoreWords adds what each word of a query is worth to the docs that hold it.
func (c *Corpus) scoreWords(words []string, scores []float64, tiers []int8) {
	stems := make([][]occurrence, len(words))
	rarest := c.Len()
	for i, w := range words {
		if stems[i] = c.find(letters.Stem(w)); len(stems[i]) > 0 {
			rarest = min(rarest, len(stems[i]))
		}
	}
	// A word of most texts does not make a head match as long as the query
	// has a rarer one.
	common := max((c.Len()+1)/2, rarest)
	for i, w := range words {
		if len(stems[i]) == 0 {
			for _, at := range c.nearest(w) {
				c.add(at, nearWeight, scores)
			}
			continue
		}
		c.add(stems[i], 0.5, scores)
		c.add(c.find(exactMark+w), 0.5, scores)
		for _, o := range stems[i] {
			tier := int8(1)
			if o.head > 0 && len(stems[i]) <= common {
				tier = 2
			}
			tiers[o.slot] = max(tiers[o.slot], tier)
		}
	}
}

// find returns where a term occurs.
func (c *Corpus) find(text string) []occurrence {
	i, ok := c.byText[text]
	if !ok {
		return nil
	}
	return c.lists[i].live(c.slots)
}

// add adds the BM25F score of one term, times weight.
func (c *Corpus) add(at []occurrence, weight float64, scores []float64) {
	n := float64(c.Len())
	headAvg := max(1, float64(c.headSum)/n)
	bodyAvg := max(1, float64(c.bodySum)/n)
	df := float64(len(at))
	idf := math.Log(1 + (n-df+0.5)/(df+0.5))
	for _, o := range at {
		s := &c.slots[o.slot]
		tf := headWeight*float64(o.head)/(1-headNorm+headNorm*float64(s.headLen)/headAvg) +
			float64(o.body)/(1-bodyNorm+bodyNorm*float64(s.bodyLen)/bodyAvg)
		scores[o.slot] += weight * idf * tf * (saturation + 1) / (tf + saturation)
	}
}
