package rank

import (
	"math"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
)

// probe is a query's vector. Few of its dimensions are not zero, and only those
// count.
type probe struct {
	square int32
	at     []uint8
	is     []int32
}

func newProbe(v embed.Vector) probe {
	p := probe{square: square(&v)}
	for i, x := range v {
		if x != 0 {
			p.at = append(p.at, uint8(i))
			p.is = append(p.is, int32(x))
		}
	}
	return p
}

// cosine is [embed.Vector.Cosine] to the last bit.
func (p *probe) cosine(s *slot) float64 {
	squares := float64(s.square) * float64(p.square)
	if squares == 0 {
		return 0
	}
	var dot int32
	for i, at := range p.at {
		dot += p.is[i] * int32(int8(s.vector[at]))
	}
	return float64(dot) / math.Sqrt(squares)
}

func square(v *embed.Vector) int32 {
	var sum int32
	for _, x := range v {
		sum += int32(x) * int32(x)
	}
	return sum
}

func bytesOf(v *embed.Vector) string {
	var b [embed.Dim]byte
	for i, x := range v {
		b[i] = byte(x)
	}
	return string(b[:])
}
