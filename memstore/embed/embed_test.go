package embed_test

import (
	"math"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
)

func TestText(t *testing.T) {
	zero := embed.Text(" .,!")
	if zero != (embed.Vector{}) {
		t.Errorf("a text without words: got %v", zero)
	}
	a := embed.Text("cache invalidation")
	if got := a.Cosine(&zero); got != 0 {
		t.Errorf("cosine with zero: got %v", got)
	}
	if got := a.Cosine(&a); math.Abs(got-1) > 1e-9 {
		t.Errorf("cosine with itself: got %v", got)
	}
	if b := embed.Text("Invalidation: CACHE!"); a != b {
		t.Error("case, order and signs make a difference")
	}
	norm := 0.0
	for _, x := range a.Unit() {
		norm += float64(x) * float64(x)
	}
	if math.Abs(norm-1) > 1e-5 {
		t.Errorf("unit vector has length² %v", norm)
	}
}

func TestText_Near(t *testing.T) {
	for _, c := range []struct{ query, near, far string }{
		{"migrations", "migration", "deployment"},
		{"postgress", "postgres", "redis"},
		{"миграция базы", "миграции баз", "очередь писем"},
		{"invalidate cache", "cache invalidation", "cancel invoice"},
	} {
		q, near, far := embed.Text(c.query), embed.Text(c.near), embed.Text(c.far)
		if n, f := q.Cosine(&near), q.Cosine(&far); n < f+0.1 {
			t.Errorf("%q: %q at %.2f, %q at %.2f", c.query, c.near, n, c.far, f)
		}
	}
}

func BenchmarkText(b *testing.B) {
	const text = "Webhooks are verified twice: once at the edge and once more in the handler, because the edge can be bypassed from inside the network."
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		embed.Text(text)
	}
}
