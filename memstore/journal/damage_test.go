package journal_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
)

// damages are what can happen to one byte.
func damages(rng *rand.Rand, text []byte) (damaged []byte, what string) {
	at := rng.IntN(len(text))
	out := bytes.Clone(text)
	switch rng.IntN(4) {
	case 0:
		out[at] ^= 1 << rng.IntN(8)
		return out, fmt.Sprintf("byte %d flipped", at)
	case 1:
		return append(out[:at], out[at+1:]...), fmt.Sprintf("byte %d gone", at)
	case 2:
		out[at] = '\n'
		return out, fmt.Sprintf("byte %d a newline", at)
	default:
		out[at] = byte(rng.Uint32())
		return out, fmt.Sprintf("byte %d another", at)
	}
}

// Any damaged byte of any file costs one record at most, and no number is given
// twice for it.
func TestDamage(t *testing.T) {
	j, dir := newJournal(t)
	const turns = 12
	for n := range turns {
		record(t, j, turn("a", n, fmt.Sprintf("Request %d", n))...)
	}
	capture(t, j, "a", activity.FoldOptions{})
	files := []string{"observations/a.jsonl", "observations/a.cursor", "observations/.counter", "dashboard/a.jsonl"}
	rng := rand.New(rand.NewPCG(7, 11))
	rounds := 300
	if testing.Short() {
		rounds = 30
	}
	for round := range rounds {
		name := files[round%len(files)]
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		damaged, what := damages(rng, text)
		what = name + ", " + what
		copied := filepath.Join(t.TempDir(), "state")
		if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(copied, filepath.FromSlash(name)), damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		hurt := open(t, copied)
		before := all(t, hurt)
		if len(before) < turns-1 {
			t.Errorf("%s: %d of %d observations are left", what, len(before), turns)
		}
		events, err := hurt.Events(t.Context(), "a", 0)
		if err != nil || len(events) < 3*turns-1 {
			t.Errorf("%s: %d of %d events are left, %v", what, len(events), 3*turns, err)
		}
		record(t, hurt, turn("a", turns, "What comes next")...)
		capture(t, hurt, "a", activity.FoldOptions{})
		after := all(t, hurt)
		seen := map[int64]bool{}
		requests := map[string]int{}
		for _, o := range after {
			if seen[o.ID] {
				t.Errorf("%s: number %d was given twice", what, o.ID)
			}
			seen[o.ID] = true
			requests[o.Summary]++
		}
		// A record that was lost may be captured again, and an event whose
		// number was hurt be a turn of its own.
		if len(after) > turns+2 || len(after) < len(before)+1 {
			t.Errorf("%s: %d observations, then %d", what, len(before), len(after))
		}
		for summary, n := range requests {
			if n > 1 {
				t.Errorf("%s: %q was captured %d times", what, summary, n)
			}
		}
		for _, o := range before {
			if !seen[o.ID] {
				t.Errorf("%s: number %d went when the next was captured", what, o.ID)
			}
		}
		hurt.Close()
	}
}

// A last line that was not finished costs itself alone, and the next begins on
// its own.
func TestTornLine(t *testing.T) {
	j, dir := newJournal(t)
	record(t, j, turn("a", 0, "First")...)
	record(t, j, turn("a", 1, "Second")...)
	capture(t, j, "a", activity.FoldOptions{})
	for _, name := range []string{"observations/a.jsonl", "dashboard/a.jsonl"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text[:len(text)-20], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	again := open(t, dir)
	record(t, again, turn("a", 2, "Third")...)
	capture(t, again, "a", activity.FoldOptions{Final: true})
	summaries := map[string]int{}
	for _, o := range all(t, again) {
		summaries[o.Summary]++
	}
	if summaries["First — Done with First"] != 1 || summaries["Third — Done with Third"] != 1 || len(summaries) > 3 {
		t.Errorf("captured %v", summaries)
	}
}
