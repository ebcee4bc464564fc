package activity_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
)

// script makes events a minute apart from lines: "kind label", with what
// follows " => " as the outcome or error, a "!" before a label for a failed
// use, and "+1h" for a pause.
func script(lines ...string) []activity.Event {
	var events []activity.Event
	at := noon
	for _, l := range lines {
		if d, err := time.ParseDuration(strings.TrimPrefix(l, "+")); err == nil {
			at = at.Add(d)
			continue
		}
		l, said, _ := strings.Cut(l, " => ")
		kind, label, _ := strings.Cut(l, " ")
		e := activity.Event{Session: "s", Agent: "main", Seq: int64(len(events)), Time: at}
		switch kind {
		case "prompt":
			e.Kind, e.Data.Prompt = activity.PromptSubmitted, label
			label = label[:min(len(label), 20)]
		case "tool":
			e.Kind, e.Data.Error = activity.ToolUsed, said
			label, e.Data.Failed = strings.TrimPrefix(label, "!"), strings.HasPrefix(label, "!")
		case "stop":
			e.Kind, e.Data.Outcome = activity.Stopped, said
		default:
			e.Kind = activity.EventKind(kind)
		}
		e.Label = label
		events = append(events, e)
		at = at.Add(time.Minute)
	}
	return events
}

func many(n int, line string) []string { return slices.Repeat([]string{line}, n) }

