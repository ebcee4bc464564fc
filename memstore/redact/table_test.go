package redact

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// alphabets are what the letters of a {a36} in a row's hit stand for.
var alphabets = map[byte]string{
	'a': "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
	'b': "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
	'B': "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
	'd': "0123456789",
	'l': "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
	'Q': "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
	'U': "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
	'x': "0123456789abcdef",
	'y': "abcdefghijklmnopqrstuvwxyz0123456789",
}

var hole = regexp.MustCompile(`\{([a-zA-Z])(\d*)\}`)

// expand fills the holes of a row's hit and returns them too; {u} is a UUID.
func expand(rng *rand.Rand, hit string) (text string, secrets []string) {
	draw := func(kind byte, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabets[kind][rng.IntN(len(alphabets[kind]))]
		}
		return string(b)
	}
	text = hole.ReplaceAllStringFunc(hit, func(h string) string {
		m := hole.FindStringSubmatch(h)
		n, _ := strconv.Atoi(m[2])
		if m[1] == "u" {
			s := draw('x', 8) + "-" + draw('x', 4) + "-" + draw('x', 4) + "-" + draw('x', 4) + "-" + draw('x', 12)
			secrets = append(secrets, s)
			return s
		}
		s := draw(m[1][0], n)
		if n >= 20 || !strings.Contains(hit, "{d") && n >= 10 {
			secrets = append(secrets, s)
		}
		return s
	})
	return text, secrets
}

func TestTable_Hits(t *testing.T) {
	seen := make(map[string]bool)
	for _, r := range table() {
		if seen[r.name] {
			t.Errorf("two rows are called %q", r.name)
		}
		seen[r.name] = true
		rng := rand.New(rand.NewPCG(1, uint64(len(r.hit))))
		missed := 0
		for range 20 {
			text, secrets := expand(rng, r.hit)
			got := Text(text)
			if got == text || slices.ContainsFunc(secrets, func(s string) bool { return strings.Contains(got, s) }) {
				if missed++; missed == 1 {
					t.Logf("%s: %q became %q", r.name, text, got)
				}
			}
		}
		// A draw can look like words or like a mask now and then.
		if missed > 2 {
			t.Errorf("%s: %d of 20 hits not masked", r.name, missed)
		}
	}
}

func TestTable_HitsAlone(t *testing.T) {
	for _, r := range table() {
		sc := newScanner([]rule{r})
		rng := rand.New(rand.NewPCG(1, uint64(len(r.hit))))
		hits := 0
		for range 20 {
			text, _ := expand(rng, r.hit)
			if len(sc.find(text)) > 0 {
				hits++
			}
		}
		if hits < 16 {
			t.Errorf("%s: its own row finds %d of 20 hits", r.name, hits)
		}
	}
}

func TestTable_Misses(t *testing.T) {
	for _, r := range table() {
		if got := Text(r.miss); got != r.miss {
			t.Errorf("%s: %q became %q", r.name, r.miss, got)
		}
		for w := range strings.SplitSeq(r.words, "|") {
			if w == "" || w != strings.ToLower(w) {
				t.Errorf("%s: word %q is empty or not lower case", r.name, w)
			}
		}
		if !slices.ContainsFunc(strings.Split(r.words, "|"), func(w string) bool { return strings.Contains(strings.ToLower(r.miss), w) }) {
			t.Errorf("%s: its miss %q holds none of its words and shows nothing", r.name, r.miss)
		}
	}
}

// plant are texts that a secret may stand in; %s is its place.
var plants = []string{
	"%s", " %s ", "token: %s", "a\n%s\nb", `"%s"`, `{"k": "%s"}`, `{\"k\": \"%s\"}`, "'%s'", "`%s`", "<b>%s</b>", "(%s)", "key=%s&x=1",
	"https://h/?t=%s", `line\n%s\nline`, "%%20%s", "see %s.", "see %s, or", "%s;", "[x](%s)", "é%sé",
}

func FuzzText_PlantedSecret(f *testing.F) {
	for i := range uint64(8) {
		f.Add(i, i*7, uint8(i), "before ", " after")
	}
	prefixed := slices.Concat(code, clouds, services, chats)
	f.Fuzz(func(t *testing.T, seed, row uint64, plant uint8, before, after string) {
		r := prefixed[row%uint64(len(prefixed))]
		text, secrets := expand(rand.New(rand.NewPCG(seed, row)), r.hit)
		if len(newScanner([]rule{r}).find(text)) == 0 {
			t.Skip("a draw that looks like words")
		}
		in := before + " " + strings.ReplaceAll(strings.ReplaceAll(plants[int(plant)%len(plants)], "%s", text), "%%", "%") + " " + after
		got := Text(in)
		for _, s := range secrets {
			if len(s) >= 20 && strings.Contains(got, s) {
				t.Errorf("%s: %q survives in %q", r.name, s, got)
			}
		}
		if !utf8.ValidString(got) {
			t.Errorf("not UTF-8: %q", got)
		}
		if again := Text(got); again != got {
			t.Errorf("not idempotent: %q, then %q", got, again)
		}
	})
}

func FuzzText(f *testing.F) {
	for _, r := range table() {
		f.Add(r.miss)
		text, _ := expand(rand.New(rand.NewPCG(3, 4)), r.hit)
		f.Add(text)
	}
	f.Add("a<private>b<private>c</private>d</private>e")
	f.Add("password=[redacted]x, token: '[redacted]'")
	f.Fuzz(func(t *testing.T, s string) {
		got := Text(s)
		if !utf8.ValidString(got) {
			t.Errorf("not UTF-8: %q", got)
		}
		if again := Text(got); again != got {
			t.Errorf("%q became %q, then %q", s, got, again)
		}
	})
}
