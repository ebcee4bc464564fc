package hybrid

import (
	"math"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
)

// What the parts of a score weigh. They were tuned on conversations of people,
// always measured on one that was left out.
const (
	saturation = 1.0 // BM25's k1
	lengthNorm = 0.7 // BM25's b

	beside       = 0.4 // of the doc just before and of the one just after
	answering    = 0.4 // more of the one before when it is a question
	twoAway      = 0.2 // of the docs one further
	sessionShare = 0.4 // of the session as one text
	asking       = 0.8 // factor of a doc that ends in a question
	speaking     = 1.3 // factor of a doc whose speaker is named
	datedWell    = 0.8 // of a word of the date
	spelling     = 0.05
	misspelt     = 0.5  // of a word that was not found but one near it
	negligible   = 0.01 // share of a query's worth below which a word is not looked at: nearly all docs hold it
	mostLength   = 1023
)

// Query is what to look for. Zero filters let everything pass.
type Query struct {
	Text          string
	Kind, Session string
	Since         time.Time
	// Limit is how many hits there may be; 10 when it is not positive.
	Limit int
}

// Hit is a doc that matches, the best of those that restate one another.
type Hit struct {
	Entry
	// Score is above 0 and has four decimals. Of a doc that holds every word
	// of a query it is about 1, so that scores of different queries compare.
	Score float64
	// Others are the ids of the docs that restate this one and pass the
	// filters, in order.
	Others []int64
}

// scratch is what a search needs as long as it runs.
type scratch struct {
	score   []float32 // by slot
	session []float32 // by session: its score as one text
	counts  []float32 // by session: of the term under way; all 0 between terms
	touched []uint32  // the sessions whose count is not 0
	maybe   []candidate
	one     [mostLength + 1]float32
	norm    [mostLength + 1]float32
}

func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/8)
	}
	s = s[:n]
	clear(s)
	return s
}

