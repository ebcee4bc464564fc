package mapper

import (
	"strings"
	"testing"
)

func TestIdentifiers(t *testing.T) {
	for _, c := range []struct{ file, src, want string }{
		{"a.go", "// no\nfunc yes(a int) { /* no\nno */ ok(\"no \\\" no\", `no\nno`, 'x', 9, x9) }", "func int ok x9 yes"},
		{"a.ts", "const s = 'no'; it`s${no}`; don't; /re/; #priv", "const don it priv re"},
		{"a.py", "def yes(): # no\n  '''no\n  no'''\n  \"\"\"no\"\"\"\n  return 'no' + ok", "def ok return yes"},
		{"a.rs", "fn yes<'aa>(x9: &'aa str) { \"no\" } // no", "aa fn str x9 yes"},
		{"a.lua", "local yes = 1 -- no", "local yes"},
		{"a.go", "open /* never closed", "closed never open"},
		{"a.py", "", ""},
		{"a.c", "#include <stdio.h>\nint übung; a/b", "include int stdio übung"},
	} {
		if got := strings.Join(identifiers(c.file, []byte(c.src)), " "); got != c.want {
			t.Errorf("%s %q: got %q, want %q", c.file, c.src, got, c.want)
		}
	}
}

// FuzzIdentifiers: the scan ends, and what it finds is in the text.
func FuzzIdentifiers(f *testing.F) {
	f.Add("a.go", "x := \"y\" // z")
	f.Add("a.py", "'''")
	f.Fuzz(func(t *testing.T, file, src string) {
		for _, id := range identifiers(file, []byte(src)) {
			if !strings.Contains(src, id) {
				t.Errorf("%q is not in %q", id, src)
			}
		}
	})
}