func TestFold_Turns(t *testing.T) {
	tests := []struct {
		name   string
		events []activity.Event
		o      activity.FoldOptions
		want   string // first-last of each, then the cursor
	}{
		{"none", nil, activity.FoldOptions{Final: true}, "-1"},
		{"prompt-to-stop", script("prompt a", "tool Bash ls", "stop"), activity.FoldOptions{}, "0-2 2"},
		{"prompt-to-prompt", script("prompt a", "tool Bash ls", "prompt b"), activity.FoldOptions{}, "0-1 1"},
		{"unfinished", script("prompt a", "tool Bash ls"), activity.FoldOptions{}, "-1"},
		{"final", script("prompt a", "tool Bash ls"), activity.FoldOptions{Final: true}, "0-1 1"},
		{"not-quiet-yet", script("prompt a", "tool Bash ls"), activity.FoldOptions{Quiet: time.Hour, Now: noon.Add(time.Hour)}, "-1"},
		{"quiet", script("prompt a", "tool Bash ls"), activity.FoldOptions{Quiet: time.Hour, Now: noon.Add(61 * time.Minute)}, "0-1 1"},
		{"quiet-without-now", script("prompt a", "tool Bash ls"), activity.FoldOptions{Quiet: time.Hour}, "-1"},
		{"before-any-prompt", script("session-start", "tool Bash ls", "prompt a", "stop"), activity.FoldOptions{}, "0-1 2-3 3"},
		{"start-inside", script("prompt a", "session-start resume", "tool Bash ls", "stop"), activity.FoldOptions{}, "0-3 3"},
		{"compaction", script("prompt a", "compact", "tool Bash ls", "stop"), activity.FoldOptions{}, "0-3 3"},
		{"old-compaction", script("prompt a", "stop context compacted (auto)", "tool Bash ls", "stop turn finished"), activity.FoldOptions{}, "0-3 3"},
		{"nothing-done", script("session-start", "subagent-stop x", "stop"), activity.FoldOptions{}, "2"},
		{"only-recall", script("tool sp_recall tokens", "tool sp_savings", "stop"), activity.FoldOptions{}, "2"},
		{"prompt-and-recall", script("prompt a", "tool sp_recall tokens", "stop"), activity.FoldOptions{}, "0-2 2"},
		{"notification", script("prompt a", "prompt <task-notification>x</task-notification>", "stop"), activity.FoldOptions{}, "0-2 2"},
		{"pause", script("tool Bash ls", "+10m", "tool Bash pwd"), activity.FoldOptions{}, "0-0 0"},
		{"short-pause", script("tool Bash ls", "+9m", "tool Bash pwd"), activity.FoldOptions{}, "-1"},
		{"own-pause", script("tool Bash ls", "+4m", "tool Bash pwd"), activity.FoldOptions{Gap: 3 * time.Minute}, "0-0 0"},
		{"no-pause", script("tool Bash ls", "+9h", "tool Bash pwd"), activity.FoldOptions{Gap: -1}, "-1"},
		{"pause-after-prompt", script("prompt a", "+9h", "tool Bash pwd", "stop"), activity.FoldOptions{}, "0-2 2"},
		{"forty", script(many(85, "tool Bash ls")...), activity.FoldOptions{}, "0-39 40-79 79"},
		{"forty-after-prompt", script(append(many(1, "prompt a"), many(85, "tool Bash ls")...)...), activity.FoldOptions{}, "-1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found, next := activity.Fold(tt.events, -1, tt.o)
			var got string
			for _, o := range found {
				got += fmt.Sprintf("%d-%d ", o.First, o.Last)
				if last := tt.events[o.Last]; o.ID != 0 || o.Session != "s" || !o.Time.Equal(last.Time) {
					t.Errorf("id %d, session %q, time %v; want 0, s, %v", o.ID, o.Session, o.Time, last.Time)
				}
			}
			if got += fmt.Sprint(next); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestFold_Kind(t *testing.T) {
	tests := []struct{ lines, want string }{
		{"tool Read a.go|tool Grep x|tool Bash ls|tool Edit a.go", "edit"},
		{"tool Read a.go|tool Grep x|tool Bash ls", "command"},
		{"tool Read a.go|tool Grep x", "search"},
		{"tool Read a.go", "read"},
		{"tool !Edit a.go|tool Read a.go", "read"},
		{"tool !Edit a.go|tool !Read a.go", "edit"},
		{"prompt hello there", "prompt"},
		{"prompt x|tool TodoWrite", "prompt"},
		{"tool sp_remember tokens rotate", "note"},
		{"tool mcp__plugin_x_slipstream__sp_symbol src/a.ts greet", "read"},
		{"tool mcp__db__query select", "search"},
		{"tool NotebookRead a.ipynb", "read"},
		{"tool prune x", "note"},
		{"tool mcp__git__create_plan x|tool ls", "search"},
		{"tool apply_patch a.go", "edit"},
		{"tool run_shell_command ls", "command"},
		{"tool mcp__x__openFile a.go", "read"},
	}
	for _, tt := range tests {
		found, _ := activity.Fold(script(strings.Split(tt.lines, "|")...), -1, activity.FoldOptions{Final: true})
		if len(found) != 1 || string(found[0].Kind) != tt.want {
			t.Errorf("%s: got %+v, want one %s", tt.lines, found, tt.want)
		}
	}
}

func TestFold_Files(t *testing.T) {
	o := activity.FoldOptions{Root: "/home/dev/shop", Home: "/home/dev", Final: true}
	windows := activity.FoldOptions{Root: `C:\Users\sam\shop`, Home: `C:\Users\sam`, Final: true}
	tests := []struct {
		label string
		files []string // as a host names them
		o     activity.FoldOptions
		want  string
	}{
		{"Edit /home/dev/shop/src/a.ts", nil, o, "src/a.ts"},
		{"Read src/a.ts", nil, o, "src/a.ts"},
		{"Read ./src//a.ts", nil, o, "src/a.ts"},
		{"Read /home/dev/notes/a.md", nil, o, "~/notes/a.md"},
		{"Read /home/dev/shop2/a.md", nil, o, "~/shop2/a.md"},
		{"Read /etc/hosts", nil, o, "/etc/hosts"},
		{"Read ../x.go", nil, o, "../x.go"},
		{`Edit c:\users\sam\shop\src\a.ts`, nil, windows, "src/a.ts"},
		{`Edit C:/Users/sam/other/a.ts`, nil, windows, "~/other/a.ts"},
		{"Edit", []string{"/home/dev/shop/my file.ts", "b.ts", "b.ts", "", "https://x.y/z", "/home/dev/shop"}, o, "my file.ts b.ts"},
		{"mcp__slipstream__sp_symbol src/a.ts greet", nil, o, "src/a.ts"},
		// What is no file.
		{"Bash cat src/a.ts", nil, o, ""},
		{"Bash src/a.ts", nil, o, ""},
		{"sp_remember the file src/a.ts holds it", nil, o, ""},
		{"sp_recall src/a.ts", nil, o, ""},
		{"sp_search a.ts", nil, o, ""},
		{"WebFetch https://example.com/a.html", nil, o, ""},
		{"Read the file a.ts", nil, o, ""},
		{"Read src/*.ts", nil, o, ""},
		{"Read --all/x.ts", nil, o, ""},
		{"Read 1.5", nil, o, ""},
		{"Read v1.2.3", nil, o, ""},
		{"Read sam@example.com", nil, o, ""},
		{"Read greet", nil, o, ""},
	}
	for _, tt := range tests {
		events := script("prompt x", "tool "+tt.label)
		events[1].Data.Files = tt.files
		found, _ := activity.Fold(events, -1, tt.o)
		if len(found) != 1 || strings.Join(found[0].Files, " ") != tt.want {
			t.Errorf("%s: got %+v, want files %q", tt.label, found, tt.want)
		}
	}
}

func TestFold_FilesInOrder(t *testing.T) {
	lines := []string{"tool Read z.go", "tool !Edit y.go", "tool Edit x.go"}
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("tool Read f%02d.go", i))
	}
	found, _ := activity.Fold(script(append([]string{"prompt p"}, lines...)...), -1, activity.FoldOptions{Final: true})
	if f := found[0].Files; len(f) != 50 || strings.Join(f[:4], " ") != "x.go y.go z.go f00.go" {
		t.Errorf("got %d files %v", len(f), f)
	}
}

func TestFold_Tags(t *testing.T) {
	found, _ := activity.Fold(script("prompt p", "tool Edit src/cart/cartTotal.ts", "tool Edit src/cart/tax.ts", "tool Read /opt/secretCo/z.ts",
		"tool TodoWrite", "tool mcp__slipstream__sp_lines src/cart/tax.ts 1-3", "stop"), -1, activity.FoldOptions{})
	if got, want := strings.Join(found[0].Tags, " "), "edit cart total tax read lines"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var lines []string
	for i := range 20 {
		lines = append(lines, "tool Edit topic"+string(rune('a'+i))+".go")
	}
	found, _ = activity.Fold(script(lines...), -1, activity.FoldOptions{Final: true})
	if n := len(found[0].Tags); n != 16 {
		t.Errorf("got %d tags, want 16", n)
	}
}

func TestFold_Summary(t *testing.T) {
	long := strings.Repeat("word ", 100)
	tests := []struct{ name, lines, want string }{
		{"request-outcome", "prompt Fix the login bug. It is in auth.|tool Edit a.ts|stop => Perfect! I've fixed the **login** check in `a.ts`. More.",
			"Fix the login bug — I've fixed the login check in a.ts"},
		{"fillers", "prompt Ok. Great, now fix it|stop => Done.\n\n## Summary\n\nHere's what I did:\n- moved `x` to y", "now fix it — moved x to y"},
		{"only-fillers", "prompt ok|stop => Done.", "ok — Done"},
		{"abbreviation", "prompt Use a cache, e.g. an LRU. Now.|stop", "Use a cache, e.g. an LRU"},
		{"decimals", "prompt Move to v1.2.3 of it|stop", "Move to v1.2.3 of it"},
		{"edited", "prompt do it|tool Edit a.ts|tool Write b.ts|tool Edit a.ts|stop", "do it — edited a.ts, b.ts"},
		{"ran", "prompt do it|tool !Bash npm test|stop", "do it — ran npm test (failed)"},
		{"mended", "prompt do it|tool !Bash npm test|tool Bash npm test|stop", "do it — ran npm test"},
		{"failed-edit", "prompt do it|tool !Edit a.ts|stop", "do it — failed to edit a.ts"},
		{"no-prompt", `tool sp_symbol src/a.ts greet|tool sp_search token refresh|tool sp_symbol src/a.ts greet|stop`, `searched "token refresh"; read src/a.ts: greet`},
		{"more", "tool Edit a.ts|tool Edit b.ts|tool Edit c.ts|tool Edit d.ts|tool Edit e.ts|stop", "edited a.ts, b.ts, c.ts and 2 more"},
		{"nameless", "tool Edit|tool Edit|stop", "used Edit"},
		{"unknown-tool", "tool prune old x|stop", "used prune"},
		{"noted", "tool sp_remember tokens rotate daily|stop", "noted tokens rotate daily"},
		{"long-request", "prompt " + long + "|stop", strings.TrimSpace(strings.Repeat("word ", 16)) + "…"},
		{"spaces", "prompt a \t  b\n\nc|stop", "a b"},
		{"code-first", "prompt ```\nx := 1\n```\nwhy does it fail?|stop", "why does it fail?"},
		{"command", "prompt <command-message>run</command-message>\n<command-name>/deploy</command-name>\n<command-args>to staging</command-args>|stop", "/deploy to staging"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found, _ := activity.Fold(script(strings.Split(tt.lines, "|")...), -1, activity.FoldOptions{})
			if len(found) != 1 {
				t.Fatalf("got %d observations, want 1", len(found))
			}
			if got := found[0].Summary; got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
	found, _ := activity.Fold(script("prompt "+long, "stop => "+strings.Repeat("😀 wörd ", 100)), -1, activity.FoldOptions{})
	if n := len(utf16.Encode([]rune(found[0].Summary))); n > 160 || n < 120 {
		t.Errorf("summary of %d units: %q", n, found[0].Summary)
	}
}

func TestFold_Detail(t *testing.T) {
	events := script("prompt Fix it.\n\nSoon.", "tool Grep token", "tool Read src/a.ts", "tool sp_symbol src/a.ts greet", "tool Edit src/a.ts",
		"tool Edit src/a.ts", "tool !Bash npm test => exit 1\nmore", "tool !Edit src/b.ts => not found", "tool TodoWrite", "stop => Fixed it.\nAll green.")
	found, _ := activity.Fold(events, -1, activity.FoldOptions{})
	want := `Request: Fix it. Soon.
Outcome: Fixed it. All green.
Ran: npm test (failed)
Failed: Bash npm test: more
Failed: Edit src/b.ts: not found
Searched: token
Read: src/a.ts
Read: src/a.ts: greet
Tools: Edit×3, Grep, Read, sp_symbol, Bash, TodoWrite`
	if got := found[0].Detail; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	var lines []string
	for i := range 20 {
		lines = append(lines, fmt.Sprintf("tool !Bash cmd%d %s", i, strings.Repeat("x", 300)), fmt.Sprintf("tool Grep q%d", i), fmt.Sprintf("tool Read f%d.go", i))
	}
	lines = append([]string{"prompt " + strings.Repeat("long ", 1000)}, lines...)
	found, _ = activity.Fold(script(lines...), -1, activity.FoldOptions{Final: true})
	got := map[string]int{}
	for l := range strings.SplitSeq(found[0].Detail, "\n") {
		label, text, _ := strings.Cut(l, ": ")
		got[label]++
		if n := len([]rune(text)); n > 2000 || label == "Ran" && n > 200+len(" (failed)") {
			t.Errorf("%s has %d characters", label, n)
		}
	}
	if want := map[string]int{"Request": 1, "Ran": 8, "Failed": 5, "Searched": 8, "Read": 12, "Tools": 1}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v lines, want %v", got, want)
	}
}

func TestFold_NothingRecalledAgain(t *testing.T) {
	record := "## #12 [edit] 2026-06-04T10:02:00.000Z\nsecret old\nfiles: a.ts\ntags: edit\n\nRequest: secret old\nTools: Edit\n---\n"
	tests := []struct{ name, prompt, want string }{
		{"reminder", "a <system-reminder>secret\n</system-reminder>b", "Request: a b"},
		{"context", "<slipstream-context>\n## x (decision)\nsecret\n</slipstream-context>\nfix it", "Request: fix it"},
		{"unclosed", "fix it\n<system-reminder>\nsecret", "Request: fix it"},
		{"spoken-of", "what is <system-reminder> for", "Request: what is <system-reminder> for"},
		{"rows", "see\n#12 [edit] 2026-06-04 10:02 (score 1.2) secret\n> #13 [read] 2026-06-04 10:02 secret\n  #14 [note] 2026-06-04 10:02 secret\nthen", "Request: see then"},
		{"record", "see\n" + record + record + "then", "Request: see then"},
		{"record-without-end", "see\n" + strings.TrimSuffix(record, "---\n") + "then", "Request: see then"},
		{"no-row", "see #12 [edit] and\n#12 [edit] is odd", "Request: see #12 [edit] and #12 [edit] is odd"},
		{"output", "<local-command-stdout>secret</local-command-stdout>", ""},
		{"only-reminder", "<system-reminder>secret</system-reminder>", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found, _ := activity.Fold(script("prompt "+tt.prompt, "stop"), -1, activity.FoldOptions{})
			var got string
			if len(found) > 0 {
				got = found[0].Detail
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			found, _ = activity.Fold(script("prompt x", "stop => "+tt.prompt), -1, activity.FoldOptions{})
			if strings.Contains(fmt.Sprint(found), "secret") {
				t.Errorf("from an outcome: %+v", found)
			}
		})
	}
}

// No secret and no user's name is in anything that is kept.
func TestFold_Private(t *testing.T) {
	lines := []string{
		"prompt use hunter2 in /home/dev/shop/a.ts and /home/dev/x", "tool !Bash cd /home/dev && echo hunter2 => hunter2 in /home/dev",
		"tool Grep hunter2 /home/dev", "tool Edit /home/dev/shop/hunter2.ts", "tool Read /home/dev/hunter2", "tool hunter2 x",
		"stop => Wrote hunter2 to /home/dev/shop/a.ts, not /home/devil.",
	}
	o := activity.FoldOptions{Root: "/home/dev/shop", Home: "/home/dev", Redact: func(s string) string { return strings.ReplaceAll(s, "hunter2", "[redacted]") }}
	found, _ := activity.Fold(script(lines...), -1, o)
	all := string(activity.AppendObservation(nil, found[0]))
	if strings.Contains(all, "hunter2") || strings.Contains(strings.ReplaceAll(all, "/home/devil", ""), "/home/dev") {
		t.Errorf("kept: %s", all)
	}
	if want := "use [redacted] in a.ts and ~/x — Wrote [redacted] to a.ts, not /home/devil"; found[0].Summary != want {
		t.Errorf("got %q, want %q", found[0].Summary, want)
	}
}

// Events folded in any pieces give what they give at once.
func TestFold_AnyPieces(t *testing.T) {
	pool := []string{"prompt fix the cart", "prompt <system-reminder>x</system-reminder>", "tool Bash go test", "tool Edit a.go", "tool !Edit b.go",
		"tool sp_recall x", "stop", "stop => Fixed it.", "stop compacted", "session-start", "subagent-stop x", "compact", "pre-tool Read", "+11m"}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var lines []string
		for range 5 + r.IntN(120) {
			lines = append(lines, pool[r.IntN(len(pool))])
			if r.IntN(20) == 0 {
				lines = append(lines, many(r.IntN(90), "tool Bash ls")...)
			}
		}
		events := script(lines...)
		want, end := activity.Fold(events, -1, activity.FoldOptions{Final: true})
		var got []activity.Observation
		cursor := int64(-1)
		for n := 0; n < len(events); n += 1 + r.IntN(6) {
			found, next := activity.Fold(events[:n], cursor, activity.FoldOptions{})
			if next < cursor {
				t.Fatalf("seed %d: cursor went from %d to %d", seed, cursor, next)
			}
			got, cursor = append(got, found...), next
			if again, same := activity.Fold(events[:n], cursor, activity.FoldOptions{}); len(again) > 0 || same != cursor {
				t.Fatalf("seed %d: folding again gave %d more", seed, len(again))
			}
		}
		found, next := activity.Fold(events, cursor, activity.FoldOptions{Final: true})
		got, cursor = append(got, found...), next
		if !reflect.DeepEqual(got, want) || cursor != end {
			t.Fatalf("seed %d: %d observations to %d, want %d to %d", seed, len(got), cursor, len(want), end)
		}
	}
}

func TestStems(t *testing.T) {
	tests := []struct{ file, want string }{
		{"src/payments/webhookHandler.ts", "payments webhook handler"},
		{"/Users/sam/code/shop/src/payments/webhookHandler.ts", "webhook handler"},
		{"~/code/token_store.go", "token store"},
		{`src\api\HTTPServer.cs`, "api http server"},
		{"internal/cart/cart_test.go", "cart"},
		{"2024/a/b2b-2024.v2.min.js", "b2b min"},
		{"../other/x/paths.go", "paths"},
		{"index.ts", ""},
		{".gitignore", "gitignore"},
		{"docs/über-café.md", "docs über café"},
		{"", ""},
	}
	for _, tt := range tests {
		if got := strings.Join(activity.Stems(tt.file), " "); got != tt.want {
			t.Errorf("Stems(%q) = %q, want %q", tt.file, got, tt.want)
		}
	}
}