// Search returns the docs that match a query, best first; what matches alike
// comes newest first. A doc matches when it, or one of the two before and the
// two after it in its session, holds a word of the query or is of a date that
// the query names.
func (x *Index) Search(q Query) []Hit {
	if q.Limit <= 0 {
		q.Limit = 10
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	t := &x.table
	pass, ok := x.filter(q)
	if !ok || len(t.order) == 0 {
		return nil
	}
	p := x.plan(q.Text)
	if len(p.clues) == 0 && len(p.dates) == 0 {
		return nil
	}
	s, _ := x.scratch.Get().(*scratch)
	if s == nil {
		s = &scratch{}
	}
	defer x.scratch.Put(s)
	s.score = resized(s.score, len(t.id))
	s.session = resized(s.session, len(t.sessions.all))
	s.counts = resized(s.counts, len(t.sessions.all))
	s.maybe = s.maybe[:0]

	g := x.gather(p, s)
	first := newBest(t, q.Limit)
	x.candidates(p, s, g, pass, first)
	best := newBest(t, q.Limit)
	probe := embed.NewProbe(&p.vector)
	floor := first.floor() - spelling - 1e-3
	for _, c := range s.maybe {
		if float64(c.score) < floor {
			continue
		}
		// In steps, so that texts which differ in nothing that matters are left
		// for their age to tell apart.
		alike := math.Round(10*probe.Cosine(t.signs[int(c.slot)*embed.SignsSize:])) / 10
		score := float64(c.score) + spelling*max(0, alike)
		best.add(c.slot, max(1, math.Round(score*g.share*1e4))/1e4)
	}
	return x.hits(best, pass)
}

// filter returns a test of slots, or false when nothing can pass.
func (x *Index) filter(q Query) (func(slot uint32) bool, bool) {
	t := &x.table
	kind, ok1 := t.kinds.find(q.Kind)
	session, ok2 := t.sessions.find(q.Session)
	if !ok1 || !ok2 {
		return nil, false
	}
	since := int64(noTime)
	if !q.Since.IsZero() {
		since = q.Since.UnixMilli()
		if q.Since.After(time.UnixMilli(since)) {
			since++
		}
	}
	if kind == 0 && session == 0 && since == noTime {
		return nil, true
	}
	return func(slot uint32) bool {
		return (kind == 0 || t.kind[slot] == kind) && (session == 0 || t.session[slot] == session) && t.time[slot] >= since
	}, true
}

// sums are what scores are measured by.
type sums struct {
	terms    float64 // what a doc would get for every word
	sessions float64 // the same of a session
	share    float64 // how much of the query is known at all
}

// gather adds up what each word of the query is worth to the docs and the
// sessions that hold it.
func (x *Index) gather(p plan, s *scratch) sums {
	t := &x.table
	n := float64(len(t.order))
	average := max(1, float64(t.total)/n)
	for l := range s.norm {
		s.norm[l] = float32(saturation * (1 - lengthNorm + lengthNorm*float64(l)/average))
		s.one[l] = (saturation + 1) / (1 + s.norm[l])
	}
	sessions := float64(t.living)
	var g sums
	missed := 0.0
	for _, c := range p.clues {
		worth := idf(n, float64(c.docs))
		if c.docs == 0 {
			missed += worth
			continue
		}
		g.terms += c.weight * worth
		missed += (1 - c.weight) * worth
	}
	for _, c := range p.clues {
		worth := c.weight * idf(n, float64(c.docs))
		if c.docs == 0 || worth < negligible*g.terms {
			continue
		}
		s.touched = s.touched[:0]
		for _, l := range c.lists {
			x.addList(l, float32(worth), s)
		}
		worth = c.weight * idf(sessions, float64(len(s.touched)))
		g.sessions += worth
		for _, no := range s.touched {
			tf := s.counts[no]
			s.counts[no] = 0
			s.session[no] += float32(worth) * (2.2 * tf / (tf + 1.2))
		}
	}
	dates := 0.0
	for _, d := range p.dates {
		found := 0
		for slot := 1; slot < len(t.id); slot++ {
			if t.date[slot]&d.mask == d.value && t.flags[slot]&isDead == 0 {
				found++
			}
		}
		if found == 0 {
			continue
		}
		worth := datedWell * idf(n, float64(found))
		dates += worth
		for slot := 1; slot < len(t.id); slot++ {
			if t.date[slot]&d.mask == d.value && t.flags[slot]&isDead == 0 {
				s.score[slot] += float32(worth)
			}
		}
	}
	if g.terms == 0 {
		g.terms = max(dates, math.SmallestNonzeroFloat32)
	}
	g.share = g.terms / (g.terms + missed)
	return g
}

func idf(n, docs float64) float64 { return math.Log(1 + (n-docs+0.5)/(docs+0.5)) }

// addList adds what a term is worth to the docs of one of its lists. It reads
// the list itself: this loop is what a search of many docs spends its time in.
func (x *Index) addList(l located, worth float32, s *scratch) {
	t := &x.table
	score, anyDead := s.score, t.dead > 0
	words, session := t.words[:len(score)], t.session[:len(score)]
	slot := l.first - 1
	last, sum := uint32(0), float32(0) // a session and what is not yet in its count
	_, p := read(l.list)
	for b := p.rest; len(b) > 0; {
		tf := float32(1)
		if v := b[0]; v&0x81 == 0 { // near, and there once
			slot += uint32(v >> 1)
			b = b[1:]
		} else if len(b) > 1 && v&1 == 0 && b[1] < 0x80 {
			slot += uint32(v&0x7f)>>1 | uint32(b[1])<<6
			b = b[2:]
		} else {
			p := postings{rest: b}
			p.long()
			slot += p.slot
			tf = float32(p.tf)
			b = p.rest
		}
		if anyDead && t.flags[slot]&isDead != 0 {
			continue
		}
		length := min(words[slot], mostLength)
		if tf == 1 {
			score[slot] += worth * s.one[length]
		} else {
			score[slot] += worth * (tf * (saturation + 1) / (tf + s.norm[length]))
		}
		if no := session[slot]; no != last {
			s.count(last, sum)
			last, sum = no, 0
		}
		sum += tf
	}
	s.count(last, sum)
}

// count adds to what a session has of the term under way.
func (s *scratch) count(session uint32, n float32) {
	if n == 0 {
		return
	}
	if s.counts[session] == 0 {
		s.touched = append(s.touched, session)
	}
	s.counts[session] += n
}

// candidate is a doc that matches, and its score but for the spelling.
type candidate struct {
	slot  uint32
	score float32
}

// candidates collects the docs that match, pass, and may yet be among the
// best.
func (x *Index) candidates(p plan, s *scratch, g sums, pass func(uint32) bool, best *best) {
	t := &x.table
	score := s.score
	prev, next, flags := t.prev[:len(score)], t.next[:len(score)], t.flags[:len(score)]
	session, together := t.session[:len(score)], s.session
	before := [2]float32{beside, beside + answering}
	perTerm, perSession := float32(1/g.terms), float32(0)
	if g.sessions > 0 {
		perSession = float32(sessionShare / g.sessions)
	}
	floor := float32(0)
	for i := 1; i < len(score); i++ {
		a, b := prev[i], next[i]
		v := score[i] + before[flags[a]&isQuestion]*score[a] + beside*score[b] + twoAway*(score[prev[a]]+score[next[b]])
		shared := together[session[i]] * perSession
		// The first is nearly always true, so that it costs a processor less
		// to foretell than the second.
		if (v*perTerm+shared)*speaking < floor || v == 0 {
			continue
		}
		slot := uint32(i)
		v = v*perTerm + shared
		length := max(1, float32(t.words[i]))
		v *= length / (length + 1)
		if flags[i]&isQuestion != 0 {
			v *= asking
		}
		if pass != nil && !pass(slot) {
			continue
		}
		if who := t.speaker[i]; who != 0 && p.speaks(who) {
			v *= speaking
		}
		if v >= floor {
			s.maybe = append(s.maybe, candidate{slot, v})
			best.add(slot, float64(v))
			floor = float32(best.floor() - spelling - 1e-3)
		}
	}
}

// hits returns what was best, each with those that restate it.
func (x *Index) hits(b *best, pass func(uint32) bool) []Hit {
	t := &x.table
	hits := make([]Hit, len(b.slots))
	var groups map[uint64]int
	for i, c := range b.slots {
		hits[i] = Hit{Entry: t.entry(c.slot), Score: c.score}
		if same := t.same[c.slot]; same != 0 {
			if groups == nil {
				groups = map[uint64]int{}
			}
			groups[same] = i
		}
	}
	if groups == nil {
		return hits
	}
	var bits uint64 // a filter before the map
	for same := range groups {
		bits |= 1 << (same & 63)
	}
	for _, slot := range t.order {
		same := t.same[slot]
		if same == 0 || bits>>(same&63)&1 == 0 {
			continue
		}
		i, ok := groups[same]
		if ok && slot != b.slots[i].slot && (pass == nil || pass(slot)) {
			hits[i].Others = append(hits[i].Others, t.id[slot])
		}
	}
	return hits
}
