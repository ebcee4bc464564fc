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

// Corpus is a set of docs by key. The zero value is empty and ready. It is not
// safe for concurrent use.
type Corpus struct {
	slots    []slot
	free     []uint32
	byKey    map[string]uint32
	postings map[string]*posting
	headSum  uint64
	bodySum  uint64
}

type slot struct {
	key              string // empty: free
	doc              Doc    // without Terms
	lists            []*posting
	headLen, bodyLen float64
}

// posting is where one term occurs.
type posting struct {
	text string
	at   []occurrence
}

type occurrence struct {
	slot       uint32
	head, body uint16
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

// Put adds a doc, in the place of any of the same key.
func (c *Corpus) Put(key string, d Doc) {
	c.Delete(key)
	if c.byKey == nil {
		c.byKey = map[string]uint32{}
		c.postings = map[string]*posting{}
	}
	var at uint32
	if n := len(c.free); n > 0 {
		at, c.free = c.free[n-1], c.free[:n-1]
	} else {
		at = uint32(len(c.slots))
		c.slots = append(c.slots, slot{})
	}
	s := slot{key: key, doc: d, headLen: float64(d.HeadLen), bodyLen: float64(d.BodyLen)}
	s.doc.Terms = nil
	s.lists = make([]*posting, len(d.Terms))
	for i, t := range d.Terms {
		p := c.postings[t.Text]
		if p == nil {
			p = &posting{text: t.Text}
			c.postings[t.Text] = p
		}
		p.at = append(p.at, occurrence{at, t.Head, t.Body})
		s.lists[i] = p
	}
	c.slots[at] = s
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
	for _, p := range s.lists {
		i := slices.IndexFunc(p.at, func(o occurrence) bool { return o.slot == at })
		last := len(p.at) - 1
		p.at[i] = p.at[last]
		p.at = p.at[:last]
		if last == 0 {
			delete(c.postings, p.text)
		}
	}
	c.headSum -= uint64(s.doc.HeadLen)
	c.bodySum -= uint64(s.doc.BodyLen)
	*s = slot{}
	c.free = append(c.free, at)
	delete(c.byKey, key)
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
	like := vector(words)
	var best []candidate // at most limit, in order
	for i := range c.slots {
		s := &c.slots[i]
		if s.key == "" {
			continue
		}
		// In steps, so that texts which differ in nothing that matters are
		// left for their age to tell apart.
		alike := math.Round(s.doc.Vector.Cosine(&like)*10) / 10
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
		b.slot.doc.Time.Compare(a.slot.doc.Time),
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
	stems := make([]*posting, len(words))
	rarest := len(c.byKey)
	for i, w := range words {
		if stems[i] = c.postings[stem(w)]; stems[i] != nil {
			rarest = min(rarest, len(stems[i].at))
		}
	}
	// A word of most texts does not make a head match as long as the query
	// has a rarer one.
	common := max((len(c.byKey)+1)/2, rarest)
	for i, w := range words {
		if stems[i] == nil {
			for _, n := range c.nearest(w) {
				c.add(n, nearWeight, scores)
			}
			continue
		}
		c.add(stems[i], 0.5, scores)
		if exact := c.postings[exactMark+w]; exact != nil {
			c.add(exact, 0.5, scores)
		}
		for _, o := range stems[i].at {
			tier := int8(1)
			if o.head > 0 && len(stems[i].at) <= common {
				tier = 2
			}
			tiers[o.slot] = max(tiers[o.slot], tier)
		}
	}
}

// add adds the BM25F score of one term, times weight.
func (c *Corpus) add(p *posting, weight float64, scores []float64) {
	n := float64(len(c.byKey))
	headAvg := max(1, float64(c.headSum)/n)
	bodyAvg := max(1, float64(c.bodySum)/n)
	df := float64(len(p.at))
	idf := math.Log(1 + (n-df+0.5)/(df+0.5))
	for _, o := range p.at {
		s := &c.slots[o.slot]
		tf := headWeight*float64(o.head)/(1-headNorm+headNorm*s.headLen/headAvg) +
			float64(o.body)/(1-bodyNorm+bodyNorm*s.bodyLen/bodyAvg)
		scores[o.slot] += weight * idf * tf * (saturation + 1) / (tf + saturation)
	}
}
