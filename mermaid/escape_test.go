package mermaid

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

func TestLabel(t *testing.T) {
	for _, c := range []struct {
		name, in string
		w        where
		want     string
	}{
		{"path", "src/app-x/foo_bar.ts", bare, "src/app-x/foo_bar.ts"},
		{"dunder", "__init__.py", bare, "#95;#95;init#95;#95;.py"},
		{"quotes", `a "b" 'c'`, quoted, "a #34;b#34; 'c'"},
		{"brackets", "f(x)[0]{}", quoted, "f(x)#91;0#93;#123;#125;"},
		{"bare-brackets", "f(x)", bare, "f#40;x#41;"},
		{"numbered", "1. a 1) b 0..1", quoted, "1#46; a 1#41; b 0..1"},
		{"keyword", "Mindmap.go", bare, "#77;indmap.go"},
		{"keyword-quoted", "mindmap", quoted, "mindmap"},
		{"direction", "a direction TB", quoted, "a direction#160;TB"},
		{"blanks", " a  b ", quoted, "#160;a #160;b#160;"},
		{"lines", "a\r\nb\n", quoted, "a<br/>b<br/>"},
		{"empty", "", quoted, "#160;"},
		{"control", "\x1b[0m\x00\x7f\x80\xff", quoted, "␛#91;0m␀␡��"},
		{"marks", "ﬂ°35¶ß", quoted, "ﬂ#8203;°35¶#8203;ß"},
		{"override", "\u202ea", quoted, "#8238;a"},
		{"emoji", "👩‍👧 日本 שלום", quoted, "👩‍👧 日本 שלום"},
	} {
		if got := label(c.in, c.w); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestLabel_TooLong(t *testing.T) {
	if got := label(strings.Repeat("a", 10_000), quoted); len(got) != 10_000 {
		t.Errorf("10,000 letters become %d", len(got))
	}
	got := label(strings.Repeat("{", 100_000), quoted)
	if len(got) > maxLabel+10 || !strings.HasSuffix(got, cutMark) {
		t.Errorf("%d bytes, ending in %q", len(got), got[len(got)-10:])
	}
}

// code is what a character is written as when it is not itself.
var code = regexp.MustCompile(`#\d+;|<br/>`)

// FuzzLabel holds that a label is one line of characters that no lexer of
// Mermaid and no Markdown takes for its own, and that it reads back as it was.
func FuzzLabel(f *testing.F) {
	for _, s := range []string{"", "end", `"`, "`", "#35;", "a\nb", "[*]", "direction LR", "%%{init: {}}%%", "1. x", "😀", "\x00\xff", "ﬂ°¶ß", "mindmap"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, w := range []where{bare, quoted} {
			got := label(s, w)
			if got == "" {
				t.Fatalf("%q becomes nothing", s)
			}
			rest := code.ReplaceAllString(got, "x")
			allowed := " /,'?!_-."
			if w == quoted {
				allowed += "()"
			}
			for _, r := range rest {
				if r < 0x80 && !alnum(r) && !strings.ContainsRune(allowed, r) || unicode.IsControl(r) || newline(r) {
					t.Fatalf("%q becomes %q, with %q in it", s, got, r)
				}
			}
			if w == bare && strings.HasPrefix(strings.ToLower(got), "mindmap") || strings.Contains(strings.ToLower(got), "direction ") {
				t.Fatalf("%q becomes %q, a keyword", s, got)
			}
			if strings.Contains(got, "ﬂ°") || strings.Contains(got, "¶ß") {
				t.Fatalf("%q becomes %q, with marks of Mermaid", s, got)
			}
			if strings.TrimSpace(rest) != rest || strings.Contains(rest, "  ") {
				t.Fatalf("%q becomes %q, with blanks that get lost", s, got)
			}
			if len(s) < maxLabel/8 {
				if back, want := read(got), seen(s); back != want {
					t.Fatalf("%q becomes %q, read as %q, not %q", s, got, back, want)
				}
			}
		}
	})
}

// read returns what Mermaid shows for a label, every blank as a plain one and
// none of no width.
func read(s string) string {
	s = code.ReplaceAllStringFunc(s, func(c string) string {
		if c == lineBreak {
			return "\n"
		}
		return html.UnescapeString("&" + c)
	})
	return spaced(s)
}

// seen returns what a reader should see of s.
func seen(s string) string {
	s = strings.Map(func(r rune) rune {
		if newline(r) {
			return '\n'
		}
		return shown(r)
	}, strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\t", " "))
	if s == "" {
		return " "
	}
	return spaced(s)
}

func spaced(s string) string { return strings.NewReplacer("\u00a0", " ", "\u200b", "").Replace(s) }

// FuzzNames holds that two names have two identifiers and that none of them is
// made of what the caller gave.
func FuzzNames(f *testing.F) {
	f.Add("a", "b")
	f.Add("end", "end")
	f.Fuzz(func(t *testing.T, a, b string) {
		n := names{prefix: "n"}
		ida, _ := n.id(a)
		idb, fresh := n.id(b)
		if (ida == idb) != (a == b) || fresh != (a != b) {
			t.Fatalf("%q is %q, %q is %q", a, ida, b, idb)
		}
	})
}
