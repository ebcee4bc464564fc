package visible

import "testing"

func TestText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"src/naïve.ts", "src/naïve.ts"},
		{"a\x1b[31mb", `a\u001b[31mb`},
		{"a\tb\nc", `a\u0009b\u000ac`},
		{"a\u202eb\u2066c", `a\u202eb\u2066c`},
		{"\u2028", `\u2028`},
		{"\x7f\u0085", `\u007f\u0085`},
	} {
		if got := Text(c.in); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}
