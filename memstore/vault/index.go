package vault

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
	"github.com/slipstream-mcp/slipstream/memstore/rank"
	"github.com/slipstream-mcp/slipstream/memstore/thought"
)

// A long thought is compared piece by piece, with some text in two of them, so
// that what stands at its end is found as what stands at its beginning.
const (
	pieceBytes   = 1200
	overlapBytes = 200
)

// searchIndex finds rows by words and vectors. A row that was taken out leaves
// its number unused until half of them are, when the index is made smaller.
type searchIndex struct {
	docs    []doc
	lists   map[string][]posting
	live    int // docs with a row
	words   int // of all of them
	classes []thought.Thought
	numbers map[class]uint32 // of classes

	share    []float32 // of the last query's words
	eligible []bool    // for the last filter
}

type doc struct {
	row   *row // nil when it was taken out
	words int32
	class uint32
	// created is the time of creation in microseconds.
	created int64
	shown   bool // it counts
	status  status
	// now serve searches; next are to take their place when all are there.
	now, next vectors
}

type posting struct {
	doc   uint32
	count uint16
}

// class is what most filters look at; there are few.
type class struct{ prefix, portability, source, vault string }

// text is what the index holds of a body and its tags.
type text struct {
	terms   []rank.Term
	words   int
	vectors vectors // of package embed, when they are to serve
}

// newText prepares a body; local says that package embed's vectors are to serve.
func newText(body string, tags []string, local bool) text {
	var t text
	t.terms, t.words = rank.Terms(body + "\n" + strings.Join(tags, "\n"))
	if local {
		t.vectors = localVectors(body)
	}
	return t
}

func localVectors(body string) vectors {
	v := vectors{space: localSpace}
	for part := range parts(body) {
		vector := embed.Text(part)
		v.pieces = append(v.pieces, newPiece(signed(vector[:])))
	}
	return v
}

// parts iterates over the pieces of a text.
func parts(s string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for {
			end := min(pieceBytes, len(s))
			for end < len(s) && !utf8.RuneStart(s[end]) {
				end--
			}
			if !yield(s[:end]) || end == len(s) {
				return
			}
			next := end - overlapBytes
			for !utf8.RuneStart(s[next]) {
				next--
			}
			s = s[next:]
		}
	}
}

// add takes in a row.
func (x *searchIndex) add(r *row, t text) {
	if x.lists == nil {
		x.lists = map[string][]posting{}
	}
	n := x.enter(r, t.words, t.vectors)
	for _, term := range t.terms {
		x.lists[term.Text] = append(x.lists[term.Text], posting{n, term.Body})
	}
}

// enter takes in a row without its words.
func (x *searchIndex) enter(r *row, words int, v vectors) uint32 {
	if x.numbers == nil {
		x.numbers = map[class]uint32{}
	}
	c := class{r.Prefix, r.Portability, r.Source, r.Vault}
	number, ok := x.numbers[c]
	if !ok {
		number = uint32(len(x.classes))
		x.classes, x.numbers[c] = append(x.classes, thought.Thought{Prefix: c.prefix, Portability: c.portability, Source: c.source, Vault: c.vault}), number
	}
	r.doc = len(x.docs)
	d := doc{row: r, words: int32(words), class: number, created: r.CreatedAt.UnixMicro(), shown: r.counts(), now: v}
	if v.pieces != nil {
		d.status = embedded
	}
	x.docs = append(x.docs, d)
	x.live++
	x.words += words
	return uint32(r.doc)
}

func (x *searchIndex) show(r *row) {
	if d := x.doc(r); d != nil {
		d.shown = r.counts()
	}
}

// doc returns a row's doc, nil when it has none.
func (x *searchIndex) doc(r *row) *doc {
	if r.doc >= len(x.docs) || x.docs[r.doc].row != r {
		return nil
	}
	return &x.docs[r.doc]
}

func (x *searchIndex) remove(r *row) {
	d := x.doc(r)
	if d == nil {
		return
	}
	x.words -= int(d.words)
	x.live--
	*d = doc{}
	if len(x.docs) > 1000 && x.live < len(x.docs)/2 {
		x.shrink()
	}
}

// shrink gives the docs new numbers without gaps.
func (x *searchIndex) shrink() {
	to := make([]uint32, len(x.docs))
	docs := make([]doc, 0, x.live)
	for n, d := range x.docs {
		if d.row != nil {
			to[n], d.row.doc = uint32(len(docs)), len(docs)
			docs = append(docs, d)
		}
	}
	for term, list := range x.lists {
		var kept []posting
		for _, p := range list {
			if x.docs[p.doc].row != nil {
				kept = append(kept, posting{to[p.doc], p.count})
			}
		}
		if kept == nil {
			delete(x.lists, term)
			continue
		}
		x.lists[term] = kept
	}
	x.docs = docs
}

// candidate is a doc with its score.
type candidate struct {
	row           *row
	score, cosine float64
}

// better orders candidates, the best first.
func better(a, b candidate) int {
	if c := cmp.Compare(b.score, a.score); c != 0 {
		return c
	}
	if c := b.row.CreatedAt.Compare(a.row.CreatedAt); c != 0 {
		return c
	}
	return cmp.Compare(b.row.ID, a.row.ID)
}

// bestOf keeps the k best candidates, best first.
type bestOf struct {
	k    int
	list []candidate
}

