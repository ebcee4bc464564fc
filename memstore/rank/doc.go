package rank

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
	"github.com/slipstream-mcp/slipstream/memstore/internal/letters"
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
	headWords, bodyWords := split(head), split(body)
	return Doc{
		Vector: vector(slices.Concat(headWords, bodyWords)), Time: at, Terms: terms(headWords, bodyWords),
		HeadLen: uint32(len(headWords)), BodyLen: uint32(len(bodyWords)),
	}
}

// Terms returns the terms of a text without a head, as NewDoc makes them, and
// how many words it has, for whoever keeps lists of his own.
func Terms(body string) (list []Term, words int) {
	bodyWords := split(body)
	return terms(nil, bodyWords), len(bodyWords)
}

func terms(headWords, bodyWords []string) []Term {
	words := make(map[string]Term, len(headWords)+len(bodyWords)/2)
	for _, w := range headWords {
		words[w] = words[w].plus(1, 0)
	}
	for _, w := range bodyWords {
		words[w] = words[w].plus(0, 1)
	}
	stems := make(map[string]Term, len(words))
	list := make([]Term, 0, 2*len(words))
	for w, t := range words {
		t.Text = exactMark + w
		list = append(list, t)
		s := letters.Stem(w)
		stems[s] = stems[s].plus(t.Head, t.Body)
	}
	for s, t := range stems {
		t.Text = s
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b Term) int { return strings.Compare(a.Text, b.Text) })
	return list
}

// vector leaves out the words of grammar, which make any two texts alike.
func vector(words []string) embed.Vector {
	return embed.Text(strings.Join(telling(words), " "))
}

// plus returns the term with more occurrences, as many as can be counted.
func (t Term) plus(head, body uint16) Term {
	t.Head += min(head, math.MaxUint16-t.Head)
	t.Body += min(body, math.MaxUint16-t.Body)
	return t
}
