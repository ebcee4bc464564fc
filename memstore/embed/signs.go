package embed

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Word is what one word adds to the vectors of the texts that hold it.
type Word struct{ parts []part }

type part struct {
	dim    uint16
	weight int32
}

// NewWord returns what a word in lower case adds.
func NewWord(word string) Word {
	var sums [Dim]int64
	addWord(&sums, word, 1)
	var w Word
	for i, x := range sums {
		if x != 0 {
			w.parts = append(w.parts, part{uint16(i), int32(x)})
		}
	}
	return w
}

// Sum adds words up to a text. The zero value is a text without any.
type Sum struct{ sums [Dim]int64 }

// Add adds a word; in what order makes no difference.
func (s *Sum) Add(w Word) {
	for _, p := range w.parts {
		s.sums[p.dim] += int64(p.weight)
	}
}

// Vector returns the vector of the words that were added.
func (s *Sum) Vector() Vector { return quantize(&s.sums) }

// SignsSize is the number of bytes that AppendSigns appends.
const SignsSize = Dim / 4

// AppendSigns appends to b what the sum says in two bits a dimension: more,
// less, or about nothing. It takes a sixteenth of a vector of floats, and is
// enough to tell by a Probe how alike a text is to a query.
func (s *Sum) AppendSigns(b []byte) []byte {
	squares, n := 0.0, 0
	for _, x := range s.sums {
		if x != 0 {
			squares += float64(x) * float64(x)
			n++
		}
	}
	little := int64(math.Sqrt(squares/max(1, float64(n))) / 2)
	for i := 0; i < Dim; i += 4 {
		var code byte
		for k, x := range s.sums[i : i+4] {
			switch {
			case x > little:
				code |= 1 << (2 * k)
			case x < -little:
				code |= 2 << (2 * k)
			}
		}
		b = append(b, code)
	}
	return b
}

// Probe compares one vector with the signs of many.
type Probe struct {
	table [SignsSize][256]float32
}

// NewProbe prepares to compare with v.
func NewProbe(v *Vector) *Probe {
	p := &Probe{}
	norm := math.Sqrt(float64(v.dot(v)))
	if norm == 0 {
		return p
	}
	for i := range p.table {
		row := &p.table[i]
		for k, x := range v[4*i : 4*i+4] {
			part := float32(float64(x) / norm)
			// All codes of fewer dimensions are there; add this one to each.
			for code := range 1 << (2 * k) {
				row[code|1<<(2*k)] = row[code] + part
				row[code|2<<(2*k)] = row[code] - part
			}
		}
	}
	return p
}

// Cosine estimates the cosine between the probe's vector and the one with
// these signs, from -1 to 1; it is right to about 0.2. signs must hold
// SignsSize bytes.
func (p *Probe) Cosine(signs []byte) float64 {
	signs = signs[:SignsSize]
	var a, b float32
	n := 0
	for i := 0; i < SignsSize; i += 8 {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(signs[i:]))
		a += p.table[i][signs[i]] + p.table[i+1][signs[i+1]] + p.table[i+2][signs[i+2]] + p.table[i+3][signs[i+3]]
		b += p.table[i+4][signs[i+4]] + p.table[i+5][signs[i+5]] + p.table[i+6][signs[i+6]] + p.table[i+7][signs[i+7]]
	}
	if n == 0 {
		return 0
	}
	return max(-1, min(1, float64(a+b)/math.Sqrt(float64(n))))
}
