package retrieval_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// codingSet loads the set about code work.
func codingSet(t testing.TB) ([]session, []question) {
	t.Helper()
	sessions, err := loadSessions(os.DirFS("."), codingDir)
	if err != nil {
		t.Fatal(err)
	}
	questions, err := loadQuestions(os.DirFS("."), codingDir)
	if err != nil {
		t.Fatal(err)
	}
	return sessions, questions
}

func TestCodingSet_Sessions(t *testing.T) {
	sessions, _ := codingSet(t)
	turns, prompts := 0, map[string]string{}
	var end time.Time
	for _, s := range sessions {
		if n := len(s.turns); n < 6 || n > 10 {
			t.Errorf("session %s has %d turns; the set keeps to 6-10", s.id, n)
		}
		if !s.start.After(end) {
			t.Errorf("session %s begins at %s, before the end of the one before", s.id, s.start)
		}
		end = s.start.Add(time.Duration(len(s.turns)) * turnGap)
		turns += len(s.turns)
		for i, u := range s.turns {
			id := s.turnID(i + 1)
			if len(u.uses) == 0 && u.outcome == "" {
				t.Errorf("turn %s has neither tool use nor last words", id)
			}
			if long := len(u.prompt) > 40; long && prompts[u.prompt] != "" {
				t.Errorf("turns %s and %s have the same prompt", prompts[u.prompt], id)
			}
			prompts[u.prompt] = id
		}
	}
	if len(sessions) < 36 || turns < 300 {
		t.Errorf("got %d sessions of %d turns in all, want at least 36 and 300", len(sessions), turns)
	}
}

func TestCodingSet_Questions(t *testing.T) {
	sessions, questions := codingSet(t)
	known := map[string]bool{}
	for _, s := range sessions {
		for i := range s.turns {
			known[s.turnID(i+1)] = true
		}
	}
	kinds, seen := map[string]int{}, map[string]bool{}
	for _, q := range questions {
		kinds[q.kind]++
		folded := strings.ToLower(strings.Join(strings.Fields(q.text), " "))
		if folded == "" || seen[folded] {
			t.Errorf("question %q is empty or stands twice", q.text)
		}
		seen[folded] = true
		if !slices.IsSorted(q.answers) || len(slices.Compact(slices.Clone(q.answers))) != len(q.answers) {
			t.Errorf("question %q: turns %q are not in order, once each", q.text, q.answers)
		}
		for _, id := range q.answers {
			if !known[id] {
				t.Errorf("question %q: no turn %q", q.text, id)
			}
		}
	}
	if len(questions) < 220 || kinds["paraphrase"] < 60 {
		t.Errorf("got %d questions, %d of them paraphrases, want at least 220 and 60", len(questions), kinds["paraphrase"])
	}
	for _, kind := range []string{"exact", "natural", "temporal", "multi"} {
		if kinds[kind] < 15 {
			t.Errorf("got %d questions of kind %s, want at least 15", kinds[kind], kind)
		}
	}
}

func TestCodingSet_Payloads(t *testing.T) {
	sessions, _ := codingSet(t)
	for _, s := range sessions {
		all, err := payloads(s)
		if err != nil {
			t.Fatalf("session %s: %v", s.id, err)
		}
		var before time.Time
		for _, p := range all {
			var common struct {
				SessionID string `json:"session_id"`
				Event     string `json:"hook_event_name"`
				Cwd       string `json:"cwd"`
			}
			if err := json.Unmarshal(p.json, &common); err != nil {
				t.Fatalf("session %s: %v", s.id, err)
			}
			if common.SessionID != s.id || common.Event == "" || common.Cwd != projectDir {
				t.Errorf("session %s: payload says %+v", s.id, common)
			}
			if !p.at.After(before) {
				t.Errorf("session %s: %s at %s, not after the payload before", s.id, common.Event, p.at)
			}
			before = p.at
		}
	}
}

func TestPayloads(t *testing.T) {
	s, err := parseSession(strings.Join([]string{
		"session s00 2026-01-02T03:04:05Z",
		"> why is a<b",
		"> here?",
		"+ Edit web/a.ts",
		"- Bash cat x | wc -l | exit status 1",
		"",
		"= It is.",
		"> stop",
		"+ Grep total",
	}, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := payloads(s)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`03:04:05 0 SessionStart "source":"startup"`,
		`03:04:15 1 UserPromptSubmit "prompt":"why is a<b\nhere?"`,
		`03:04:25 1 PostToolUse "tool_input":{"file_path":"/home/dev/shop/web/a.ts","new_string":"","old_string":""}`,
		`03:04:35 1 PostToolUseFailure "error":"exit status 1"`,
		`03:04:45 1 Stop "last_assistant_message":"It is."`,
		`03:11:15 2 UserPromptSubmit "prompt":"stop"`,
		`03:11:25 2 PostToolUse "tool_input":{"pattern":"total"}`,
		`03:11:35 0 SessionEnd "reason":"prompt_input_exit"`,
	}
	if len(all) != len(want) {
		t.Fatalf("got %d payloads, want %d", len(all), len(want))
	}
	for i, p := range all {
		clock, rest, _ := strings.Cut(want[i], " ")
		turn, rest, _ := strings.Cut(rest, " ")
		event, own, _ := strings.Cut(rest, " ")
		got := string(p.json)
		if p.at.Format("15:04:05") != clock || p.turn != int(turn[0]-'0') || !strings.Contains(got, own) ||
			!strings.Contains(got, `"session_id":"s00"`) || !strings.Contains(got, `"hook_event_name":"`+event+`"`) {
			t.Errorf("payload %d: got %s turn %d %s, want %s", i, p.at, p.turn, got, want[i])
		}
	}
	if got := s.turns[0].uses[1]; got != (use{"Bash", "cat x | wc -l", "exit status 1"}) {
		t.Errorf("a failed use with a pipe: got %q", got)
	}
}

func TestParseSession_Refuses(t *testing.T) {
	const head = "session s00 2026-01-02T03:04:05Z\n"
	for name, text := range map[string]string{
		"empty":        "",
		"no-turn":      head,
		"no-session":   "> hello\n= hi\n",
		"bad-time":     "session s00 yesterday\n> hello\n",
		"use-first":    head + "+ Read a.go\n> hello\n",
		"use-late":     head + "> hello\n= hi\n+ Read a.go\n",
		"unknown-tool": head + "> hello\n+ Frobnicate a.go\n",
		"no-object":    head + "> hello\n+ Read\n",
		"no-error":     head + "> hello\n- Read a.go\n",
		"no-mark":      head + "> hello\nthere\n",
		"end-space":    head + "> hello \n",
	} {
		if s, err := parseSession(text); err == nil {
			t.Errorf("%s: got %+v, want an error", name, s)
		}
	}
}

func TestParseQuestions(t *testing.T) {
	got, err := parseQuestions("# exact\na | b | s01#2, s14#5\n\n# multi\nwhy | s02#1\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].text != "a | b" || !slices.Equal(got[0].answers, []string{"s01#2", "s14#5"}) || got[1].kind != "multi" {
		t.Errorf("got %+v", got)
	}
	for name, text := range map[string]string{
		"no-heading": "why | s01#1\n",
		"no-turn":    "# exact\nwhy\n",
		"bad-kind":   "# hard\nwhy | s01#1\n",
		"five":       "# exact\nwhy | s01#1, s01#2, s01#3, s01#4, s01#5\n",
	} {
		if got, err := parseQuestions(text); err == nil {
			t.Errorf("%s: got %+v, want an error", name, got)
		}
	}
}
