package embed_test

import (
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
)

func sum(text string) *embed.Sum {
	var s embed.Sum
	for w := range strings.FieldsSeq(text) {
		s.Add(embed.NewWord(w))
	}
	return &s
}

func TestSum(t *testing.T) {
	const text = "webhook signatures fail after the deploy"
	if got, want := sum(text).Vector(), embed.Text(text); got != want {
		t.Errorf("the sum of the words of a text: got %v, want %v", got, want)
	}
}

func TestProbe(t *testing.T) {
	query := embed.Text("webhook signature")
	p := embed.NewProbe(&query)
	for _, text := range []string{"webhook signature", "the signatures of webhooks", "blue buttons"} {
		v := embed.Text(text)
		signs := sum(text).AppendSigns(nil)
		if len(signs) != embed.SignsSize {
			t.Fatalf("signs take %d bytes, want %d", len(signs), embed.SignsSize)
		}
		got, want := p.Cosine(signs), v.Cosine(&query)
		if got < want-0.2 || got > want+0.2 {
			t.Errorf("%q: got %.2f, want about %.2f", text, got, want)
		}
	}
	var zero embed.Vector
	if got := embed.NewProbe(&zero).Cosine(sum("blue").AppendSigns(nil)); got != 0 {
		t.Errorf("a query without words: got %v", got)
	}
}
