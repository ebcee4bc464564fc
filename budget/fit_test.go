package budget

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func note(kept, total int) string { return fmt.Sprintf("left out: %d of %d\n", total-kept, total) }

func TestFitLines(t *testing.T) {
	text := strings.Repeat("one two three four five\n", 40)
	for _, tt := range []struct {
		name, text string
		max        int
		want       string
		kept       int
	}{
		{"empty", "", 10, "", 0},
		{"whole", "a\nb", 10, "a\nb", 2},
		{"just whole", text, Tokens(text), text, 40},
		{"no room for the mark", text, 2, "", 0},
		{"no budget", "a", 0, "", 0},
		{"below none", "a", -1, "", 0},
		{"one huge line", strings.Repeat("x", 1<<20) + "\nb\n", 9, "left out: 2 of 2\n", 0},
	} {
		if out, kept := FitLines(tt.text, tt.max, note); out != tt.want || kept != tt.kept {
			t.Errorf("%s: %q, %d lines; want %q, %d", tt.name, out, kept, tt.want, tt.kept)
		}
	}
}

func TestFitLinesKeepsWholeLines(t *testing.T) {
	text := strings.Repeat("one two three four five\n", 400)
	out, kept := FitLines(text, 1000, note)
	head, mark := out[:strings.LastIndex(out[:len(out)-1], "\n")+1], fmt.Sprintf("left out: %d of 400\n", 400-kept)
	if head != text[:len(head)] || strings.Count(head, "\n") != kept || head+mark != out {
		t.Errorf("%d lines kept, ends %q", kept, out[max(0, len(out)-80):])
	}
}

func TestFitLinesCutsALongLine(t *testing.T) {
	for _, unit := range []string{"long ", "日本", "👩‍💻", "}{", "\xff"} {
		text := "short\n" + strings.Repeat(unit, 5000) + "\nshort\n"
		out, kept := FitLines(text, 500, note)
		if n := Tokens(out); n > 500 || n < 475 || kept != 1 {
			t.Errorf("%q: %d of 500 tokens, %d lines kept", unit, n, kept)
		}
		if !strings.HasSuffix(out, "…\nleft out: 2 of 3\n") {
			t.Errorf("%q: ends %q", unit, out[len(out)-40:])
		}
		if utf8.ValidString(text) && !utf8.ValidString(out) {
			t.Errorf("%q: cut inside a character", unit)
		}
	}
}

// checkLines holds FitLines to its promises on one text.
func checkLines(t *testing.T, text string, limit int) {
	t.Helper()
	for _, mark := range []func(int, int) string{nil, note} {
		out, kept := FitLines(text, limit, mark)
		n := Tokens(out)
		switch {
		case limit < 0:
			if out != "" {
				t.Errorf("max %d: %q", limit, out)
			}
		case n > limit:
			t.Errorf("max %d passed: %d tokens", limit, n)
		case Tokens(text) <= limit && out != text:
			t.Errorf("max %d: cut, though the text is %d tokens", limit, Tokens(text))
		case Tokens(text) > limit && limit >= 100 && n*100 < limit*95:
			t.Errorf("max %d: only %d tokens, %d lines kept", limit, n, kept)
		}
		if kept > countLines(text) {
			t.Errorf("%d of %d lines kept", kept, countLines(text))
		}
	}
}

func TestFitLinesProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	all := together(t)
	for range 300 {
		from := rng.IntN(len(all))
		text := all[from : from+rng.IntN(len(all)-from)]
		if rng.IntN(4) == 0 {
			text = strings.ReplaceAll(text, "\n", " ")
		}
		checkLines(t, text, rng.IntN(4000))
	}
}

func FuzzFitLines(f *testing.F) {
	f.Add("one\ntwo\nthree", 3)
	f.Add(strings.Repeat("日本語 and more, ", 100), 120)
	f.Fuzz(checkLines)
}

func TestFitItems(t *testing.T) {
	items := []string{"first\n", strings.Repeat("large ", 500) + "\n", "third\n", "fourth\n"}
	out, picked := FitItems(items, 40, note)
	if want := "first\nthird\nfourth\nleft out: 1 of 4\n"; out != want || fmt.Sprint(picked) != "[0 2 3]" {
		t.Errorf("%q, %v; want %q", out, picked, want)
	}
	if out, picked := FitItems(items, 5000, note); out != strings.Join(items, "") || len(picked) != 4 {
		t.Errorf("all fit, but %v", picked)
	}
	if out, picked := FitItems(items, 3, note); out != "" || picked != nil {
		t.Errorf("no room for the mark: %q, %v", out, picked)
	}
	if out, picked := FitItems(nil, 3, note); out != "" || picked != nil {
		t.Errorf("nothing: %q, %v", out, picked)
	}
}

func TestFitItemsProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	lines := strings.SplitAfter(together(t), "\n")
	for range 300 {
		rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		items, limit := lines[:rng.IntN(len(lines))], rng.IntN(3000)
		out, picked := FitItems(items, limit, note)
		n := Tokens(out)
		if n > limit {
			t.Fatalf("max %d passed: %d tokens", limit, n)
		}
		taken := map[int]bool{}
		for _, i := range picked {
			taken[i] = true
		}
		for i, s := range items {
			if !taken[i] && limit >= 200 && Tokens(s)*20 <= limit && n*100 < limit*95 {
				t.Fatalf("max %d: only %d tokens, though item %q was left out", limit, n, s)
			}
		}
	}
}
