package hybrid

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
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
	var p plan
	seen := map[string]bool{}
	near := 0
	// look adds the term of a word, and tells whether there are docs with it.
	// An unknown one is added too unless it is optional.
	look := func(term, word string, optional bool) bool {
		if seen[term] || len(p.clues) == mostClues {
			return true
		}
		c := x.clue(term)
		if c.docs == 0 && optional {
			return false
		}
		seen[term] = true
		if c.docs == 0 && near < mostNear && allowed(term) > 0 {
			near++
			c = x.clueNear(term, word)
		}
		p.clues = append(p.clues, c)
		return c.docs > 0
	}
	var sum embed.Sum
	summed := map[string]bool{}
	pieces(text, func(piece piece) {
		// A name in one piece may be spelt as one word elsewhere, and the
		// other way round.
		for _, w := range piece.wholes {
			if !look(wholeMark+w, w, true) {
				look(stem(w), w, true)
			}
		}
		for _, w := range piece.words {
			if grammar(w) {
				continue
			}
			if no, ok := x.table.speakers.find(w); ok {
				p.speakers = append(p.speakers, no)
			}
			if !summed[w] {
				summed[w] = true
				sum.Add(embed.NewWord(w))
			}
			whole := len(piece.wholes) == 0 && look(wholeMark+w, w, true)
			look(stem(w), w, whole)
		}
		if len(piece.wholes) > 0 && slices.ContainsFunc(piece.words, func(w string) bool { return x.clue(stem(w)).docs == 0 }) {
			look(wholeMark+piece.wholes[0], "", false)
		}
	})
	p.vector = sum.Vector()
	p.dates = dateWords(text)
	return p
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
