package vault

import (
	"cmp"
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
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

// likeness is what the cosine adds at most to the share of the query's words
// that a thought holds: a rare word that is there outweighs a mere resemblance.
const likeness = 0.3

// Hit is a thought that was found.
type Hit struct {
	thought.Thought
	// Similarity is the cosine between the query and the thought's nearest
	// piece, from -1 to 1.
	Similarity float64
}

// Found is the answer to a search.
type Found struct {
	// Hits stand best first, by words and similarity together.
	Hits []Hit
	// Total is the number of thoughts that pass the filter.
	Total int
}

// Search returns the k thoughts among those that pass the filter that are
// nearest to the query: always k unless fewer pass, for thoughts without any
// word of the query follow by their similarity.
func (v *Vault) Search(ctx context.Context, query string, k int, f thought.Filter) (found Found, err error) {
	if strings.TrimSpace(query) == "" {
		return Found{}, errors.New("a search needs a query")
	}
	err = v.read(ctx, func(root *os.Root) error {
		best, total := v.index.search(query, k, &f)
		found.Total = total
		for _, b := range best {
			if t, ok := v.whole(root, b.row); ok {
				found.Hits = append(found.Hits, Hit{t, b.cosine})
			}
		}
		return nil
	})
	return found, err
}

// index finds rows by words and spelling. A row that was taken out leaves its
// number unused until half of them are, when the index is made smaller.
type index struct {
	docs   []doc
	lists  map[string][]posting
	number map[*row]uint32
	words  int // of all docs
}

type doc struct {
	row    *row // nil when it was taken out
	words  int
	pieces []piece
}

type piece struct {
	vector embed.Vector
	norm   float64
}

type posting struct {
	doc   uint32
	count uint16
}

func newPiece(v embed.Vector) piece {
	return piece{v, math.Sqrt(float64(dot(&v, &v)))}
}

func (p *piece) cosine(q *piece) float64 {
	if p.norm == 0 || q.norm == 0 {
		return 0
	}
	return float64(dot(&p.vector, &q.vector)) / (p.norm * q.norm)
}

func dot(a, b *embed.Vector) int32 {
	var sum int32
	for i := range a {
		sum += int32(a[i]) * int32(b[i])
	}
	return sum
}

func (x *index) add(r *row, body string) {
	if x.lists == nil {
		x.lists, x.number = map[string][]posting{}, map[*row]uint32{}
	}
	text := rank.NewDoc("", body+"\n"+strings.Join(r.Tags, "\n"), time.Time{})
	d := doc{row: r, words: int(text.BodyLen)}
	for part := range parts(body) {
		d.pieces = append(d.pieces, newPiece(embed.Text(part)))
	}
	n := uint32(len(x.docs))
	x.docs = append(x.docs, d)
	x.number[r] = n
	x.words += d.words
	for _, t := range text.Terms {
		x.lists[t.Text] = append(x.lists[t.Text], posting{n, t.Body})
	}
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

func (x *index) remove(r *row) {
	n, ok := x.number[r]
	if !ok {
		return
	}
	delete(x.number, r)
	x.words -= x.docs[n].words
	x.docs[n] = doc{}
	if len(x.docs) > 1000 && len(x.number) < len(x.docs)/2 {
		x.shrink()
	}
}

// shrink gives the docs new numbers without gaps.
func (x *index) shrink() {
	to := make([]uint32, len(x.docs))
	var docs []doc
	for n, d := range x.docs {
		if d.row != nil {
			to[n] = uint32(len(docs))
			x.number[d.row] = to[n]
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

type candidate struct {
	row           *row
	score, cosine float64
}

func better(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), b.row.CreatedAt.Compare(a.row.CreatedAt), cmp.Compare(b.row.ID, a.row.ID))
}

func (x *index) search(query string, k int, f *thought.Filter) (best []candidate, total int) {
	text := rank.NewDoc("", query, time.Time{})
	share := x.shares(text.Terms)
	q := newPiece(embed.Text(query))
	for n := range x.docs {
		d := &x.docs[n]
		if d.row == nil || d.row.copyOf != "" || !f.Match(&d.row.Thought) {
			continue
		}
		total++
		c := candidate{row: d.row, cosine: -1}
		for i := range d.pieces {
			c.cosine = max(c.cosine, d.pieces[i].cosine(&q))
		}
		c.score = share[n] + likeness*c.cosine
		if len(best) >= k {
			if k < 1 || better(c, best[k-1]) > 0 {
				continue
			}
			best = best[:k-1]
		}
		at, _ := slices.BinarySearchFunc(best, c, better)
		best = slices.Insert(best, at, c)
	}
	return best, total
}

// shares returns, for each doc, what part of the query's words it holds,
// weighed by BM25.
func (x *index) shares(terms []rank.Term) []float64 {
	const k1, b = 1.2, 0.75
	share := make([]float64, len(x.docs))
	docs := float64(len(x.number))
	mean := max(1, float64(x.words)/max(1, docs))
	whole := 0.0
	for _, t := range terms {
		list := x.lists[t.Text]
		weight := math.Log(1 + (docs+0.5)/(min(docs, float64(len(list)))+0.5))
		whole += weight * (k1 + 1)
		for _, p := range list {
			if d := &x.docs[p.doc]; d.row != nil {
				n := float64(p.count)
				share[p.doc] += weight * n * (k1 + 1) / (n + k1*(1-b+b*float64(d.words)/mean))
			}
		}
	}
	if whole > 0 {
		for i := range share {
			share[i] /= whole
		}
	}
	return share
}