// floor is the score below which no candidate comes in any more.
func (b *bestOf) floor() float64 {
	if len(b.list) < b.k {
		return math.Inf(-1)
	}
	return b.list[len(b.list)-1].score
}

func (b *bestOf) add(c candidate) {
	if len(b.list) >= b.k {
		if b.k < 1 || better(c, b.list[b.k-1]) > 0 {
			return
		}
		b.list = b.list[:b.k-1]
	}
	at, _ := slices.BinarySearchFunc(b.list, c, better)
	b.list = slices.Insert(b.list, at, c)
}

// search returns the k best of the thoughts that pass the filter and can be
// searched, and how many those are. Without probes the words alone decide.
func (x *searchIndex) search(query string, probes []probe, k int, f *thought.Filter) (best []candidate, total int) {
	terms, _ := rank.Terms(query)
	x.weigh(terms)
	total = x.filter(f)
	weight := 0.0 // the most that a cosine can add
	for _, p := range probes {
		weight = max(weight, p.space.weight)
	}
	// The best by words alone tell from what score on a doc matters: one that
	// even a cosine of 1 would not lift so high need not be compared.
	first := &bestOf{k: k}
	for n := range x.docs {
		if x.eligible[n] && (x.share[n] > 0 || weight == 0) && (len(first.list) < k || float64(x.share[n]) >= first.floor()) {
			first.add(candidate{row: x.docs[n].row, score: float64(x.share[n])})
		}
	}
	if weight == 0 {
		return first.list, total
	}
	var start bestOf
	start.k = k
	for _, c := range first.list {
		start.add(x.score(c.row.doc, probes))
	}
	floor := start.floor()
	workers := runtime.GOMAXPROCS(0)
	if len(x.docs) < 4096 {
		workers = 1
	}
	parts := make([]bestOf, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			found := bestOf{k: k}
			for n := w * len(x.docs) / workers; n < (w+1)*len(x.docs)/workers; n++ {
				if x.eligible[n] && float64(x.share[n])+weight >= max(floor, found.floor()) {
					found.add(x.score(n, probes))
				}
			}
			parts[w] = found
		})
	}
	wg.Wait()
	all := bestOf{k: k}
	for _, p := range parts {
		for _, c := range p.list {
			all.add(c)
		}
	}
	return all.list, total
}

// score compares one doc with the query.
func (x *searchIndex) score(n int, probes []probe) candidate {
	d := &x.docs[n]
	c := candidate{row: d.row, score: float64(x.share[n])}
	serving := &d.now
	if serving.pieces == nil {
		serving = &d.next
	}
	for i := range probes {
		p := &probes[i]
		if p.space != serving.space {
			continue
		}
		c.cosine = -1
		for i := range serving.pieces {
			c.cosine = max(c.cosine, p.piece.cosine(&serving.pieces[i]))
		}
		c.score += p.space.weight * c.cosine
		break
	}
	return c
}

// filter notes which docs pass and returns how many.
func (x *searchIndex) filter(f *thought.Filter) (total int) {
	x.eligible = slices.Grow(x.eligible[:0], len(x.docs))[:len(x.docs)]
	pass := make([]bool, len(x.classes))
	few := thought.Filter{Prefix: f.Prefix, Portability: f.Portability, Source: f.Source, Vault: f.Vault}
	for i := range x.classes {
		pass[i] = few.Match(&x.classes[i])
	}
	after, before := int64(math.MinInt64), int64(math.MaxInt64)
	if !f.CreatedAfter.IsZero() {
		after = f.CreatedAfter.Truncate(time.Microsecond).UnixMicro()
	}
	if !f.CreatedBefore.IsZero() {
		before = f.CreatedBefore.UnixMicro()
		if f.CreatedBefore.Nanosecond()%1000 > 0 {
			before++
		}
	}
	rest := thought.Filter{Tags: f.Tags, Type: f.Type, Topics: f.Topics, People: f.People}
	all := rest.Empty()
	for n := range x.docs {
		d := &x.docs[n]
		x.eligible[n] = d.row != nil && d.shown && d.status == embedded && pass[d.class] && d.created > after && d.created < before && (all || rest.Match(&d.row.Thought))
		if x.eligible[n] {
			total++
		}
	}
	return total
}

// weigh notes, for each doc, what part of the query's words it holds, weighed by
// BM25.
func (x *searchIndex) weigh(terms []rank.Term) {
	const k1, b = 1.2, 0.75
	x.share = slices.Grow(x.share[:0], len(x.docs))[:len(x.docs)]
	clear(x.share)
	docs := float64(x.live)
	mean := max(1, float64(x.words)/max(1, docs))
	whole := 0.0
	type weighed struct {
		list   []posting
		weight float64
	}
	var lists []weighed
	for _, t := range terms {
		list := x.lists[t.Text]
		having := len(list)
		if x.live < len(x.docs) { // what was taken out must not weigh
			having = 0
			for _, p := range list {
				if x.docs[p.doc].row != nil {
					having++
				}
			}
		}
		weight := math.Log(1 + (docs+0.5)/(float64(having)+0.5))
		whole += weight * (k1 + 1)
		lists = append(lists, weighed{list, weight})
	}
	for _, l := range lists {
		part := l.weight * (k1 + 1) / whole
		for _, p := range l.list {
			n := float64(p.count)
			x.share[p.doc] += float32(part * n / (n + k1*(1-b+b*float64(x.docs[p.doc].words)/mean)))
		}
	}
}
