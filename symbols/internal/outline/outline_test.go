package outline

import (
	"testing"

	"github.com/slipstream-mcp/slipstream/symbols"
)

// TestDecls_Nest has declarations overlap as errors in a text make them.
func TestDecls_Nest(t *testing.T) {
	src := []byte("a = 1;,\n  b = 2\nc\n")
	for _, c := range []struct {
		name string
		b    Span // beside a, which is bytes 0-5
		want []string
	}{
		{"apart", Span{10, 10, 10, 15}, []string{"a = 1;,", "  b = 2"}},
		{"in a's tail", Span{6, 6, 10, 15}, []string{"a = 1", ",\n  b = 2"}},
		{"across a's end", Span{4, 4, 10, 15}, []string{"a = 1"}},
	} {
		o := New(src, "#")
		o.Add(symbols.Decl{Name: "a", Qualified: "a"}, Span{0, 0, 0, 5})
		o.Add(symbols.Decl{Name: "b", Qualified: "b"}, c.b)
		var got []string
		for _, d := range o.Decls() {
			got = append(got, string(d.Slice(src)))
		}
		if len(got) != len(c.want) || got[0] != c.want[0] || len(got) > 1 && got[1] != c.want[1] {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestAdd_LineEnd ends a declaration after its line: the next line's comment is
// not its own.
func TestAdd_LineEnd(t *testing.T) {
	src := []byte("a = 1 \r\n // b\n")
	o := New(src, "//")
	o.Add(symbols.Decl{Name: "a", Qualified: "a"}, Span{0, 0, 0, 8})
	if d := o.Decls()[0]; string(d.Slice(src)) != "a = 1 " || d.End != 1 {
		t.Errorf("got %q, lines %d-%d", d.Slice(src), d.Start, d.End)
	}
}

// TestDecls_Dropped drops a declaration that overlaps: one that overlaps only
// that one stays.
func TestDecls_Dropped(t *testing.T) {
	src := []byte("aaaa bbbb cccc dddd\n")
	o := New(src, "#")
	for _, c := range []struct {
		name string
		at   Span
	}{{"a", Span{0, 0, 0, 6}}, {"b", Span{5, 5, 5, 12}}, {"c", Span{10, 10, 10, 14}}} {
		o.Add(symbols.Decl{Name: c.name, Qualified: c.name}, c.at)
	}
	var got string
	for _, d := range o.Decls() {
		got += d.Name
	}
	if got != "ac" {
		t.Errorf("got %q, want a and c", got)
	}
}
