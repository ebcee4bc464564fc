package hybrid

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
	"github.com/slipstream-mcp/slipstream/memstore/internal/letters"
)

// plan is a query made ready.
type plan struct {
	clues    []clue
	dates    []dateWord
	speakers []uint32
	vector   embed.Vector
}

// clue is a term to look for.
type clue struct {
	weight float64
	docs   int // how many living docs hold it
	lists  []located
}

// located is a posting list and the slot that its 0 stands for.
type located struct {
	list  []byte
	first uint32
}

// Bounds of a query, far above what anybody asks, so that a pasted file does
// not hold up others.
const (
	mostQuery = 4 << 10 // bytes
	mostClues = 64
	mostNear  = 6 // words that are looked for by their letters
)

// plan finds the posting lists of a query.
func (x *Index) plan(text string) plan {
	if len(text) > mostQuery {
		text = strings.ToValidUTF8(text[:mostQuery], "")
	}
	p := planner{x: x, terms: map[string]bool{}, words: map[string]bool{}}
	pieces(text, p.piece)
	p.vector = p.sum.Vector()
	p.dates = dateWords(text)
	return p.plan
}

// planner makes a plan, a piece of the query after the other.
type planner struct {
	plan
	x     *Index
	terms map[string]bool // those of clues, and whether there are docs with it
	words map[string]bool // those in sum
	sum   embed.Sum
	near  int // words that were looked for by their letters
}

func (p *planner) piece(q piece) {
	// A name in one piece may be spelt as one word elsewhere, and the other
	// way round.
	for _, w := range q.wholes {
		if !p.try(wholeMark + w) {
			p.try(letters.Stem(w))
		}
	}
	unknown := false
	for _, w := range q.words {
		if grammar(w) {
			continue
		}
		if no, ok := p.x.table.speakers.find(w); ok {
			p.speakers = append(p.speakers, no)
		}
		if !p.words[w] {
			p.words[w] = true
			p.sum.Add(embed.NewWord(w))
		}
		named := len(q.wholes) == 0 && p.try(wholeMark+w)
		if !p.try(letters.Stem(w)) && !named {
			unknown = true
			p.guess(letters.Stem(w), w)
		}
	}
	if unknown && len(q.wholes) > 0 {
		p.guess(wholeMark+q.wholes[0], "")
	}
}

// try adds a term if there are docs with it, and tells whether there are.
func (p *planner) try(term string) bool {
	found, seen := p.terms[term]
	if seen || len(p.clues) == mostClues {
		return found
	}
	c := p.x.clue(term)
	if c.docs > 0 {
		p.terms[term] = true
		p.clues = append(p.clues, c)
	}
	return c.docs > 0
}

// guess adds what an unknown term may stand for, or that it is unknown. word
// is what it is the stem of, "" when it is none.
func (p *planner) guess(term, word string) {
	if _, seen := p.terms[term]; seen || len(p.clues) == mostClues {
		return
	}
	p.terms[term] = false
	c := clue{weight: 1}
	if p.near < mostNear && allowed(term) > 0 {
		p.near++
		c = p.x.clueNear(term, word)
	}
	p.clues = append(p.clues, c)
}

// clue finds a term in all segments.
func (x *Index) clue(term string) clue {
	c := clue{weight: 1}
	first := uint32(1)
	for _, s := range x.segments {
		if list := s.find(term); list != nil {
			docs, p := read(list)
			if x.table.dead > 0 {
				docs = 0
				for p.next() {
					if x.table.flags[first+p.slot]&isDead == 0 {
						docs++
					}
				}
			}
			if docs > 0 {
				c.docs += int(docs)
				c.lists = append(c.lists, located{list, first})
			}
		}
		first += s.slots
	}
	return c
}

// clueNear finds the living terms nearest to an unknown one, as if they were
// one term. word is what the term is the stem of.
func (x *Index) clueNear(term, word string) clue {
	alive := func(near string) bool { return x.clue(near).docs > 0 }
	found := map[string]bool{}
	respellings(word, func(stem string) {
		if !found[stem] && alive(stem) {
			found[stem] = true
		}
	})
	if len(found) == 0 {
		found = nearest(x.segments, term, alive)
	}
	all := clue{weight: 1}
	for _, near := range slices.Sorted(maps.Keys(found)) {
		c := x.clue(near)
		all.weight = misspelt
		all.docs += c.docs
		all.lists = append(all.lists, c.lists...)
	}
	all.docs = min(all.docs, len(x.table.order))
	return all
}

func (p *plan) speaks(who uint32) bool { return slices.Contains(p.speakers, who) }

// A date is a year, a month, a day of the month and one of the week, packed;
// 0 is none.
const (
	yearShift, yearMask   = 16, 0xffff << 16
	monthShift, monthMask = 12, 0xf << 12
	dayShift, dayMask     = 4, 0x1f << 4
	weekdayMask           = 0xf
)

func dateOf(t time.Time) uint32 {
	return uint32(t.Year())<<yearShift | uint32(t.Month())<<monthShift | uint32(t.Day())<<dayShift | uint32(t.Weekday()+1)
}

// dateWord is a word of a date: what of a packed date it speaks of, and what
// that must be.
type dateWord struct{ mask, value uint32 }

// dateWords returns the words of dates in a query: months and days of the week
// by their full English names, years from 1900 to 2099, and days of the month
// when a month is named. "May" is a month when it is written so and does not
// begin the query.
func dateWords(text string) []dateWord {
	var found []dateWord
	var days []uint32
	month := false
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range words {
		lower := strings.ToLower(w)
		number, err := strconv.Atoi(strings.TrimRight(lower, "stndrh"))
		switch {
		case err == nil && len(w) == 4 && number >= 1900 && number < 2100:
			found = append(found, dateWord{yearMask, uint32(number) << yearShift})
		case err == nil && number >= 1 && number <= 31:
			days = append(days, uint32(number))
		case err != nil:
			for m := time.January; m <= time.December; m++ {
				if lower == strings.ToLower(m.String()) && (m != time.May || w == "May" && i > 0) {
					found = append(found, dateWord{monthMask, uint32(m) << monthShift})
					month = true
				}
			}
			for d := time.Sunday; d <= time.Saturday; d++ {
				if lower == strings.ToLower(d.String()) {
					found = append(found, dateWord{weekdayMask, uint32(d + 1)})
				}
			}
		}
	}
	if month {
		for _, d := range days {
			found = append(found, dateWord{dayMask, d << dayShift})
		}
	}
	slices.SortFunc(found, func(a, b dateWord) int { return int(int64(a.mask^a.value) - int64(b.mask^b.value)) })
	return slices.Compact(found)
}
