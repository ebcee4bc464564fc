package mapper

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"parseHTTPServer", "parse http server"},
		{"HTTPServer", "http server"},
		{"snake_case__name", "snake case name"},
		{"utf8Decode2x", "utf 8 decode 2 x"},
		{"A", "a"},
		{"getURL", "get url"},
		{"URLs", "ur ls"},
		{"naïveÜbung", "naïve übung"},
		{"src/we`ird.ts", "src we ird ts"},
		{"日本語Text", "日本語 text"},
		{"", ""},
		{"...", ""},
	} {
		if got := strings.Join(slices.Collect(words(c.text)), " "); got != c.want {
			t.Errorf("words(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// FuzzWords: every letter and digit of a text is in one of its words, in order,
// and words hold nothing else.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"parseHTTPServer", "a_b9", "ÄÖ\xff", "x́y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var all strings.Builder
		for w := range words(text) {
			if w == "" {
				t.Fatalf("an empty word in %q", text)
			}
			all.WriteString(w)
		}
		var want strings.Builder
		for _, r := range text {
			if classOf(r) != other {
				want.WriteRune(r)
			}
		}
		if got, want := all.String(), strings.ToLower(want.String()); got != want {
			t.Errorf("words(%q) hold %q, want %q", text, got, want)
		}
		for w := range words(text) {
			if strings.ContainsFunc(w, unicode.IsSpace) {
				t.Errorf("a space in %q", w)
			}
		}
	})
}

// FuzzWildmatch: no pattern panics or hangs, a pattern without wildcards
// matches itself alone, and a star before or after a matching pattern still
// matches.
func FuzzWildmatch(f *testing.F) {
	for _, p := range []string{"*.c", "a/**/b", "[a-z]*", "[[:alpha:]", `\*`, "**/", "[]-]", "***a***b"} {
		f.Add(p, "a/b.c")
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		got := wildmatch(pattern, path)
		if got != wildmatch(pattern, path) {
			t.Error("two answers")
		}
		if !strings.ContainsAny(pattern, `*?[\`) && got != (pattern == path) {
			t.Errorf("literal %q on %q: %v", pattern, path, got)
		}
		if got && !strings.HasPrefix(pattern, "*") && !strings.Contains(path, "/") && !wildmatch("*"+pattern, path) {
			t.Errorf("*%q does not match %q", pattern, path)
		}
		for _, r := range parseRules([]byte(pattern)) {
			r.match(path, path, false)
		}
	})
}

func TestWildmatch_Slow(t *testing.T) {
	if wildmatch(strings.Repeat("**/a/", 20)+"b", strings.Repeat("a/", 200)+"c") {
		t.Error("matched")
	}
	if wildmatch(strings.Repeat("*a", 40)+"b", strings.Repeat("a", 300)) {
		t.Error("matched")
	}
}

func TestIsTest(t *testing.T) {
	for path, want := range map[string]bool{
		"a_test.go": true, "src/test_a.py": true, "a/conftest.py": true, "x.test.tsx": true, "x.spec.ts": true, "GreetTest.java": true,
		"GreetTests.cs": true, "tests/a.py": true, "__tests__/a.js": true, "user_spec.rb": true, "src/test/java/A.java": true,
		"latest.java": false, "Latest.java": false, "contest.py": false, "testimony.go": false, "attest/a.go": false, "test.go": false,
		"spec.ts": false, "protest_march.go": false, "Test.java": false,
	} {
		if got := isTest(path); got != want {
			t.Errorf("isTest(%q) = %v, want %v", path, got, want)
		}
	}
}

func TestIsMinified(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"code", strings.Repeat("function f(a) {\n  return b(a);\n}\n", 300), false},
		{"bundle", strings.Repeat("function(a){return b(c);};", 200), true},
		{"bundle-with-licence", strings.Repeat("// licence\n", 50) + strings.Repeat("function(a){return b(c);};", 200), true},
		{"string", "var x = \"" + strings.Repeat("QUJD", 2000) + "\"\n", false},
		{"numbers", "var x = [" + strings.Repeat("1, 2, ", 2000) + "]\n", false},
		{"short", strings.Repeat("a(b);", 50), false},
	} {
		if got := isMinified("a.js", []byte(c.text)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestEscape(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"plain", "plain"},
		{"é 日本", "é 日本"},
		{"a\nb\x1b[0m", `a\nb\x1b[0m`},
		{"a\u202eb\u2066", `a\u202eb\u2066`},
		{"a\xffb", `a\xffb`},
		{"\ufffd", "\ufffd"},
	} {
		if got := escape(c.text); got != c.want {
			t.Errorf("escape(%q) = %s, want %s", c.text, got, c.want)
		}
	}
	for name, want := range map[string]string{"a": "`a`", "a`b": "`` a`b ``", "a``b`": "``` a``b` ```"} {
		if got := code(name); got != want {
			t.Errorf("code(%q) = %s, want %s", name, got, want)
		}
	}
}

func TestOneEdit(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"greet", "gret", true}, {"gret", "greet", true}, {"greet", "geret", true}, {"greet", "grout", false}, {"greet", "great", true},
		{"greet", "greets", true}, {"greet", "greet", false}, {"a", "", true}, {"ab", "ba", true}, {"abc", "cba", false}, {"abcd", "abxx", false},
	} {
		if got := oneEdit(c.a, c.b); got != c.want {
			t.Errorf("oneEdit(%q, %q) = %v", c.a, c.b, got)
		}
		if got := distance(c.a, c.b, 1) == 1; got != c.want {
			t.Errorf("distance(%q, %q) = %v", c.a, c.b, distance(c.a, c.b, 1))
		}
	}
}
