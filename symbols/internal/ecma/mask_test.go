package ecma

import (
	"strings"
	"testing"
	"time"
)

func TestMask(t *testing.T) {
	for src, want := range map[string]string{
		"interface A<in T, out U, in out V> {}":  "interface A<   T,     U,        V> {}",
		"f(a < out, b)":                          "f(a < out, b)",
		"for (const k of x, in y) {}":            "for (const k of x,    y) {}",
		"type A = {\n  a: B\n  <T>(): C\n}":      "type A = {\n  a: B;  <T>(): C\n}",
		"a = {\n  b: `x\n  <p>`\n}":              "a = {\n  b: `x\n  <p>`\n}",
		"type A = {\n  a: B // c\n  <T>(): C\n}": "type A = {\n  a: B;// c\n  <T>(): C\n}",
		"type A = `a\\`b`":                       "type A = `a__b`",
		"let x: import('y').Z":                   "let x: ___________.Z",
		"const f = import(name)":                 "const f = import(name)",
		"x = /[`<]/; y = {\n a: 1\n}":            "x = /[`<]/; y = {\n a: 1\n}",
	} {
		if got := string(mask([]byte(src))); got != want {
			t.Errorf("mask(%q)\n got %q\nwant %q", src, got, want)
		}
	}
}

func FuzzMask(f *testing.F) {
	f.Add("interface A<in T> { a: `${`${b}`}` }")
	f.Add("x = a / b / c; y = /[/]/")
	f.Fuzz(func(t *testing.T, src string) {
		if got := mask([]byte(src)); len(got) != len(src) {
			t.Errorf("%d bytes became %d", len(src), len(got))
		}
	})
}

// TestMask_Time masks what may make a scanner start over.
func TestMask_Time(t *testing.T) {
	for _, piece := range []string{"import(\"", "`${", "/*", "in ", "type ", "using\n", "<out ", "/[", "global "} {
		start := time.Now()
		mask([]byte(strings.Repeat(piece, 50_000)))
		if d := time.Since(start); d > 3*time.Second {
			t.Errorf("%q took %v", piece, d)
		}
	}
}
