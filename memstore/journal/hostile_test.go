package journal_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
)

// rewrite changes the only place in a file where old stands.
func rewrite(t *testing.T, path, old, new string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte(old)); n != 1 {
		t.Fatalf("%q stands %d times in %s", old, n, path)
	}
	if err := os.WriteFile(path, bytes.Replace(text, []byte(old), []byte(new), 1), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Where another program's records do not tell what they were made of and its
// cursor is gone, what happened before them is not captured anew.
func TestCapture_CursorGone(t *testing.T) {
	j, dir := newJournal(t)
	record(t, j, turn("a", 0, "First")...)
	capture(t, j, "a", activity.FoldOptions{})
	rewrite(t, filepath.Join(dir, "observations", "a.jsonl"), `,"events":[0,2]}`, "}")
	if err := os.Remove(filepath.Join(dir, "observations", "a.cursor")); err != nil {
		t.Fatal(err)
	}
	again := open(t, dir)
	if n := capture(t, again, "a", activity.FoldOptions{Final: true}); n != 0 {
		t.Errorf("%d turns were captured again", n)
	}
	record(t, again, turn("a", 1, "Second")...)
	if n := capture(t, again, "a", activity.FoldOptions{}); n != 1 {
		t.Errorf("%d turns of one were captured", n)
	}
}

// One number of an event that is too small hides none of those before it.
func TestCapture_NumberDamaged(t *testing.T) {
	j, dir := newJournal(t)
	const turns = 60
	for n := range turns {
		record(t, j, turn("a", n, fmt.Sprintf("Request %d", n))...)
		if n == 4 {
			capture(t, j, "a", activity.FoldOptions{})
		}
	}
	rewrite(t, filepath.Join(dir, "dashboard", "a.jsonl"), `"seq":170,`, `"seq":10,`)
	again := open(t, dir)
	capture(t, again, "a", activity.FoldOptions{Final: true})
	if n := len(all(t, again)); n < turns-1 {
		t.Errorf("%d of %d turns are left", n, turns)
	}
}

// The last event's number too small is not given again.
func TestRecord_LastNumberDamaged(t *testing.T) {
	j, dir := newJournal(t)
	for n := range 5 {
		record(t, j, turn("a", n, "x")...)
	}
	rewrite(t, filepath.Join(dir, "dashboard", "a.jsonl"), `"seq":14,`, `"seq":1,`)
	record(t, j, turn("a", 5, "x")...)
	events, err := j.Events(t.Context(), "a", 13)
	if err != nil || len(events) != 4 || events[1].Seq != 14 {
		t.Errorf("%+v, %v", events, err)
	}
}

// A record's range that reaches beyond its turn swallows none that waits.
func TestCapture_RangeDamaged(t *testing.T) {
	j, dir := newJournal(t)
	record(t, j, turn("a", 0, "First")...)
	capture(t, j, "a", activity.FoldOptions{})
	record(t, j, turn("a", 1, "Second")...)
	rewrite(t, filepath.Join(dir, "observations", "a.jsonl"), `"events":[0,2]`, `"events":[0,5]`)
	again := open(t, dir)
	capture(t, again, "a", activity.FoldOptions{Final: true})
	if n := len(all(t, again)); n != 2 {
		t.Errorf("%d of 2 turns", n)
	}
}

// An edit in place counts wherever it is, and a line that somebody writes slowly
// counts when it is whole.
func TestJournal_InPlace(t *testing.T) {
	j, dir := newJournal(t)
	var many []activity.Observation
	for n := range 300 {
		many = append(many, activity.Observation{Session: "a", Summary: fmt.Sprintf("zebra%d", n), Detail: strings.Repeat("word ", 100), Time: june()})
	}
	if _, err := j.Add(t.Context(), many...); err != nil {
		t.Fatal(err)
	}
	search(t, j, "zebra3")
	time.Sleep(60 * time.Millisecond)
	search(t, j, "zebra3")
	path := filepath.Join(dir, "observations", "a.jsonl")
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rewrite(t, path, `zebra3"`, `quagga"`)
	if got := search(t, j, "quagga"); len(got) == 0 || got[0] != 4 {
		t.Errorf("found %v", got)
	}
	line := `{"id":999,"session":"a","kind":"note","summary":"windmill"}` + "\n"
	if _, err := f.WriteString(line[:30]); err != nil {
		t.Fatal(err)
	}
	time.Sleep(60 * time.Millisecond)
	if got := search(t, j, "windmill"); len(got) > 0 {
		t.Errorf("half a line is found: %v", got)
	}
	time.Sleep(2100 * time.Millisecond) // until all files are looked at again
	search(t, j, "windmill")
	if _, err := f.WriteString(line[30:]); err != nil {
		t.Fatal(err)
	}
	if got := search(t, j, "windmill"); len(got) == 0 || got[0] != 999 {
		t.Errorf("found %v", got)
	}
}

// What has no time keeps none, and is merged once, also by several at a time.
func TestMerge_Once(t *testing.T) {
	_, dir := newJournal(t)
	var many []activity.Observation
	for n := range 500 {
		many = append(many, activity.Observation{Session: "a", Summary: fmt.Sprint("s", n)})
	}
	var wg sync.WaitGroup
	for range 3 {
		j := open(t, dir)
		wg.Go(func() {
			if _, _, err := j.Merge(t.Context(), many); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	j := open(t, dir)
	if n := len(all(t, j)); n != 500 {
		t.Errorf("%d of 500", n)
	}
	first, added, err := j.Merge(t.Context(), many)
	if err != nil || added != 0 || len(first) != 500 || slices.Contains(first, 0) {
		t.Errorf("again: %d added, %v", added, err)
	}
}

// What is pending behind a turn that was captured is uncaptured.
func TestUncaptured_Behind(t *testing.T) {
	j, _ := newJournal(t)
	record(t, j, turn("a", 0, "First")...)
	record(t, j, turn("a", 1, "Second")[:2]...)
	time.Sleep(20 * time.Millisecond)
	capture(t, j, "a", activity.FoldOptions{})
	if got, err := j.Uncaptured(t.Context(), time.Now().Add(time.Hour)); err != nil || !slices.Equal(got, []string{"a"}) {
		t.Errorf("got %v, %v", got, err)
	}
	capture(t, j, "a", activity.FoldOptions{Final: true})
	if got, err := j.Uncaptured(t.Context(), time.Now().Add(time.Hour)); err != nil || got != nil {
		t.Errorf("got %v, %v", got, err)
	}
}

// An added observation is of no events: its removal takes none along.
func TestAdd_NoEvents(t *testing.T) {
	j, _ := newJournal(t)
	record(t, j, turn("a", 0, "First")...)
	id, err := j.Add(t.Context(), activity.Observation{Session: "a", Summary: "note"})
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := j.Delete(t.Context(), id[0]); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if e, err := j.Events(t.Context(), "a", 0); len(e) != 3 || err != nil {
		t.Errorf("%d of 3 events, %v", len(e), err)
	}
}

// A number that somebody wrote by hand does not use the others up.
func TestAdd_HugeNumber(t *testing.T) {
	j, dir := newJournal(t)
	if _, err := j.Add(t.Context(), activity.Observation{Session: "a", Summary: "one"}); err != nil {
		t.Fatal(err)
	}
	rewrite(t, filepath.Join(dir, "observations", "a.jsonl"), `"id":1,`, `"id":9007199254740992,`)
	again := open(t, dir)
	search(t, again, "one")
	if id, err := again.Add(t.Context(), activity.Observation{Session: "a", Summary: "two"}); err != nil || id[0] != 2 {
		t.Errorf("the next number is %v, %v", id, err)
	}
}

// What happened earlier and was brought in later stands where it happened.
func TestJournal_OrderOfTime(t *testing.T) {
	j, _ := newJournal(t)
	for i, hours := range []int{10, 20, 5, 15} {
		o := activity.Observation{Session: fmt.Sprint("s", i), Summary: fmt.Sprint("thing ", i), Time: june().Add(time.Duration(hours) * time.Hour)}
		if _, err := j.Add(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	around, err := j.Around(t.Context(), 1, 5, "")
	if err != nil || !slices.Equal(ids(around), []int64{3, 1, 4, 2}) {
		t.Errorf("around 1: %v, %v", ids(around), err)
	}
	latest, err := j.Latest(t.Context(), 2, "s1")
	if err != nil || !slices.Equal(ids(latest), []int64{4, 1}) {
		t.Errorf("latest but 2: %v, %v", ids(latest), err)
	}
}
