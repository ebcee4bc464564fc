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
	"math"
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
	counts := map[string]int{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
	}) {
		counts[w]++
	}
	// Whole numbers, so that the order of a map does not decide the sums.
	var sums [Dim]int64
	for w, n := range counts {
		addWord(&sums, w, 1+math.Log(float64(n)))
	}
	return quantize(&sums)
}

// addWord adds a word, and its letter runs so that all of them together weigh
// about as much as the word.
func addWord(sums *[Dim]int64, word string, weight float64) {
	marked := make([]rune, 0, 32)
	marked = append(marked, '<')
	for _, r := range word {
		marked = append(marked, r)
	}
	marked = append(marked, '>')
	const unit = 1 << 16
	add(sums, marked, int64(weight*unit))
	runs := max(0, len(marked)-2) + max(0, len(marked)-3)
	part := int64(weight * unit / math.Sqrt(float64(runs)))
	for n := 3; n <= 4 && n < len(marked); n++ {
		for i := 0; i+n <= len(marked); i++ {
			add(sums, marked[i:i+n], part)
		}
	}
}

// add adds the weight in the dimension and with the sign that the letters
// hash to.
func add(sums *[Dim]int64, letters []rune, weight int64) {
	h := uint32(2166136261)
	for _, r := range letters {
		h = (h ^ uint32(r)) * 16777619
	}
	// Short runs differ in few bits, so mix them.
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	if h>>31 == 0 {
		weight = -weight
	}
	sums[h%Dim] += weight
}

func quantize(sums *[Dim]int64) Vector {
	var top int64
	for _, x := range sums {
		top = max(top, x, -x)
	}
	var v Vector
	if top == 0 {
		return v
	}
	for i, x := range sums {
		v[i] = int8(math.Round(float64(x) / float64(top) * 127))
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
