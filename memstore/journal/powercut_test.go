package journal_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/memstore/journal"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile/powercut"
)

// requests are the requests that observations came of, in order.
func requests(t *testing.T, j *journal.Journal) []string {
	t.Helper()
	var all []string
	for o, err := range j.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		request, _, _ := strings.Cut(o.Summary, " — ")
		all = append(all, request)
	}
	slices.Sort(all)
	return all
}

// TestPowerCut goes through every state that a power cut can leave of recording
// and capturing: what was acknowledged is there, after the next capture each turn
// whose end was recorded is captured once, and no number is given twice.
func TestPowerCut(t *testing.T) {
	j, _ := newJournal(t)
	record(t, j, turn("a", 0, "request 0")...)
	capture(t, j, "a", activity.FoldOptions{})
	var disk powercut.Disk
	j.Wrap(func(fsys lockedfile.FS) lockedfile.FS { return disk.Over(fsys, ".") })
	record(t, j, turn("a", 1, "request 1")...)
	disk.Mark("recorded 1")
	capture(t, j, "a", activity.FoldOptions{})
	disk.Mark("captured 1")
	record(t, j, turn("b", 2, "request 2")...)
	disk.Mark("recorded 2")
	capture(t, j, "b", activity.FoldOptions{})
	disk.Mark("captured 2")
	given := map[int64]string{}
	for _, o := range all(t, j) {
		given[o.ID] = o.Summary
	}
	cuts := 0
	for cut := range disk.Cuts() {
		cuts++
		dir := filepath.Join(t.TempDir(), "state")
		if err := cut.Restore(dir); err != nil {
			t.Fatal(err)
		}
		left := open(t, dir)
		what := fmt.Sprintf("after %d operations, %q acknowledged", cut.After, cut.Marks)
		for _, n := range []int{1, 2} {
			captured := slices.Contains(requests(t, left), fmt.Sprintf("request %d", n))
			if slices.Contains(cut.Marks, fmt.Sprintf("captured %d", n)) && !captured {
				t.Errorf("%s: %d is not there", what, n)
			}
		}
		for _, o := range all(t, left) {
			if was, ok := given[o.ID]; ok && was != o.Summary {
				t.Errorf("%s: number %d is %q, was %q", what, o.ID, o.Summary, was)
			}
		}
		for _, session := range []string{"a", "b"} {
			capture(t, left, session, activity.FoldOptions{Final: true})
		}
		got := requests(t, left)
		if len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Errorf("%s: captured %q", what, got)
		}
		for _, n := range []int{1, 2} {
			if slices.Contains(cut.Marks, fmt.Sprintf("recorded %d", n)) && !slices.Contains(got, fmt.Sprintf("request %d", n)) {
				t.Errorf("%s: the turn of request %d is lost: %q", what, n, got)
			}
		}
		if n, err := left.Add(t.Context(), activity.Observation{Session: "c", Summary: "again"}); err != nil || int(n[0]) <= len(got) {
			t.Errorf("%s: the next number is %v of %d, %v", what, n, len(got), err)
		}
		left.Close()
	}
	if cuts < 30 {
		t.Errorf("only %d states", cuts)
	}
}

// TestPowerCut_Removal does so for a removal: what is left of a turn is not
// captured again, and what was to stay is there.
func TestPowerCut_Removal(t *testing.T) {
	j, _ := newJournal(t)
	for n := range 3 {
		record(t, j, turn("a", n, fmt.Sprintf("request %d", n))...)
	}
	capture(t, j, "a", activity.FoldOptions{})
	var disk powercut.Disk
	j.Wrap(func(fsys lockedfile.FS) lockedfile.FS { return disk.Over(fsys, ".") })
	if _, err := j.Delete(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	disk.Mark("deleted")
	cuts := 0
	for cut := range disk.Cuts() {
		cuts++
		dir := filepath.Join(t.TempDir(), "state")
		if err := cut.Restore(dir); err != nil {
			t.Fatal(err)
		}
		left := open(t, dir)
		record(t, left, turn("a", 3, "request 3")...)
		capture(t, left, "a", activity.FoldOptions{Final: true})
		got := requests(t, left)
		want := []string{"request 0", "request 1", "request 3"}
		if len(cut.Marks) == 0 && slices.Contains(got, "request 2") {
			want = []string{"request 0", "request 1", "request 2", "request 3"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("after %d operations, %q acknowledged: %q, want %q", cut.After, cut.Marks, got, want)
		}
		left.Close()
	}
	if cuts < 5 {
		t.Errorf("only %d states", cuts)
	}
}

// Each operation can fail: the error names the file, what was there stays, and
// the next try goes through.
func TestFaults(t *testing.T) {
	for fail := range 60 {
		j, dir := newJournal(t)
		record(t, j, turn("a", 0, "request 0")...)
		capture(t, j, "a", activity.FoldOptions{})
		done := 0
		disk := powercut.Disk{Fail: func(powercut.Op) error {
			if done++; done == fail+1 {
				return syscall.ENOSPC
			}
			return nil
		}}
		j.Wrap(func(fsys lockedfile.FS) lockedfile.FS { return disk.Over(fsys, ".") })
		recorded := j.Record(t.Context(), turn("a", 1, "request 1")...)
		_, captured := j.Capture(t.Context(), "a", activity.FoldOptions{})
		j.Wrap(nil)
		if recorded == nil && captured == nil {
			if fail < 10 {
				t.Errorf("operation %d did not fail", fail)
			}
			break
		}
		for _, err := range []error{recorded, captured} {
			if err != nil && !strings.Contains(err.Error(), dir) {
				t.Errorf("operation %d: the error %q names no file", fail, err)
			}
		}
		if recorded != nil {
			record(t, j, turn("a", 1, "request 1")...)
		}
		capture(t, j, "a", activity.FoldOptions{Final: true})
		got := slices.Compact(requests(t, j))
		if !slices.Equal(got, []string{"request 0", "request 1"}) {
			t.Errorf("operation %d failed: %q", fail, got)
		}
	}
}
