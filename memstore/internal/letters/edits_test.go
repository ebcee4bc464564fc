package letters_test

import (
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/internal/letters"
)

func TestEdits(t *testing.T) {
	var rows [3][]int
	for _, c := range []struct {
		a, b  string
		limit int
		want  int
	}{{"", "", 2, 0}, {"abc", "abc", 2, 0}, {"abc", "abd", 2, 1}, {"abc", "acb", 2, 1}, {"abc", "bc", 2, 1}, {"abcd", "badc", 2, 2}, {"abc", "xyz", 2, 3}, {"a", "abcd", 2, 3}, {"kitten", "sitting", 3, 3}} {
		if got := letters.Edits([]rune(c.a), []rune(c.b), c.limit, &rows); got != c.want {
			t.Errorf("%q to %q within %d: %d, want %d", c.a, c.b, c.limit, got, c.want)
		}
	}
}

func TestStem(t *testing.T) {
	for word, want := range map[string]string{"running": "run", "go": "go", "größen": "größen", "x1y": "x1y", "deploys": "deploy"} {
		if got := letters.Stem(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
