package frontmatter_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/memstore/internal/frontmatter"
)

// TestScalar pins the forms by examples; the goldens of filestore hold many more.
func TestScalar(t *testing.T) {
	for _, c := range []struct {
		in    string
		depth int
		want  string
	}{
		{"", 1, "''"},
		{"plain words", 1, "plain words"},
		{"naïve — ok", 1, "naïve — ok"},
		{"a: b", 1, "'a: b'"},
		{"it's: so", 1, "'it''s: so'"},
		{"#1", 1, "'#1'"},
		{"no#comment", 1, "no#comment"},
		{"true", 1, "'true'"},
		{"2026-05-04", 1, "'2026-05-04'"},
		{"08", 1, "08"},
		{"a\nb", 1, "|-\n  a\n  b"},
		{"a\n\nb", 2, "|-\n    a\n\n    b"},
		{"go 🚀", 1, `"go \U0001F680"`},
		{"a\tb\u00a0c\\", 1, `"a\tb\_c\\"`},
		{strings.Repeat("x", 78), 1, strings.Repeat("x", 78)},
		{strings.Repeat("x", 79), 1, ">-\n  " + strings.Repeat("x", 79)},
		{strings.Repeat("word ", 20) + "end", 1, ">-\n  " + strings.Repeat("word ", 14) + "word\n  " + strings.Repeat("word ", 5) + "end"},
		{strings.Repeat("é", 77), 2, ">-\n    " + strings.Repeat("é", 77)},
	} {
		if got := frontmatter.Scalar(c.in, c.depth); got != c.want {
			t.Errorf("Scalar(%q, %d): got %q, want %q", c.in, c.depth, got, c.want)
		}
	}
}

func FuzzScalar(f *testing.F) {
	for _, s := range []string{"", "a", "- a", "a: b\n c", "\n", " x", "x\n\n y\nz", strings.Repeat("ab ", 60), "'", "\"\\", "🚀\u2028\x85\ufeff", "\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			t.Skip()
		}
		var d frontmatter.Doc
		d.SetScalar("a", s, "")
		d.SetList("b", []string{s, "x", s}, "a")
		d.SetScalar("c", "end", "b")
		d.Body = "body"
		got, err := frontmatter.Parse(d.Bytes())
		if len(s) > 10<<10 && err != nil {
			t.Skip() // longer than a head may be
		}
		if err != nil {
			t.Fatalf("%q is written as\n%s\nwhich does not parse: %v", s, d.Bytes(), err)
		}
		a, _ := got.Scalar("a")
		b, _ := got.List("b")
		c, _ := got.Scalar("c")
		if a != s || !slices.Equal(b, []string{s, "x", s}) || c != "end" || got.Body != "body\n" {
			t.Errorf("%q comes back as %q, %q, %q, %q from\n%s", s, a, b, c, got.Body, d.Bytes())
		}
	})
}

// FuzzParse changes one key of whatever parses: the file parses again, the key
// has its value, and every other key the one it had.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"---\na: 1\nb: [x, y]\n---\nbody\n",
		"---\n# c\na: |\n  x\n\n  y\n\n# d\nb:\n- 1\n- {k: v}\nc: 'x\n  y'\n---\n\nbody",
		"\ufeff---\r\na: >+\r\n  x\r\n\r\n---\r\n",
		"---\n{a: 1, b: {c: [d]}, \"e f\": !!str 3}\n---\n",
		"---\n? a\n: b\n---\n", "---\na: &x 1\nb: *x\n---\n", "---\n<<: {a: 1}\n---\n", "---\na: b: c\n---\n",
		"---\na:\n  b\nc: \"x\\\n  y\"\n---\n",
		"---\n\t\n---\n\n--", "---\n# c\n\t\n---\n", "---\n\t\na: 1\n---\n", "---\n \n# c\n\t \nb: 2\n---\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if !utf8.Valid(src) {
			t.Skip()
		}
		doc, err := frontmatter.Parse(src)
		if err != nil {
			return
		}
		before := map[string][]string{}
		for _, key := range doc.Keys() {
			before[key], _ = doc.List(key)
		}
		const text = "new: 'text'"
		doc.SetScalar("a", text, "")
		out := doc.Bytes()
		again, err := frontmatter.Parse(out)
		if err != nil {
			t.Fatalf("rewritten as\n%s\nit does not parse: %v", out, err)
		}
		if got, _ := again.Scalar("a"); got != text {
			t.Errorf("got %q, want %q in\n%s", got, text, out)
		}
		for key, want := range before {
			if got, _ := again.List(key); key != "a" && !slices.Equal(got, want) {
				t.Errorf("%q: got %q, want %q in\n%s", key, got, want, out)
			}
		}
		if got := again.Bytes(); string(got) != string(out) {
			t.Errorf("got %q, want %q", got, out)
		}
	})
}
