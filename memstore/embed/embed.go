// Package embed turns text into vectors whose angle tells how alike two texts
// are, without a model, a download or a network.
//
//	a, b := embed.Text("postgres queue"), embed.Text("the queue is in Postgress")
//	alike := a.Cosine(b)
//
// What it sees is spelling: words, and the runs of three and four letters in
// them, so that inflected and misspelt words come out near each other. It does
// not know that two words mean the same, and does not pretend to.
package embed

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"unicode"
)

// Dim is the number of a vector's dimensions.
const Dim = 256

// Vector is a direction in Dim dimensions, each from -127 to 127; the zero
// Vector is that of a text without words.
type Vector [Dim]int8

// Text returns the vector of a text. Equal texts give equal vectors, on every
// machine.
func Text(s string) Vector {
	counts := map[uint32]float64{}
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
	}) {
		addWord(counts, w)
	}
	// The order of a map must not decide how sums are rounded.
	features := make([]uint32, 0, len(counts))
	for f := range counts {
		features = append(features, f)
	}
	slices.Sort(features)
	var sums [Dim]float64
	for _, f := range features {
		weight := counts[f]
		if weight > 1 {
			weight = 1 + math.Log(weight)
		}
		if f>>31 == 0 {
			weight = -weight
		}
		sums[f%Dim] += weight
	}
	return quantize(&sums)
}

// addWord counts a word, and its letter runs so that all of them together
// weigh about as much as the word.
func addWord(counts map[uint32]float64, word string) {
	marked := []rune("<" + word + ">")
	counts[hash(marked)]++
	runs := max(0, len(marked)-2) + max(0, len(marked)-3)
	for n := 3; n <= 4; n++ {
		for i := 0; i+n <= len(marked); i++ {
			if n < len(marked) {
				counts[hash(marked[i:i+n])] += 2 / math.Sqrt(float64(4*runs))
			}
		}
	}
}

// hash is FNV-1a with the bits mixed once more: short runs differ in few.
func hash(runes []rune) uint32 {
	var buf [4]byte
	h := uint32(2166136261)
	for _, r := range runes {
		binary.LittleEndian.PutUint32(buf[:], uint32(r))
		for _, b := range buf {
			h = (h ^ uint32(b)) * 16777619
		}
	}
	h ^= h >> 15
	h *= 0x2c1b3c6d
	return h ^ h>>12
}

func quantize(sums *[Dim]float64) Vector {
	top := 0.0
	for _, x := range sums {
		top = max(top, math.Abs(x))
	}
	var v Vector
	if top == 0 {
		return v
	}
	for i, x := range sums {
		v[i] = int8(math.Round(x / top * 127))
	}
	return v
}

// Cosine returns the cosine of the angle between two vectors, from -1 to 1;
// 0 when either is zero.
func (v *Vector) Cosine(w *Vector) float64 {
	norms := float64(v.dot(v)) * float64(w.dot(w))
	if norms == 0 {
		return 0
	}
	return float64(v.dot(w)) / math.Sqrt(norms)
}

func (v *Vector) dot(w *Vector) int32 {
	var a, b, c, d int32
	for i := 0; i < Dim; i += 4 {
		a += int32(v[i]) * int32(w[i])
		b += int32(v[i+1]) * int32(w[i+1])
		c += int32(v[i+2]) * int32(w[i+2])
		d += int32(v[i+3]) * int32(w[i+3])
	}
	return a + b + c + d
}

// Unit returns a vector's direction with length 1, or all zeros, for whoever
// mixes it with vectors from elsewhere.
func (v *Vector) Unit() []float32 {
	unit := make([]float32, Dim)
	norm := math.Sqrt(float64(v.dot(v)))
	if norm == 0 {
		return unit
	}
	for i, x := range v {
		unit[i] = float32(float64(x) / norm)
	}
	return unit
}
