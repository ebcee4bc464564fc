package hook_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/server/internal/hook"
)

// session is one that was compacted in its second turn.
func session() []activity.Event {
	used := func(label string, files ...string) activity.Event {
		return activity.Event{Agent: "main", Kind: activity.ToolUsed, Label: label, Data: activity.Data{Files: files}}
	}
	failing := func(label, reason string) activity.Event {
		e := used(label)
		e.Data.Failed, e.Data.Error = true, reason
		return e
	}
	prompt := func(text string) activity.Event {
		return activity.Event{Agent: "main", Kind: activity.PromptSubmitted, Label: "cut", Data: activity.Data{Prompt: text}}
	}
	return []activity.Event{
		{Agent: "main", Kind: activity.SessionStarted, Label: "session (startup)"},
		prompt("Fix the webhook signature check.\nUse the raw body instead of the parsed one. Or would you rather hash it?"),
		used("Read /home/sam/shop/src/a.ts", "/home/sam/shop/src/a.ts"),
		used("Edit /home/sam/shop/src/a.ts", "/home/sam/shop/src/a.ts"),
		used("Edit /home/sam/shop/src/b.ts", "/home/sam/shop/src/b.ts"),
		failing("Bash npm test", "Exit code 1\nFAIL"),
		used("Edit /home/sam/shop/src/b.ts", "/home/sam/shop/src/b.ts"),
		used("Bash npm test"),
		failing("Bash npm run lint", "Exit code 2"),
		failing("Read /nowhere", "no such file"),
		used("mcp__slipstream__sp_remember Webhooks are signed with the raw body"),
		{Agent: "main", Kind: activity.Stopped, Label: "turn ended", Data: activity.Data{Outcome: "The check now reads the raw body.\n\n- We chose SHA-256, e.g. as Stripe does. It passes."}},
		prompt("Now make the export faster"),
		{Agent: "a81f", Kind: activity.PromptSubmitted, Label: "what a subagent is asked"},
		{Agent: "a81f", Kind: activity.SubagentStopped, Label: "subagent Explore", Data: activity.Data{Outcome: "decided nothing"}},
		{Agent: "main", Kind: activity.ToolUsed, Label: "TodoWrite", Data: activity.Data{Plan: []string{"Measure", "Batch the writes"}}},
		prompt("/compact keep the plan"),
		{Agent: "main", Kind: activity.Compacted, Label: "compaction (auto)"},
	}
}

func TestDigestOf(t *testing.T) {
	got := hook.DigestOf(session())
	want := hook.Digest{
		Request:   "Now make the export faster",
		Earlier:   []string{"Fix the webhook signature check. Use the raw body instead of the parsed one. Or would you rather hash it?"},
		Done:      []string{"The check now reads the raw body."},
		Files:     []string{"/home/sam/shop/src/b.ts", "/home/sam/shop/src/a.ts"},
		Failed:    []string{"Bash npm run lint: Exit code 2"},
		Plan:      []string{"Measure", "Batch the writes"},
		Decisions: []string{"We chose SHA-256, e.g. as Stripe does.", "Webhooks are signed with the raw body", "Use the raw body instead of the parsed one."},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	answered := hook.DigestOf(append(session(), activity.Event{Kind: activity.Stopped, Data: activity.Data{Outcome: "Done."}}))
	if !answered.Answered || answered.Done[0] != "Done." {
		t.Errorf("got %+v", answered)
	}
	if got := hook.DigestOf(nil); !reflect.DeepEqual(got, hook.Digest{}) {
		t.Errorf("of nothing %+v", got)
	}
}

func TestDigestOf_Decisions(t *testing.T) {
	tests := []struct{ text, want string }{
		{"I decided to keep it.", "I decided to keep it."},
		{"Preferred: one file a tool", "Preferred: one file a tool"},
		{"* Switched to pnpm", "Switched to pnpm"},
		{"Adopted v1.2.3 of it. Done.", "Adopted v1.2.3 of it."},
		{"Which one did you choose?", ""},
		{"Added a switch case", ""},
		{"The chosen one", "The chosen one"},
		{"undecided", ""},
	}
	for _, tt := range tests {
		d := hook.DigestOf([]activity.Event{{Kind: activity.Stopped, Data: activity.Data{Outcome: tt.text}}})
		if got := strings.Join(d.Decisions, "|"); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}
