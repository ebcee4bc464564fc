package symbols_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/symbols"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		text               string
		start, end         int
		want               string
		first, last, total int
	}{
		{"a\nb\nc\n", 2, 2, "b", 2, 2, 3},
		{"a\nb\nc\n", 1, 3, "a\nb\nc", 1, 3, 3},
		{"a\nb\nc", 2, 99, "b\nc", 2, 3, 3},
		{"a\nb\nc", -5, 1, "a", 1, 1, 3},
		{"a\nb\nc", 3, 1, "c", 3, 3, 3},
		{"a\nb\nc", 9, 9, "c", 3, 3, 3},
		{"a\r\nb\r\n", 1, 2, "a\r\nb\r", 1, 2, 2},
		{"\n\n", 1, 2, "\n", 1, 2, 2},
		{"", 1, 1, "", 0, 0, 0},
		{"one", 1, 1, "one", 1, 1, 1},
	} {
		got, first, last, total := symbols.Lines([]byte(c.text), c.start, c.end)
		if string(got) != c.want || first != c.first || last != c.last || total != c.total {
			t.Errorf("Lines(%q, %d, %d) = %q, %d, %d, %d, want %q, %d, %d, %d",
				c.text, c.start, c.end, got, first, last, total, c.want, c.first, c.last, c.total)
		}
	}
}

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		src, want string
		enc       symbols.Encoding
	}{
		{"plain é", "plain é", symbols.UTF8},
		{"\ufeffmark", "\ufeffmark", symbols.UTF8},
		{"\xff\xfea\x00\xe9\x00", "aé", symbols.UTF16LE},
		{"\xfe\xff\x00a\xd8\x3d\xde\x00", "a😀", symbols.UTF16BE},
		{"\xff\xfea\x00b", "a\ufffd", symbols.UTF16LE},
		{"caf\xe9!", "caf\ufffd!", symbols.Invalid},
	} {
		got, enc := symbols.Decode([]byte(c.src))
		if string(got) != c.want || enc != c.enc {
			t.Errorf("Decode(%q) = %q, %s, want %q, %s", c.src, got, enc, c.want, c.enc)
		}
	}
}

func TestIsBinary(t *testing.T) {
	for src, want := range map[string]bool{
		"":                  false,
		"text":              false,
		"\x89PNG\x00":       true,
		"\xff\xfea\x00":     false,
		"caf\xe9":           false,
		"\x1b[1mcolour\x1b": false,
	} {
		if got := symbols.IsBinary([]byte(src)); got != want {
			t.Errorf("IsBinary(%q) = %v", src, got)
		}
	}
}

func TestIsMinified(t *testing.T) {
	ordinary := strings.Repeat("function add(a, b) {\n  return a + b;\n}\n", 200)
	squeezed := strings.Repeat("function a(b,c){return b+c};", 500)
	for name, c := range map[string]struct {
		src  string
		want bool
	}{
		"ordinary":    {ordinary, false},
		"squeezed":    {"/* licence */\n" + squeezed, true},
		"short":       {"a(b,c);", false},
		"long string": {"const picture = \"" + strings.Repeat("iVBORw0KGgo", 5000) + "\";\n" + ordinary, false},
		"hex array":   {"var t=[" + strings.Repeat("0x00,", 5000) + "]", true},
	} {
		if got := symbols.IsMinified("a.js", []byte(c.src)); got != c.want {
			t.Errorf("%s: IsMinified = %v", name, got)
		}
	}
	if line := strings.Repeat("a(b{c;", 5000); symbols.IsMinified("a.go", []byte(line)) || !symbols.IsMinified("A.JS", []byte(line)) {
		t.Error("only what browsers load is squeezed")
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb\r\nc"), 1, 2)
	f.Fuzz(func(t *testing.T, text []byte, start, end int) {
		got, first, last, total := symbols.Lines(text, start, end)
		if !bytes.Contains(text, got) {
			t.Errorf("%q is not in the text", got)
		}
		if total > 0 && (first < 1 || last < first || last > total || bytes.Count(got, []byte("\n")) != last-first) {
			t.Errorf("lines %d-%d of %d are %q", first, last, total, got)
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\xff\xfea\x00"))
	f.Fuzz(func(t *testing.T, src []byte) {
		text, enc := symbols.Decode(src)
		if enc == symbols.UTF8 && !bytes.Equal(text, src) {
			t.Error("valid text was changed")
		}
		if again, enc := symbols.Decode(text); enc != symbols.UTF8 || !bytes.Equal(again, text) {
			t.Errorf("decoded text is %s", enc)
		}
	})
}
