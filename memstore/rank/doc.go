package rank

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
)

// Doc is a text prepared for a Corpus: what it would cost to compute again.
type Doc struct {
	// Terms holds each term once, in byte order.
	Terms []Term
	// HeadLen and BodyLen count words.
	HeadLen, BodyLen uint32
	// Vector is that of head and body together.
	Vector embed.Vector
	// Time decides between docs that match alike: newer first.
	Time time.Time
}

// Term is a stem, or a word as it is written with exactMark before it, and
// how often it occurs.
type Term struct {
	Text       string
	Head, Body uint16
}

const exactMark = "="

// NewDoc prepares a text. The head is what names it: a match there counts
// before any in the body.
func NewDoc(head, body string, at time.Time) Doc {
	d := Doc{Vector: embed.Text(head + "\n" + body), Time: at}
	terms := map[string]*Term{}
	d.HeadLen = count(terms, head, func(t *Term) *uint16 { return &t.Head })
	d.BodyLen = count(terms, body, func(t *Term) *uint16 { return &t.Body })
	d.Terms = make([]Term, 0, len(terms))
	for _, text := range slices.Sorted(maps.Keys(terms)) {
		d.Terms = append(d.Terms, *terms[text])
	}
	return d
}

func count(terms map[string]*Term, text string, field func(*Term) *uint16) uint32 {
	words := split(text)
	for _, w := range words {
		for _, text := range [...]string{stem(w), exactMark + w} {
			t := terms[text]
			if t == nil {
				t = &Term{Text: text}
				terms[text] = t
			}
			if n := field(t); *n < math.MaxUint16 {
				*n++
			}
		}
	}
	return uint32(len(words))
}
