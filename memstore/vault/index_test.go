package vault

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
	"github.com/slipstream-mcp/slipstream/memstore/thought"
)

// randomText is of few words, so that many thoughts share some and some score
// alike.
func randomText(r *rand.Rand) string {
	words := strings.Fields("deploy deploys friday gateway answers coupon rounds host listens meeting lessons cache ERR_7 5433")
	var text []string
	for range 1 + r.IntN(8) {
		text = append(text, words[r.IntN(len(words))])
	}
	if r.IntN(20) == 0 {
		text = append(text, strings.Repeat("filler ", 400), "zeppelin")
	}
	return strings.Join(text, " ")
}

var (
	prefixes      = []string{"Note", "Lesson", "Decision"}
	portabilities = []string{"portable", "sensitive", "block"}
	sources       = []string{"dana", "ben"}
	tags          = []string{"a", "b", "c"}
	topics        = []string{"x", "y"}
)

func some(r *rand.Rand, of []string) []string {
	var list []string
	for _, s := range of {
		if r.IntN(3) == 0 {
			list = append(list, s)
		}
	}
	return list
}

func randomRow(r *rand.Rand, i int) (*row, string) {
	body := randomText(r)
	t := thought.Thought{
		ID: fmt.Sprintf("%08d-0000-7000-8000-000000000000", i), FilePath: fmt.Sprint(i, ".md"), Body: body, Fingerprint: thought.Fingerprint(body),
		Prefix: prefixes[r.IntN(3)], Portability: portabilities[r.IntN(3)], Source: sources[r.IntN(2)], Vault: thought.DefaultVault, Tags: some(r, tags),
		CreatedAt: time.UnixMicro(int64(r.IntN(50))).UTC(),
	}
	if list := some(r, topics); list != nil {
		t.Extra = []thought.Field{{Key: "topics", Value: fmt.Appendf(nil, "%q", list[0])}}
	}
	return &row{Thought: t}, body
}

func randomFilter(r *rand.Rand) thought.Filter {
	var f thought.Filter
	for list, of := range map[*[]string][]string{
		&f.Prefix: prefixes, &f.Portability: portabilities, &f.Source: sources, &f.Tags: tags, &f.Topics: topics,
	} {
		if r.IntN(3) == 0 {
			*list = some(r, of)
		}
	}
	if r.IntN(3) == 0 {
		f.CreatedAfter = time.UnixMicro(int64(r.IntN(50))).UTC()
	}
	if r.IntN(3) == 0 {
		f.CreatedBefore = time.UnixMicro(int64(r.IntN(50))).In(time.FixedZone("", 3600))
	}
	return f
}

// TestSearch_BruteForce compares the k best with the first k of all that pass
// the filter, each of them scored.
func TestSearch_BruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 60 {
		var x searchIndex
		var rows []*row
		for i := range 1 + r.IntN(6000)*(1-min(1, round%10)) + r.IntN(300) {
			one, body := randomRow(r, i)
			x.add(one, newText(body, one.Tags, true))
			rows = append(rows, one)
		}
		for range r.IntN(len(rows)) / 2 {
			i := r.IntN(len(rows))
			x.remove(rows[i])
			rows = slices.Delete(rows, i, i+1)
		}
		for range 20 {
			query, f, k := randomText(r), randomFilter(r), 1+r.IntN(20)
			vector := embed.Text(query)
			probes := []probe{{localSpace, newPiece(signed(vector[:]))}}
			if r.IntN(4) == 0 {
				probes = nil
			}
			best, total := x.search(query, probes, k, &f)
			var want []candidate
			for _, one := range rows {
				if f.Match(&one.Thought) {
					want = append(want, x.score(one.doc, probes))
				}
			}
			slices.SortFunc(want, better)
			if total != len(want) || !slices.Equal(best, want[:min(k, len(want))]) {
				t.Fatalf("round %d, %d rows, %q, %d probes, k=%d, %+v: got %d of %d, want %d of %d", round, len(rows), query, len(probes), k, f, len(best), total, min(k, len(want)), len(want))
			}
		}
	}
}

