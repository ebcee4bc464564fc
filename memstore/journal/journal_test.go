package journal_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
	"github.com/slipstream-mcp/slipstream/memstore/journal"
)

// june is when the events of the tests begin.
func june() time.Time { return time.Date(2026, 6, 4, 10, 0, 0, 0, time.UTC) }

// open opens the journal in dir with its index beside it.
func open(t testing.TB, dir string) *journal.Journal {
	t.Helper()
	j, err := journal.Open(dir, journal.Options{CacheDir: filepath.Join(filepath.Dir(dir), "cache")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

func newJournal(t testing.TB) (*journal.Journal, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "state")
	return open(t, dir), dir
}

// turn is a turn of a session: a request, an edit and what came of it.
func turn(session string, n int, request string) []activity.Event {
	at := june().Add(time.Duration(n) * time.Hour)
	file := fmt.Sprintf("src/part%d.go", n)
	return []activity.Event{
		{Session: session, Kind: activity.PromptSubmitted, Label: request, Time: at},
		{Session: session, Kind: activity.ToolUsed, Label: "Edit " + file, Time: at.Add(time.Minute), Data: activity.Data{Files: []string{file}}},
		{Session: session, Kind: activity.Stopped, Label: "turn ended", Time: at.Add(2 * time.Minute), Data: activity.Data{Outcome: "Done with " + request + "."}},
	}
}

func record(t testing.TB, j *journal.Journal, events ...activity.Event) {
	t.Helper()
	if err := j.Record(t.Context(), events...); err != nil {
		t.Fatal(err)
	}
}

func capture(t testing.TB, j *journal.Journal, session string, o activity.FoldOptions) int {
	t.Helper()
	n, err := j.Capture(t.Context(), session, o)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// all returns what a journal holds, by number.
func all(t testing.TB, j *journal.Journal) []activity.Observation {
	t.Helper()
	var found []activity.Observation
	for o, err := range j.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, o)
	}
	return found
}

func ids(observations []activity.Observation) []int64 {
	var n []int64
	for _, o := range observations {
		n = append(n, o.ID)
	}
	return n
}

// search returns the numbers of what a query finds, best first.
func search(t testing.TB, j *journal.Journal, text string) []int64 {
	t.Helper()
	hits, err := j.Search(t.Context(), hybrid.Query{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	var n []int64
	for _, h := range hits {
		n = append(n, h.ID)
	}
	return n
}

// Looking creates nothing, and finds nothing.
func TestJournal_Nothing(t *testing.T) {
	j, dir := newJournal(t)
	ctx := t.Context()
	if got := search(t, j, "x"); got != nil {
		t.Errorf("found %v", got)
	}
	for name, look := range map[string]func() (int, error){
		"Get":        func() (int, error) { o, err := j.Get(ctx, 1); return len(o), err },
		"Around":     func() (int, error) { o, err := j.Around(ctx, 1, 3, ""); return len(o), err },
		"Latest":     func() (int, error) { o, err := j.Latest(ctx, 3, ""); return len(o), err },
		"Last":       func() (int, error) { _, ok, err := j.Last(ctx, "s"); return map[bool]int{true: 1}[ok], err },
		"Events":     func() (int, error) { e, err := j.Events(ctx, "s", 0); return len(e), err },
		"Lessons":    func() (int, error) { l, err := j.Lessons(ctx, activity.LessonOptions{}); return len(l), err },
		"Capture":    func() (int, error) { return j.Capture(ctx, "s", activity.FoldOptions{Final: true}) },
		"Uncaptured": func() (int, error) { s, err := j.Uncaptured(ctx, time.Now()); return len(s), err },
		"Prune":      func() (int, error) { r, err := j.Prune(ctx, time.Now()); return r.Observations + r.Events, err },
		"Delete":     func() (int, error) { ok, err := j.Delete(ctx, 1); return map[bool]int{true: 1}[ok], err },
		"DeleteSession": func() (int, error) {
			r, err := j.DeleteSession(ctx, "s")
			return r.Observations + r.Events, err
		},
		"Stats":  func() (int, error) { s, err := j.Stats(ctx); return s.Observations + s.Sessions, err },
		"Record": func() (int, error) { return 0, j.Record(ctx) },
		"Add":    func() (int, error) { n, err := j.Add(ctx); return len(n), err },
		"Merge":  func() (int, error) { n, _, err := j.Merge(ctx, nil); return len(n), err },
		"Drop":   func() (int, error) { return 0, j.Drop() },
	} {
		if n, err := look(); n != 0 || err != nil {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("looking made the folder: %v", err)
	}
}

func TestJournal(t *testing.T) {
	j, dir := newJournal(t)
	ctx := t.Context()
	record(t, j, turn("a", 0, "Fix the flaky checkout test")...)
	record(t, j, turn("b", 1, "Raise the upload limit")...)
	record(t, j, turn("a", 2, "Round prices half up")...)
	for i, session := range []string{"a", "b"} {
		if n, want := capture(t, j, session, activity.FoldOptions{}), 2-i; n != want {
			t.Errorf("session %s: %d observations, want %d", session, n, want)
		}
		if n := capture(t, j, session, activity.FoldOptions{Final: true}); n != 0 {
			t.Errorf("session %s was captured twice", session)
		}
	}
	found := all(t, j)
	if got := ids(found); !slices.Equal(got, []int64{1, 2, 3}) {
		t.Fatalf("numbers %v", got)
	}
	byRequest := map[string]int64{}
	for _, o := range found {
		request, _, _ := strings.Cut(o.Summary, " — ")
		byRequest[request] = o.ID
	}
	checkout, upload, prices := byRequest["Fix the flaky checkout test"], byRequest["Raise the upload limit"], byRequest["Round prices half up"]
	if got := search(t, j, "why was checkout flaky?"); len(got) == 0 || got[0] != checkout {
		t.Errorf("found %v, want %d first", got, checkout)
	}
	if hits, err := j.Search(ctx, hybrid.Query{Text: "src/part1.go", Limit: 1, Session: "b"}); err != nil || len(hits) != 1 || hits[0].ID != upload || hits[0].Score <= 0 {
		t.Errorf("by its file: %+v, %v", hits, err)
	}
	got, err := j.Get(ctx, prices, 99, checkout, prices)
	if err != nil || !slices.Equal(ids(got), []int64{prices, checkout}) || !slices.Equal(got[0].Files, []string{"src/part2.go"}) || got[0].First != 3 || got[0].Last != 5 {
		t.Errorf("got %+v, %v", got, err)
	}
	around, err := j.Around(ctx, 2, 5, "")
	if err != nil || !slices.Equal(ids(around), []int64{1, 3, 2}) {
		t.Errorf("around 2: %v, %v", ids(around), err)
	}
	if own, err := j.Around(ctx, checkout, 5, "a"); err != nil || slices.Contains(ids(own), upload) || len(own) != 2 {
		t.Errorf("around %d in its session: %v, %v", checkout, ids(own), err)
	}
	if none, err := j.Around(ctx, upload, 5, "a"); err != nil || none != nil {
		t.Errorf("around what is of another session: %v, %v", none, err)
	}
	latest, err := j.Latest(ctx, 1, "b")
	if err != nil || len(latest) != 1 || latest[0].Session != "a" {
		t.Errorf("latest but b: %+v, %v", latest, err)
	}
	if last, ok, err := j.Last(ctx, "a"); err != nil || !ok || last.ID != max(checkout, prices) {
		t.Errorf("last of a: %+v, %t, %v", last, ok, err)
	}
	events, err := j.Events(ctx, "a", 4)
	if err != nil || len(events) != 2 || events[0].Seq != 4 || events[0].Agent != "main" {
		t.Errorf("events from 4: %+v, %v", events, err)
	}
	stats, err := j.Stats(ctx)
	if err != nil || stats.Sessions != 2 || stats.Observations != 3 || stats.EventBytes == 0 || stats.RecordBytes == 0 || len(stats.Problems) > 0 {
		t.Errorf("stats %+v, %v", stats, err)
	}
	err = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestJournal_Refusals(t *testing.T) {
	j, dir := newJournal(t)
	for _, session := range []string{"", ".", "..", "a/b", `a\b`, "a:b", ".hidden", "a\x00b", strings.Repeat("x", 201)} {
		errs := []error{
			j.Record(t.Context(), activity.Event{Session: session}),
		}
		_, err := j.Add(t.Context(), activity.Observation{Session: session, Summary: "x"})
		errs = append(errs, err)
		_, err = j.Capture(t.Context(), session, activity.FoldOptions{})
		errs = append(errs, err)
		_, err = j.DeleteSession(t.Context(), session)
		errs = append(errs, err)
		_, err = j.Events(t.Context(), session, 0)
		errs = append(errs, err)
		_, _, err = j.Merge(t.Context(), []activity.Observation{{Session: session, Summary: "x"}})
		errs = append(errs, err)
		for i, err := range errs {
			if err == nil || !strings.Contains(err.Error(), "cannot be the name of a session") {
				t.Errorf("session %q, %d: %v", session, i, err)
			}
		}
	}
	if err := j.Record(t.Context(), activity.Event{Session: "a"}, activity.Event{Session: "b"}); err == nil {
		t.Error("events of two sessions were recorded as one")
	}
	if _, err := j.Add(t.Context(), activity.Observation{Session: "a", Summary: "x"}, activity.Observation{Session: "b", Summary: "x"}); err == nil {
		t.Error("observations of two sessions were added as one")
	}
	if _, err := j.Add(t.Context(), activity.Observation{Session: "a", Summary: strings.Repeat("x", 5<<20)}); err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("a line beyond the limit: %v", err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "observations")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what was refused left a folder: %v", err)
	}
}

// secret is what the rules know for one, put together so that none stands here.
func secret() string { return "gh" + "p_" + strings.Repeat("a1B2c3D4", 5)[:36] }

// No text of an event or an observation reaches the disk as it came.
func TestJournal_Redacts(t *testing.T) {
	j, dir := newJournal(t)
	s := secret()
	other := map[string][]byte{"x": []byte(`{"y": "` + s + `"}`)}
	e := activity.Event{Session: "s", Kind: activity.PromptSubmitted, Label: "label " + s}
	e.Data = activity.Data{Prompt: "prompt " + s, Outcome: s, Error: s, Files: []string{"a/" + s}, Plan: []string{"first " + s}, Other: other}
	record(t, j, e, activity.Event{Session: "s", Kind: activity.Stopped, Data: activity.Data{Outcome: "said " + s}})
	capture(t, j, "s", activity.FoldOptions{Final: true})
	o := activity.Observation{Session: "t", Kind: activity.Note, Summary: s, Detail: s, Files: []string{s}, Tags: []string{s}, Other: other}
	if _, err := j.Add(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if _, _, err := j.Merge(t.Context(), []activity.Observation{{Session: "u", Summary: "merged " + s, Detail: s}}); err != nil {
		t.Fatal(err)
	}
	for o, err := range j.All(t.Context()) {
		if text := fmt.Sprintf("%+v", o); err != nil || strings.Contains(text, s) {
			t.Errorf("%s, %v", text, err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(filepath.Dir(dir), func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if bytes.Contains(bytes.ToLower(text), bytes.ToLower([]byte(s[4:]))) {
			t.Errorf("%s holds the secret", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// What people and other programs do to the files counts from the next call on.
func TestJournal_EditedByHand(t *testing.T) {
	j, dir := newJournal(t)
	record(t, j, turn("a", 0, "Fix the checkout")...)
	record(t, j, turn("a", 1, "Raise the upload limit")...)
	capture(t, j, "a", activity.FoldOptions{})
	file := filepath.Join(dir, "observations", "a.jsonl")
	edit := func(change func(string) string) {
		t.Helper()
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(change(string(text))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := func(what, query string, want ...int64) {
		t.Helper()
		if got := search(t, j, query); !slices.Equal(got, want) {
			t.Errorf("%s: %q finds %v, want %v", what, query, got, want)
		}
	}
	want("captured", "checkout", 1, 2)
	edit(func(s string) string { return strings.Replace(s, "Fix the checkout", "Fix the turnstile", 2) })
	want("an edit", "turnstile", 1, 2)
	want("an edit", "checkout", 1, 2) // still in what came of it
	edit(func(s string) string { return strings.ReplaceAll(s, "checkout", "turnstil!") })
	want("an edit of the same length", "checkout")
	edit(func(s string) string { _, rest, _ := strings.Cut(s, "\n"); return rest })
	want("a line less", "turnstile")
	want("a line less", "upload", 2)
	edit(func(s string) string {
		return s + `{"id":7,"session":"a","ts":"2026-06-05T10:00:00.000Z","kind":"note","summary":"A windmill"}` + "\r\n"
	})
	want("a line more", "windmill", 7, 2)
	if err := os.Rename(file, filepath.Join(dir, "observations", "b.jsonl")); err != nil {
		t.Fatal(err)
	}
	want("another name", "windmill", 7, 2)
	if o, err := j.Get(t.Context(), 7); err != nil || len(o) != 1 || o[0].Session != "b" {
		t.Errorf("another name: %+v, %v", o, err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "observations")); err != nil {
		t.Fatal(err)
	}
	want("no folder", "windmill")
	if n, err := j.Add(t.Context(), activity.Observation{Session: "c", Summary: "After the end"}); err != nil || n[0] != 8 {
		t.Errorf("the next number is %v, %v; 7 was seen", n, err)
	}
}

// The index can go, be damaged, or be another's: the answers are the same.
func TestJournal_Index(t *testing.T) {
	j, dir := newJournal(t)
	for n := range 20 {
		record(t, j, turn("a", n, fmt.Sprintf("Request %d about thing%d", n, n))...)
	}
	capture(t, j, "a", activity.FoldOptions{})
	want := search(t, j, "thing7")
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(filepath.Dir(dir), "cache", "*.index"))
	if err != nil || len(files) != 1 {
		t.Fatalf("indexes %v, %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{text, nil, text[:len(text)/2], append([]byte("x"), text...), bytes.Replace(text, []byte("a"), []byte("b"), 1), {}} {
		if damaged == nil {
			err = os.Remove(files[0])
		} else {
			err = os.WriteFile(files[0], damaged, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		again := open(t, dir)
		if got := search(t, again, "thing7"); !slices.Equal(got, want) {
			t.Errorf("with an index of %d bytes: %v, want %v", len(damaged), got, want)
		}
		again.Close()
	}
	// An index that was written before the files changed.
	if err := os.WriteFile(files[0], text, 0o600); err != nil {
		t.Fatal(err)
	}
	other := open(t, dir)
	if _, err := other.Delete(t.Context(), want[0]); err != nil {
		t.Fatal(err)
	}
	stale := open(t, dir)
	if got := search(t, stale, "thing7"); slices.Contains(got, want[0]) {
		t.Errorf("found %v, %d was removed", got, want[0])
	}
	if err := stale.Drop(); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "cache", "*")); len(left) > 0 {
		t.Errorf("after Drop there is %v", left)
	}
	none, err := journal.Open(dir, journal.Options{CacheDir: filepath.Join(dir, ".locked", "no folder")})
	if err != nil {
		t.Fatal(err)
	}
	if got := search(t, none, "thing9"); len(got) == 0 {
		t.Error("without a place for the index nothing is found")
	}
}

// Captured after every event or at once, the turns are the same.
func TestCapture_AnyPieces(t *testing.T) {
	once, _ := newJournal(t)
	often, _ := newJournal(t)
	for n := range 6 {
		for i, e := range turn("a", n, fmt.Sprintf("Request %d", n)) {
			if n%2 == 1 && i == 2 {
				continue // interrupted
			}
			record(t, once, e)
			record(t, often, e)
			capture(t, often, "a", activity.FoldOptions{})
		}
	}
	capture(t, once, "a", activity.FoldOptions{Final: true})
	capture(t, often, "a", activity.FoldOptions{Final: true})
	if a, b := all(t, once), all(t, often); !reflect.DeepEqual(a, b) || len(a) != 6 {
		t.Errorf("at once:\n%+v\nin pieces:\n%+v", a, b)
	}
}

func TestRemovals(t *testing.T) {
	j, dir := newJournal(t)
	for n := range 3 {
		record(t, j, turn("a", n, fmt.Sprintf("Request %d", n))...)
		record(t, j, turn("b", n, fmt.Sprintf("Wish %d", n))...)
	}
	capture(t, j, "a", activity.FoldOptions{})
	capture(t, j, "b", activity.FoldOptions{})
	before, err := os.ReadFile(filepath.Join(dir, "dashboard", "b.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := j.Delete(t.Context(), 2); !ok || err != nil {
		t.Fatalf("delete: %t, %v", ok, err)
	}
	if ok, err := j.Delete(t.Context(), 2); ok || err != nil {
		t.Errorf("delete again: %t, %v", ok, err)
	}
	if got := ids(all(t, j)); !slices.Equal(got, []int64{1, 3, 4, 5, 6}) {
		t.Errorf("left %v", got)
	}
	events, _ := j.Events(t.Context(), "a", 0)
	if len(events) != 6 || events[3].Seq != 6 {
		t.Errorf("events left: %+v", events)
	}
	if after, err := os.ReadFile(filepath.Join(dir, "dashboard", "b.jsonl")); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the other session was touched: %v", err)
	}
	if n := capture(t, j, "a", activity.FoldOptions{Final: true}); n != 0 {
		t.Errorf("%d turns were captured anew", n)
	}
	removed, err := j.Prune(t.Context(), june().Add(90*time.Minute))
	if err != nil || removed != (journal.Removed{Observations: 3, Events: 9}) {
		t.Errorf("pruned %+v, %v", removed, err)
	}
	if removed, err = j.DeleteSession(t.Context(), "a"); err != nil || removed != (journal.Removed{Observations: 1, Events: 3}) {
		t.Errorf("the session: %+v, %v", removed, err)
	}
	for _, name := range []string{"observations/a.jsonl", "observations/a.cursor", "dashboard/a.jsonl"} {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", name, err)
		}
	}
	if _, err := j.Prune(t.Context(), june().Add(1000*time.Hour)); err != nil {
		t.Fatal(err)
	}
	again := open(t, dir)
	record(t, again, turn("a", 9, "A new beginning")...)
	capture(t, again, "a", activity.FoldOptions{})
	if got := ids(all(t, again)); !slices.Equal(got, []int64{7}) {
		t.Errorf("the next number is %v", got)
	}
}

func TestMerge(t *testing.T) {
	here, _ := newJournal(t)
	there, _ := newJournal(t)
	for n := range 3 {
		record(t, here, turn("a", n, fmt.Sprintf("Request %d", n))...)
	}
	capture(t, here, "a", activity.FoldOptions{})
	record(t, there, turn("z", 5, "Their own")...)
	capture(t, there, "z", activity.FoldOptions{})
	moved := all(t, here)
	got, added, err := there.Merge(t.Context(), append(slices.Clone(moved), moved[1]))
	if err != nil || added != 3 || !slices.Equal(got, []int64{2, 3, 4, 3}) {
		t.Errorf("merged as %v, %d new, %v", got, added, err)
	}
	got, added, err = there.Merge(t.Context(), moved)
	if err != nil || added != 0 || !slices.Equal(got, []int64{2, 3, 4}) {
		t.Errorf("again as %v, %d new, %v", got, added, err)
	}
	o, err := there.Get(t.Context(), 3)
	if err != nil || len(o) != 1 || o[0].Summary != moved[1].Summary || !o[0].Time.Equal(moved[1].Time) || o[0].Last != -1 {
		t.Errorf("3 is %+v, %v", o, err)
	}
	if got := ids(all(t, there)); !slices.Equal(got, []int64{1, 2, 3, 4}) {
		t.Errorf("numbers %v", got)
	}
}

func TestLessons(t *testing.T) {
	j, dir := newJournal(t)
	add := func(session string, n int) {
		t.Helper()
		o := activity.Observation{Session: session, Kind: activity.Edit, Summary: fmt.Sprintf("Retry of the gateway, case %d", n), Files: []string{"src/payment/gateway.go"}, Time: june().Add(time.Duration(n) * time.Hour)}
		if _, err := j.Add(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	lessons := func(j *journal.Journal) []activity.Lesson {
		t.Helper()
		l, err := j.Lessons(t.Context(), activity.LessonOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	add("a", 1)
	add("a", 2)
	if got := lessons(j); got != nil {
		t.Errorf("of two: %+v", got)
	}
	add("b", 3)
	got := lessons(j)
	if len(got) != 1 || got[0].Count != 3 || got[0].Sessions != 2 || !slices.Equal(got[0].IDs, []int64{1, 2, 3}) {
		t.Errorf("of three: %+v", got)
	}
	if fresh := lessons(open(t, dir)); !reflect.DeepEqual(fresh, got) {
		t.Errorf("another process has %+v, want %+v", fresh, got)
	}
	if _, err := j.Delete(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if got := lessons(j); got != nil {
		t.Errorf("after a removal: %+v", got)
	}
}

func TestUncaptured(t *testing.T) {
	j, _ := newJournal(t)
	record(t, j, turn("done", 0, "Fix it")...)
	capture(t, j, "done", activity.FoldOptions{})
	record(t, j, turn("open", 1, "Fix that")[:2]...)
	for before, want := range map[time.Time][]string{time.Now().Add(-time.Hour): nil, time.Now().Add(time.Hour): {"open"}} {
		if got, err := j.Uncaptured(t.Context(), before); err != nil || !slices.Equal(got, want) {
			t.Errorf("before %v: %v, %v, want %v", before, got, err, want)
		}
	}
}

// A file that cannot be read hides no other, and Stats names it.
func TestJournal_Unreadable(t *testing.T) {
	j, dir := newJournal(t)
	record(t, j, turn("a", 0, "Fix the checkout")...)
	capture(t, j, "a", activity.FoldOptions{})
	if err := os.Symlink("/nowhere/at/all", filepath.Join(dir, "observations", "link.jsonl")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "observations", "folder.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := search(t, j, "checkout"); !slices.Equal(got, []int64{1}) {
		t.Errorf("found %v", got)
	}
	if _, err := j.Stats(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestJournal_Canceled(t *testing.T) {
	j, _ := newJournal(t)
	record(t, j, turn("a", 0, "Fix the checkout")...)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := j.Record(ctx, turn("a", 1, "x")...); !errors.Is(err, context.Canceled) {
		t.Errorf("Record: %v", err)
	}
	if _, err := j.Search(ctx, hybrid.Query{Text: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Search: %v", err)
	}
	if events, err := j.Events(t.Context(), "a", 0); err != nil || len(events) != 3 {
		t.Errorf("%d events, %v", len(events), err)
	}
}

func FuzzSources(f *testing.F) {
	f.Add([]byte{0})
	f.Add([]byte{1, 1, 'a', 10, 20, 3, 9, 200, 1, 0})
	f.Fuzz(func(t *testing.T, note []byte) {
		first, ok := journal.Sources(note)
		if !ok {
			return
		}
		if again, ok := journal.Sources(first); !ok || !bytes.Equal(first, again) {
			t.Errorf("%x is read as %x, then %x", note, first, again)
		}
	})
}
