package letters_test

import (
	"fmt"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/internal/letters"
)

func Example() {
	word := []rune("parseHTTPHeader2")
	for i := 1; i < len(word); i++ {
		if letters.Boundary(word, i) {
			fmt.Println(string(word[i:]))
		}
	}
	// Output:
	// HTTPHeader2
	// Header2
	// 2
}

func TestPlain(t *testing.T) {
	for _, c := range []struct {
		in   rune
		want string
		ok   bool
	}{{'é', "e", true}, {'ß', "ss", true}, {'ł', "l", true}, {'e', "", false}, {'ж', "", false}, {'中', "", false}} {
		if got, ok := letters.Plain(c.in); got != c.want || ok != c.ok {
			t.Errorf("Plain(%q): got %q, %v, want %q, %v", c.in, got, ok, c.want, c.ok)
		}
	}
}

func TestUnspaced(t *testing.T) {
	for r, want := range map[rune]bool{'中': true, 'の': true, '한': true, 'ไ': true, 'a': false, 'é': false, 'ж': false, ' ': false} {
		if got := letters.Unspaced(r); got != want {
			t.Errorf("Unspaced(%q): got %v", r, got)
		}
	}
}