// TestKnown changes files at random and compares what is known, then what a
// vault knows that was opened on what the first one kept, with what a new vault
// finds out.
func TestKnown(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	dir, cache := t.TempDir(), t.TempDir()
	open := func(o Options) *Vault {
		o.User = "dana"
		v, err := Open(dir, o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { v.Close() })
		return v
	}
	tell := func(v *Vault) string {
		var b strings.Builder
		list, total, err := v.List(t.Context(), thought.Filter{}, Oldest, 1000, 0)
		problems, err2 := v.Problems(t.Context())
		s, err3 := v.Stats(t.Context())
		s.IndexBytes = 0
		found, err4 := v.Search(t.Context(), "deploy friday", 1000, thought.Filter{Source: sources})
		if err != nil || err2 != nil || err3 != nil || err4 != nil {
			t.Fatal(err, err2, err3, err4)
		}
		fmt.Fprintf(&b, "%+v\n%d\n%+v\n%+v\n%+v\n", list, total, problems, s, found)
		v.mu.Lock()
		defer v.mu.Unlock()
		var repeats []string
		for key := range v.known.byText {
			if first := v.known.first(key); first != nil { // else all are copies
				repeats = append(repeats, fmt.Sprint(key, first.FilePath))
			}
		}
		slices.Sort(repeats)
		fmt.Fprintln(&b, repeats)
		return b.String()
	}
	v := open(Options{CacheDir: cache})
	for round := range 60 {
		for range 1 + r.IntN(5) {
			path := filepath.Join(dir, "thoughts", []string{"", "note", "lesson"}[r.IntN(3)], fmt.Sprint(r.IntN(12), ".md"))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			head := ""
			if r.IntN(2) == 0 {
				head = fmt.Sprintf("---\nid: %08d-0000-7000-8000-000000000000\nprefix: %s\ncreated_at: 2026-01-0%d\n---\n", r.IntN(4), prefixes[r.IntN(3)], 1+r.IntN(3))
			}
			switch r.IntN(8) {
			case 0:
				os.Remove(path)
			case 1:
				os.Rename(path, filepath.Join(dir, "thoughts", fmt.Sprint("moved", r.IntN(3), ".md")))
			case 2:
				head = "---\na: [\n---\n"
				fallthrough
			default:
				if err := os.WriteFile(path, []byte(head+randomText(r)+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		if r.IntN(6) == 0 {
			v.mu.Lock()
			v.ahead = 1000
			v.mu.Unlock()
			v.Close()
			v = open(Options{CacheDir: cache})
		}
		if got, want := tell(v), tell(open(Options{})); got != want {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			t.Fatalf("round %d: got\n%.300s\nwant\n%.300s", round, got[max(0, at-100):], want[max(0, at-100):])
		}
	}
}

// TestCache_Secrets writes secrets by hand: they are served as they stand, and no
// cache holds them.
func TestCache_Secrets(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	secret := "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	for i, text := range []string{"token " + secret, "---\ntags: [" + secret + "]\n---\nx", "---\nmine: {a: [" + secret + "]}\n---\nx", "---\nprefix: " + secret + "\n---\nx", "---\na: [" + secret} {
		path := filepath.Join(dir, "thoughts", fmt.Sprint(i, ".md"))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		v, err := Open(dir, Options{CacheDir: cache})
		if err != nil {
			t.Fatal(err)
		}
		found, err := v.Search(t.Context(), secret, 1, thought.Filter{})
		if err != nil || found.Total != 4 || !strings.Contains(found.Hits[0].Body, secret) {
			t.Errorf("got %+v, %v", found, err)
		}
		v.mu.Lock()
		v.ahead = 1000
		v.mu.Unlock()
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	}
	files, err := os.ReadDir(cache)
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(cache, f.Name()))
		if err != nil || strings.Contains(strings.ToLower(string(data)), strings.ToLower(secret)) {
			t.Errorf("%s holds a secret, %v", f.Name(), err)
		}
	}
}

// TestCache_Damaged changes a byte or cuts what was kept: the answers stay.
func TestCache_Damaged(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(5, 6))
	v, err := Open(dir, Options{CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	for range 30 {
		if _, _, err := v.Capture(t.Context(), randomText(r), Metadata{Tags: some(r, tags)}); err != nil {
			t.Fatal(err)
		}
	}
	v.mu.Lock()
	data := string(v.encode())
	v.mu.Unlock()
	load := func(data string) error {
		w, err := Open(dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return w.decode(data)
	}
	if err := load(data); err != nil {
		t.Fatal(err)
	}
	for range 3000 {
		b := []byte(data)
		if r.IntN(2) == 0 {
			b = b[:r.IntN(len(b))]
		} else {
			b[r.IntN(len(b))] ^= byte(1 + r.IntN(255))
		}
		_ = load(string(b)) // it does not panic; a checksum keeps it out anyway
	}
}
