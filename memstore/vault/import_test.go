package vault_test

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/thought"
	"github.com/slipstream-mcp/slipstream/memstore/vault"
)

func sequence(thoughts ...thought.Thought) iter.Seq2[thought.Thought, error] {
	return func(yield func(thought.Thought, error) bool) {
		for _, one := range thoughts {
			if !yield(one, nil) {
				return
			}
		}
	}
}

func all(t testing.TB, v *vault.Vault) (list []thought.Thought) {
	t.Helper()
	for one, err := range v.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, one)
	}
	return list
}

func TestImport(t *testing.T) {
	dir := t.TempDir()
	v := open(t, dir)
	capture(t, v, "was here", vault.Metadata{Tags: []string{"a"}})
	at := time.Date(2025, 3, 1, 12, 0, 0, 5000, time.FixedZone("", 3600))
	secret := "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	given := []thought.Thought{
		{Body: "[Lesson] tabs\r\n", LegacyID: "7", CreatedAt: at, Extra: []thought.Field{{Key: "type", Value: []byte(`"idea"`)}}},
		{Body: "was here", Tags: []string{"b"}},
		{Body: "was here", Tags: []string{"b"}},
		{Body: "token " + secret, LegacyID: "8", CreatedAt: at.Add(time.Microsecond)},
		{Body: strings.Repeat("x", thought.MaxContent+1)},
		{Body: "another system's seven", LegacyID: "7", CreatedAt: at.Add(time.Second)},
	}
	var failed []error
	done := 0
	o := vault.ImportOptions{Failed: func(err error) { failed = append(failed, err) }, Progress: func(n int) { done = n }}
	dry := o
	dry.DryRun = true
	want := vault.Counts{Added: 3, Known: 1, Merged: 1, Failed: 1}
	// A dry run does not see that the second repeat has nothing new any more.
	if got, err := v.Import(t.Context(), sequence(given...), dry); err != nil || got != (vault.Counts{Added: 3, Merged: 2, Failed: 1}) || len(all(t, v)) != 1 {
		t.Errorf("dry run: got %+v, %v", got, err)
	}
	if got, err := v.Import(t.Context(), sequence(given...), o); err != nil || got != want || done != 6 || len(failed) != 2 {
		t.Errorf("got %+v, %v, %d done, %v", got, err, done, failed)
	}
	list := all(t, v)
	if len(list) != 4 || list[0].Body != "[Lesson] tabs\n" || list[0].Prefix != "Lesson" || !list[0].CreatedAt.Equal(at) || list[0].Source != "dana" ||
		fmt.Sprint(list[0].Texts("type")) != "[idea]" || strings.Contains(list[1].Body, secret) || fmt.Sprint(list[3].Tags) != "[a b]" {
		t.Errorf("got %+v", list)
	}
	// What was corrected in the vault does not come back by its old text.
	path := filepath.Join(dir, "thoughts", filepath.FromSlash(list[0].FilePath))
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "thoughts/"+list[0].FilePath, strings.Replace(string(src), "tabs", "spaces", 1))
	if got, err := v.Import(t.Context(), sequence(given...), o); err != nil || got != (vault.Counts{Known: 5, Failed: 1}) || len(all(t, v)) != 4 {
		t.Errorf("again: got %+v, %v", got, err)
	}
	bad := errors.New("torn")
	got, err := v.Import(t.Context(), func(yield func(thought.Thought, error) bool) {
		_ = yield(thought.Thought{Body: "before it tore"}, nil) && yield(thought.Thought{}, bad)
	}, o)
	if !errors.Is(err, bad) || got.Added != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestCopy(t *testing.T) {
	from := t.TempDir()
	secret := "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	src := open(t, from)
	kept, _ := capture(t, src, "[Decision] two cores", vault.Metadata{Tags: []string{"ci"}})
	write(t, from, "thoughts/note/hand.md", "by hand\r\nwith CRLF\r\n")
	write(t, from, "thoughts/note/odd.md", "---\nid: 0192F3C4-7B1E-7C55-9A10-5D2F6B7C8E90\nmine: {a: 1}\ncreated_at: 2026-01-01T00:00:00+02:00\nupdated_at: 2026-01-01T00:00:00+02:00\n---\nodd\n")
	write(t, from, "thoughts/note/secret.md", "token "+secret+"\n")
	write(t, from, "thoughts/note/broken.md", "---\na: [\n---\n")
	write(t, from, "archive/old.md", "old")

	to := t.TempDir()
	v := open(t, to)
	capture(t, v, "[Decision] two cores", vault.Metadata{Tags: []string{"mine"}})
	write(t, to, "thoughts/note/odd.md", "another one is there\n")
	var failed []error
	o := vault.ImportOptions{Failed: func(err error) { failed = append(failed, err) }}
	want := vault.Counts{Added: 3, Merged: 1, Failed: 1}
	dry := o
	dry.DryRun = true
	if got, err := v.Copy(t.Context(), src, dry); err != nil || got != want || len(all(t, v)) != 2 {
		t.Errorf("dry run: got %+v, %v", got, err)
	}
	failed = nil
	if got, err := v.Copy(t.Context(), src, o); err != nil || got != want || len(failed) != 1 || !strings.Contains(failed[0].Error(), "broken.md") {
		t.Errorf("got %+v, %v, %v", got, err, failed)
	}
	texts := map[string]thought.Thought{}
	for _, one := range all(t, v) {
		texts[strings.Fields(one.Body)[0]] = one
	}
	hand, _, err := src.Get(t.Context(), all(t, src)[2].ID)
	if err != nil {
		t.Fatal(err)
	}
	if got := texts["by"]; got.Body != "by hand\nwith CRLF\n" || got.ID != hand.ID || !got.CreatedAt.Equal(hand.CreatedAt) {
		t.Errorf("got %+v, want %+v", got, hand)
	}
	odd, err := os.ReadFile(filepath.Join(to, "thoughts", "note", "odd-2.md"))
	if err != nil || !strings.Contains(string(odd), "mine: {a: 1}") || texts["odd"].ID != "0192f3c4-7b1e-7c55-9a10-5d2f6b7c8e90" {
		t.Errorf("got %s, %v, %+v", odd, err, texts["odd"])
	}
	if got := texts["token"]; got.Body == "" || strings.Contains(got.Body, secret) {
		t.Errorf("got %+v", got)
	}
	if got := texts["[Decision]"]; fmt.Sprint(got.Tags) != "[mine ci]" || got.ID == kept.ID {
		t.Errorf("got %+v", got)
	}
	if got, err := v.Copy(t.Context(), src, o); err != nil || got != (vault.Counts{Known: 4, Failed: 1}) {
		t.Errorf("again: got %+v, %v", got, err)
	}
	for _, dir := range []string{filepath.Join(from, "none"), filepath.Join(from, "archive")} {
		if _, err := v.Copy(t.Context(), open(t, dir), o); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// TestImport_ManyBatches takes in more than goes under one lock, some of them
// repeats.
func TestImport_ManyBatches(t *testing.T) {
	v := open(t, t.TempDir())
	var given []thought.Thought
	for i := range 700 {
		given = append(given, thought.Thought{Body: fmt.Sprint("thought ", i%600), LegacyID: fmt.Sprint(i % 600), CreatedAt: time.Unix(int64(i%600), 0)})
	}
	if got, err := v.Import(t.Context(), sequence(given...), vault.ImportOptions{}); err != nil || got != (vault.Counts{Added: 600, Known: 100}) {
		t.Errorf("got %+v, %v", got, err)
	}
	list := all(t, v)
	if !slices.IsSortedFunc(list, func(a, b thought.Thought) int { return a.CreatedAt.Compare(b.CreatedAt) }) || len(list) != 600 {
		t.Errorf("got %d", len(list))
	}
}

// BenchmarkImport is of 2,000 thoughts of some 60 words, with fsync:
//
//	go test -run - -bench Import -benchtime 3x ./vault
func BenchmarkImport(b *testing.B) {
	for b.Loop() {
		v, err := vault.Open(b.TempDir(), vault.Options{CacheDir: b.TempDir()})
		if err != nil {
			b.Fatal(err)
		}
		const n = 2000
		start := time.Now()
		_, err = v.Import(b.Context(), func(yield func(thought.Thought, error) bool) {
			for i := range n {
				text := ""
				for j := range 60 {
					text += fmt.Sprint("word", (i*31+j*17)%5000, " ")
				}
				if !yield(thought.Thought{Body: text, LegacyID: fmt.Sprint(i), CreatedAt: time.Unix(int64(i), 0)}, nil) {
					return
				}
			}
		}, vault.ImportOptions{})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(n/time.Since(start).Seconds(), "thoughts/s")
		v.Close()
	}
}
