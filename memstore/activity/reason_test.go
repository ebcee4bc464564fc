package activity_test

import (
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
)

func TestReason(t *testing.T) {
	for in, want := range map[string]string{
		"":            "",
		"Exit code 1": "Exit code 1",
		"Exit code 1\nError: listen EADDRINUSE: address already in use :::4000":   "Error: listen EADDRINUSE: address already in use :::4000",
		"Exit code 2\n\n> vitest run\n\nError: Cannot find module 'jsonwebtoken'": "Error: Cannot find module 'jsonwebtoken'",
		"process exited with code 1\nsome output":                                 "some output",
		"EACCES: permission denied\nError: more":                                  "EACCES: permission denied",
		"first\nsecond":                                                           "first",
		"npm test\n1 test failed\n":                                               "1 test failed",
	} {
		if got := activity.Reason(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// What fails again and again is a lesson, whatever files the work was about.
func TestLessons_ErrorCodes(t *testing.T) {
	var all []activity.Observation
	for i, file := range []string{"src/cart.ts", "src/auth.ts", "src/mail.ts"} {
		events := []activity.Event{
			{Session: "s" + file, Kind: activity.PromptSubmitted, Label: "Work on " + file, Seq: 0},
			{Session: "s" + file, Kind: activity.ToolUsed, Label: "Edit " + file, Seq: 1, Data: activity.Data{Files: []string{file}}},
			{Session: "s" + file, Kind: activity.ToolUsed, Label: "Bash npx vitest run", Seq: 2,
				Data: activity.Data{Failed: true, Error: "Exit code 1\nError: listen EADDRINUSE: address already in use :::4000"}},
			{Session: "s" + file, Kind: activity.Stopped, Label: "turn ended", Seq: 3},
		}
		found, _ := activity.Fold(events, -1, activity.FoldOptions{})
		if len(found) != 1 {
			t.Fatalf("%d observations", len(found))
		}
		found[0].ID = int64(i + 1)
		all = append(all, found...)
	}
	lessons := activity.Lessons(all, activity.LessonOptions{})
	if len(lessons) != 1 || lessons[0].Topic != "EADDRINUSE" || lessons[0].Sessions != 3 {
		t.Errorf("lessons: %+v; of %+v", lessons, all)
	}
}
