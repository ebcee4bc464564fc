//go:build ignore

package main

import (
	"fmt"
	"math"
	"os"
)

// The model: a token's worth is spread over pairs of neighbouring bytes'
// classes, so a text counts the sum of its pairs' weights. The fit finds
// weights of 0 or more that make the relative error over all pieces least.
const (
	pairs   = numClasses * numClasses
	unit    = 128         // weights are stored in 1/unit tokens, one byte each
	top     = 255. / unit // so none is above this
	ridge   = 3e-4        // pull towards the share of pairs with a token's end between
	lenient = 0.3         // an estimate too high is this much as bad as one too low, which breaks a budget
	rounds  = 4           // of telling the high estimates from the low
	passes  = 40          // over all weights, each round
)

// example is one piece as the fit sees it.
type example struct {
	pairs []int32   // which pairs it holds
	share []float64 // how often each, a true token
	say   float64   // 1 / pieces of its corpus
}

// fitted returns the weights by pair, the earlier byte's class first.
func fitted(ps []piece) [pairs]uint8 {
	prior := boundaries(ps)
	perCorpus := map[string]float64{}
	for _, p := range ps {
		perCorpus[p.corpus]++
	}
	var ex []example
	for _, p := range ps {
		var n [pairs]int
		count(p.text, func(_, pair int) { n[pair]++ })
		e := example{say: 1 / perCorpus[p.corpus]}
		for pair, k := range n {
			if k > 0 {
				e.pairs = append(e.pairs, int32(pair))
				e.share = append(e.share, float64(k)/float64(len(p.tokens)))
			}
		}
		ex = append(ex, e)
	}
	return quantised(solve(ex, prior))
}

// count calls f with the place and the pair of each byte.
func count(t string, f func(at, pair int)) {
	prev := 0
	for i := range len(t) {
		k := classOf(t[i])
		f(i, prev*numClasses+k)
		prev = k
	}
}

// boundaries returns how often a token ends between the bytes of each pair; a
// rare pair leans on what its second class does in all pairs. A text's first
// byte begins a token whatever it is.
func boundaries(ps []piece) (prior [pairs]float64) {
	var seen, ends [pairs]float64
	var seen1, ends1 [numClasses]float64
	for _, p := range ps {
		starts := make([]bool, len(p.text)+1)
		at := 0
		for _, t := range p.tokens {
			starts[at] = true
			at += len(t)
		}
		count(p.text, func(at, pair int) {
			seen[pair]++
			seen1[pair%numClasses]++
			if starts[at] {
				ends[pair]++
				ends1[pair%numClasses]++
			}
		})
	}
	const lean = 30
	for i := range prior {
		k := i % numClasses
		back := ends1[k] / max(seen1[k], 1)
		prior[i] = (ends[i] + lean*back) / (seen[i] + lean)
		if i < numClasses {
			prior[i] = 1
		}
	}
	return prior
}

// solve finds the weights by coordinate descent.
func solve(ex []example, prior [pairs]float64) [pairs]float64 {
	type cell struct {
		row   int32
		share float64
	}
	var cols [pairs][]cell
	w := prior
	rest := make([]float64, len(ex)) // 1 - estimate / truth
	for r, e := range ex {
		rest[r] = 1
		for i, pair := range e.pairs {
			cols[pair] = append(cols[pair], cell{int32(r), e.share[i]})
			rest[r] -= e.share[i] * w[pair]
		}
	}
	say := make([]float64, len(ex))
	for round := range rounds {
		var all float64
		for r, e := range ex {
			say[r] = e.say
			if rest[r] < 0 {
				say[r] *= lenient
			}
			all += e.say * math.Abs(rest[r])
		}
		fmt.Fprintf(os.Stderr, "fit: round %d, %d pieces, summed mean error by corpus %.3f\n", round, len(ex), all)
		for range passes {
			for pair := numClasses; pair < pairs; pair++ {
				var slope, curve float64
				for _, c := range cols[pair] {
					s := say[c.row] * c.share
					slope += s * rest[c.row]
					curve += s * c.share
				}
				if curve == 0 {
					continue
				}
				step := (slope + ridge*(prior[pair]-w[pair])) / (curve + ridge)
				step = min(max(w[pair]+step, 0), top) - w[pair]
				w[pair] += step
				for _, c := range cols[pair] {
					rest[c.row] -= step * c.share
				}
			}
		}
	}
	return w
}

func quantised(w [pairs]float64) (q [pairs]uint8) {
	for i, v := range w {
		q[i] = uint8(math.Round(min(v, top) * unit))
	}
	return q
}
