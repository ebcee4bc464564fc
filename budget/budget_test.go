package budget

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// samples returns the texts of testdata/counts by file name.
func samples(t testing.TB) map[string]string {
	t.Helper()
	names, err := filepath.Glob("testdata/counts/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	out := map[string]string{}
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(n)] = string(b)
	}
	return out
}

// together is all samples as one text.
func together(t testing.TB) string {
	var b strings.Builder
	for _, s := range samples(t) {
		b.WriteString(s)
	}
	return b.String()
}

// TestTokensNearTruth compares with the true counts that the judge wrote.
func TestTokensNearTruth(t *testing.T) {
	const tolerance = 0.10
	texts := samples(t)
	table, err := os.ReadFile("testdata/counts/tokens.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		name, count, _ := strings.Cut(strings.TrimSpace(line), "\t")
		want, err := strconv.Atoi(count)
		text, ok := texts[name]
		if err != nil || !ok {
			t.Errorf("tokens.tsv: bad line %q", line)
			continue
		}
		delete(texts, name)
		if off := float64(Tokens(text))/float64(want) - 1; off < -tolerance || off > tolerance {
			t.Errorf("%s: Tokens = %d, truth %d (%+.1f %%)", name, Tokens(text), want, 100*off)
		}
	}
	for name := range texts {
		t.Errorf("%s has no true count in tokens.tsv", name)
	}
}

func TestTokensSmall(t *testing.T) {
	for _, tt := range []struct {
		text     string
		min, max int
	}{
		{"", 0, 0},
		{"a", 1, 1},
		{"\n", 1, 1},
		{"\x00", 1, 1},
		{"\xff", 1, 1},
		{"hello", 1, 2},
		{"func main() {\n\treturn\n}\n", 7, 12},
		{strings.Repeat(" ", 1000), 1, 60},
		{strings.Repeat("7", 999), 200, 400},
		{strings.Repeat("word ", 1000), 900, 1300},
	} {
		if n := Tokens(tt.text); n < tt.min || n > tt.max {
			t.Errorf("Tokens(%.20q) = %d, want %d to %d", tt.text, n, tt.min, tt.max)
		}
		if n := TokensOf([]byte(tt.text)); n != Tokens(tt.text) {
			t.Errorf("TokensOf(%.20q) = %d, Tokens says %d", tt.text, n, Tokens(tt.text))
		}
	}
}

func TestTable(t *testing.T) {
	if len(classes) != 256 || len(weights) != classCount*classCount {
		t.Fatalf("%d classes, %d weights", len(classes), len(weights))
	}
	for b := range len(classes) {
		c := classes[b]
		if c == 0 || c >= classCount {
			t.Errorf("byte %#x has class %d", b, c)
			continue
		}
		if weights[c] != unit {
			t.Errorf("a text that starts with byte %#x starts with %d units, not one token", b, weights[c])
		}
	}
}

func TestCounterSplits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for name, text := range samples(t) {
		for range 20 {
			var c Counter
			for rest := text; rest != ""; {
				n := min(1+rng.IntN(200), len(rest))
				if rng.IntN(2) == 0 {
					c.Add(rest[:n])
				} else if k, err := c.Write([]byte(rest[:n])); k != n || err != nil {
					t.Fatalf("Write = %d, %v", k, err)
				}
				rest = rest[n:]
			}
			if c.N() != Tokens(text) {
				t.Errorf("%s in pieces: %d, whole: %d", name, c.N(), Tokens(text))
			}
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("a plain text", 3)
	f.Add("日本語と😀\xff\x80", 5)
	f.Fuzz(func(t *testing.T, s string, at int) {
		at = max(0, min(at, len(s)))
		whole, start := Tokens(s), Tokens(s[:at])
		if start > whole {
			t.Errorf("%q counts %d, its start %q counts %d", s, whole, s[:at], start)
		}
		if (whole == 0) != (s == "") {
			t.Errorf("%q counts %d", s, whole)
		}
		var c Counter
		c.Add(s[:at])
		c.Add(s[at:])
		if c.N() != whole {
			t.Errorf("%q cut at %d counts %d, whole %d", s, at, c.N(), whole)
		}
		if whole > 2*len(s) {
			t.Errorf("%q: %d tokens in %d bytes", s, whole, len(s))
		}
	})
}
