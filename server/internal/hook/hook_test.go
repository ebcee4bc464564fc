package hook_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/server/internal/hook"
)

func TestDecode(t *testing.T) {
	tests := []struct {
		name, stdin, arg string
		want             hook.Payload
	}{
		{"nothing", "", "session-start", hook.Payload{Event: "SessionStart"}},
		{"blank", " \n", "STOP", hook.Payload{Event: "Stop"}},
		{"arg_spelling", "{}", "post_tool-useFailure", hook.Payload{Event: "PostToolUseFailure"}},
		{"stdin_before_arg", `{"hook_event_name":"Stop"}`, "session-end", hook.Payload{Event: "Stop"}},
		{"bom", "\uFEFF" + `{"session_id":"a"}`, "stop", hook.Payload{Event: "Stop", SessionID: "a"}},
		{"unknown_fields", `{"new":{"x":[1]},"cwd":"/p"}`, "stop", hook.Payload{Event: "Stop", Dir: "/p"}},
		{"wrong_types", `{"session_id":7,"cwd":["/p"],"prompt":{"a":1},"hook_event_name":null,"model":"m"}`, "stop", hook.Payload{Event: "Stop", Model: "m"}},
		{"last_key_counts", `{"reason":"a","reason":"b"}`, "session-end", hook.Payload{Event: "SessionEnd", Reason: "b"}},
		{"tool_input_kept", `{"tool_input":[1, 2]}`, "pre-tool-use", hook.Payload{Event: "PreToolUse", Input: json.RawMessage(`[1, 2]`)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := hook.Decode([]byte(tt.stdin), tt.arg)
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, %v; want %+v", got, err, tt.want)
			}
		})
	}
}

func TestDecode_Refusals(t *testing.T) {
	tests := []struct{ name, stdin, arg, want string }{
		{"broken", `{"a":`, "stop", "not one JSON object"},
		{"list", `[]`, "stop", "not one JSON object"},
		{"deep", `{"a":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, "stop", "not one JSON object"},
		{"unknown", `{"hook_event_name":"PostCompact"}`, "stop", `no hook event "PostCompact"; the events are SessionStart, UserPromptSubmit`},
		{"unnamed", `{}`, "", `no hook event ""`},
		{"large", strings.Repeat(" ", hook.MaxPayload+1), "stop", "over 67108864"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := hook.Decode([]byte(tt.stdin), tt.arg); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestHandle_Unknown(t *testing.T) {
	if got := hook.Handle(hook.Payload{Event: "PostCompact"}, "s", noon); !reflect.DeepEqual(got, hook.Result{}) {
		t.Errorf("got %+v", got)
	}
}

func TestHandle_Interrupted(t *testing.T) {
	p, err := hook.Decode([]byte(`{"tool_name":"Bash","tool_input":{"command":"sleep 9"},"is_interrupt":true}`), "PostToolUseFailure")
	if err != nil {
		t.Fatal(err)
	}
	e := hook.Handle(p, "s", noon).Events[0]
	if !e.Data.Failed || e.Data.Error != "interrupted" {
		t.Errorf("got %+v", e)
	}
}

func TestSession(t *testing.T) {
	env := map[string]string{"CLAUDE_CODE_SESSION_ID": "code", "CLAUDE_SESSION_ID": "old"}
	getenv := func(key string) string { return env[key] }
	if got := hook.Session("id", getenv); got != "id" {
		t.Errorf("got %q, want id", got)
	}
	if got := hook.Session("", getenv); got != "code" {
		t.Errorf("got %q, want code", got)
	}
	delete(env, "CLAUDE_CODE_SESSION_ID")
	if got := hook.Session("", getenv); got != "old" {
		t.Errorf("got %q, want old", got)
	}
	if got := hook.Session("", nil); got != "main" {
		t.Errorf("got %q, want main", got)
	}
}

func TestSessionName(t *testing.T) {
	long := strings.Repeat("x", 101)
	tests := []struct{ id, begin string }{
		{"7c1e1f0a-6f0e-4a51-9a53-0d6c7b1f2e90", "7c1e1f0a-6f0e-4a51-9a53-0d6c7b1f2e90"},
		{"cursor-k3f9a", "cursor-k3f9a"},
		{strings.Repeat("x", 100), strings.Repeat("x", 100)},
		{"COM", "COM"},
		{"", "main"},
		{".", "session-"}, {"..", "session-"}, {".hidden", "hidden-"}, {"trailing.", "trailing-"},
		{"../../etc/passwd", "etc-passwd-"},
		{`a\b`, "a-b-"}, {"a b", "a-b-"}, {"a\x00", "a-"}, {"\xff\xfe", "session-"}, {"会话", "session-"},
		{"con", "session-"}, {"Nul.txt", "session-"}, {"lpt9", "session-"},
		{long, strings.Repeat("x", 83) + "-"},
	}
	names := map[string]string{}
	for _, tt := range tests {
		got := hook.SessionName(tt.id)
		if !strings.HasPrefix(got, tt.begin) || !strings.HasSuffix(tt.begin, "-") && got != tt.begin {
			t.Errorf("SessionName(%q) = %q, want %q", tt.id, got, tt.begin)
		}
		if other, taken := names[got]; taken {
			t.Errorf("%q and %q are both %q", tt.id, other, got)
		}
		names[got] = tt.id
	}
}

func FuzzSessionName(f *testing.F) {
	for _, id := range []string{"", ".", "..", "con", "a/b", "COM1.log", strings.Repeat("é", 200), "\xff"} {
		f.Add(id, id+"x")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		name := hook.SessionName(a)
		stem, _, _ := strings.Cut(strings.ToLower(name), ".")
		if name == "" || len(name) > 100 || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") != "" ||
			name[0] == '.' || strings.HasSuffix(name, ".") || stem == "con" || stem == "nul" || stem == "aux" || stem == "prn" {
			t.Errorf("SessionName(%q) = %q is no safe name", a, name)
		}
		if hook.SessionName(name) != name {
			t.Errorf("%q is no name of its own", name)
		}
		other := hook.SessionName(b)
		if a != b && name == other && b != name && a != name {
			t.Errorf("%q and %q are both %q", a, b, name)
		}
	})
}

func TestTool(t *testing.T) {
	long := strings.Repeat("y", 4000)
	tests := []struct {
		test, name, input, label string
		files                    []string
	}{
		{"read", "Read", `{"file_path":"/p/a b.go"}`, "Read /p/a b.go", []string{"/p/a b.go"}},
		{"read_path", "read_file", `{"path":"a.go"}`, "read_file a.go", []string{"a.go"}},
		{"notebook", "NotebookEdit", `{"notebook_path":"n.ipynb","new_source":"x"}`, "NotebookEdit n.ipynb", []string{"n.ipynb"}},
		{"multiedit", "MultiEdit", `{"file_path":"a","edits":[{"file_path":"b"},{"old_string":"x"},7]}`, "MultiEdit a", []string{"a", "b"}},
		{"bash", "Bash", `{"command":"cat /etc/hosts","description":"d"}`, "Bash cat /etc/hosts", nil},
		{"bash_cut", "Bash", `{"command":"` + long + `"}`, "Bash " + long[:300], nil},
		{"shell_list", "shell", `{"command":["bash","-lc","ls -l"]}`, "shell ls -l", nil},
		{"argv", "shell", `{"command":["go","test","./..."]}`, "shell go test ./...", nil},
		{"grep_folder", "Grep", `{"pattern":"a.b","path":"src"}`, "Grep a.b", nil},
		{"glob", "Glob", `{"pattern":"**/*.go"}`, "Glob **/*.go", nil},
		{"ls", "LS", `{"path":"/p"}`, "LS /p", nil},
		{"webfetch", "WebFetch", `{"url":"https://x.org/a.go","prompt":"p"}`, "WebFetch https://x.org/a.go", nil},
		{"websearch", "WebSearch", `{"query":"go fuzz"}`, "WebSearch go fuzz", nil},
		{"task", "Task", `{"prompt":"long","subagent_type":"Explore","description":"Find callers"}`, "Task Find callers", nil},
		{"task_type", "Agent", `{"prompt":"long","subagent_type":"Explore"}`, "Agent Explore", nil},
		{"sp_lines", "mcp__slipstream__sp_lines", `{"file":"a.ts","start":14,"end":"20"}`, "mcp__slipstream__sp_lines a.ts 14 20", []string{"a.ts"}},
		{"sp_observations", "sp_observations", `{"ids":[1,2,"#3",[4],null]}`, "sp_observations 1 2 #3", nil},
		{"sp_remember", "sp_remember", `{"fact":"a.ts\nis old"}`, "sp_remember a.ts is old", nil},
		{"sp_timeline", "sp_timeline", `{"around":12}`, "sp_timeline 12", nil},
		{"sp_search_memory", "sp_search_memory", `{"query":"src/a.ts","kind":"edit"}`, "sp_search_memory src/a.ts", nil},
		{"sp_map", "sp_map", `{"root":"src"}`, "sp_map src", nil},
		{"sp_forget", "sp_forget", `{"name":"use-pnpm"}`, "sp_forget use-pnpm", nil},
		{"capture_thought", "capture_thought", `{"content":"a thought","metadata":{"prefix":"x"}}`, "capture_thought a thought", nil},
		{"fetch", "fetch", `{"id":"t-1"}`, "fetch t-1", nil},
		{"unknown", "mcp__db__run", `{"query":"select 1","limit":3}`, "mcp__db__run select 1", nil},
		{"unknown_path", "mcp__fs__stat", `{"path":"/p"}`, "mcp__fs__stat /p", nil},
		{"unknown_file", "mcp__x__format", `{"file_path":"/p/a.go"}`, "mcp__x__format /p/a.go", []string{"/p/a.go"}},
		{"no_input", "ExitPlanMode", ``, "ExitPlanMode", nil},
		{"odd_input", "Read", `[{"file_path":"a"}]`, "Read", nil},
		{"odd_types", "Read", `{"file_path":{"a":1},"path":"b"}`, "Read b", []string{"b"}},
		{"no_name", "", `{}`, "tool", nil},
		{"name_of_words", "my tool\n", `{"path":"x"}`, "my_tool x", nil},
		{"long_name", strings.Repeat("n", 600), `{"path":"` + long + `"}`, strings.Repeat("n", 200) + " " + long[:299], nil},
		{"patch_text", "apply_patch", `"*** Update File: a.go\r\n*** Move to: b.go\n+*** Add File: no.go\n"`, "apply_patch a.go b.go", []string{"a.go", "b.go"}},
		{"patch_argv", "apply_patch", `{"command":["apply_patch","*** Delete File: c.go\n"]}`, "apply_patch c.go", []string{"c.go"}},
		{"file_of_lines", "Read", `{"file_path":"a\nb"}`, "Read a b", nil},
	}
	for _, tt := range tests {
		t.Run(tt.test, func(t *testing.T) {
			e := hook.Tool(activity.ToolUsed, tt.name, json.RawMessage(tt.input))
			if e.Label != tt.label || !reflect.DeepEqual(e.Data.Files, tt.files) || e.Kind != activity.ToolUsed {
				t.Errorf("got %q %q, want %q %q", e.Label, e.Data.Files, tt.label, tt.files)
			}
		})
	}
}

func TestTool_Plan(t *testing.T) {
	e := hook.Tool(activity.ToolUsed, "update_plan", json.RawMessage(`{"plan":[{"step":"one\ntwo","status":"done"},{"status":"x"},3,`+
		strings.Repeat(`{"step":"s"},`, 30)+`{"step":"last"}]}`))
	if len(e.Data.Plan) != 20 || e.Data.Plan[0] != "one two" || e.Data.Plan[1] != "s" {
		t.Errorf("got %q", e.Data.Plan)
	}
}

func TestSize(t *testing.T) {
	tests := []struct {
		name, response string
		want           int64
	}{
		{"none", ``, 0}, {"null", `null`, 0},
		{"text", `"é\n"`, 3},
		{"blocks", `[{"type":"text","text":"abc"},{"type":"image","data":"QUJD"},{"type":"text","text":"de"}]`, 5},
		{"printed", `{"stdout":"ab","stderr":"c","interrupted":false}`, 3},
		{"content", `{"type":"create","content":"abcd","filePath":"x"}`, 4},
		{"content_blocks", `{"content":[{"type":"text","text":"abcd"}]}`, 4},
		{"file", `{"type":"text","file":{"content":"abc"}}`, 3},
		{"other", "{ \"a\" : 1 }", 7},
		{"strings", `["a", "b"]`, 9},
		{"number", `12`, 2},
		{"broken", `{"a"`, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := hook.Size(json.RawMessage(tt.response)); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestPrompt(t *testing.T) {
	const done = "<task-notification>\n<task-id>b</task-id>\n</task-notification>"
	tests := []struct {
		name, text, label string
		asked             bool
	}{
		{"plain", "  Fix it\nplease", "Fix it", true},
		{"blank", " \n\t", "", false},
		{"notification", done, "", false},
		{"notifications", done + "\n" + done, "", false},
		{"notification_cut", "<task-notification>\n<task-id>b", "", false},
		{"both", done + "\nGo on", "Go on", true},
		{"mentioned", "What is <task-notification> for?", "What is <task-notification> for?", true},
		{"long_line", strings.Repeat("🙂", 200), strings.Repeat("🙂", 100), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, asked := hook.Prompt(tt.text)
			if asked != tt.asked || e.Label != tt.label {
				t.Errorf("got %q %t, want %q %t", e.Label, asked, tt.label, tt.asked)
			}
		})
	}
	e, _ := hook.Prompt(strings.Repeat("é", 1<<20))
	if n := len(e.Data.Prompt); n != 32<<10 || !utf8.ValidString(e.Data.Prompt) {
		t.Errorf("a long prompt keeps %d bytes", n)
	}
}

func TestRender(t *testing.T) {
	if got := hook.Render(" \n"); got != nil {
		t.Errorf("got %q for nothing", got)
	}
	const want = `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"<a> & \"b\"\nc"}}` + "\n"
	if got := string(hook.Render("<a> & \"b\"\nc")); got != want {
		t.Errorf("got %s want %s", got, want)
	}
	long := "<slipstream-context>\n" + strings.Repeat(strings.Repeat("🙂", 50)+"\n", 200) + "</slipstream-context>"
	var out struct {
		HookSpecificOutput struct{ AdditionalContext string }
	}
	if err := json.Unmarshal(hook.Render(long), &out); err != nil {
		t.Fatal(err)
	}
	text := out.HookSpecificOutput.AdditionalContext
	if n := len(utf16.Encode([]rune(text))); n > 10_000 || n < 9_800 || !strings.HasSuffix(text, "🙂\n</slipstream-context>") {
		t.Errorf("%d units, ends %q", n, text[len(text)-60:])
	}
}

// FuzzHandle holds that no input makes an event that a log could not take.
func FuzzHandle(f *testing.F) {
	inputs, _ := filepath.Glob("testdata/*.json")
	for _, name := range inputs {
		in, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(in, "stop")
	}
	f.Add([]byte(`{"tool_name":"MultiEdit","tool_input":{"edits":[{}]},"tool_response":[{"type":1}]}`), "post-tool-use")
	f.Add([]byte(`{"hook_event_name":"`+"\xff"+`"}`), "\xff")
	f.Fuzz(func(t *testing.T, stdin []byte, arg string) {
		p, err := hook.Decode(stdin, arg)
		if err != nil {
			if !utf8.ValidString(err.Error()) {
				t.Errorf("error %q", err)
			}
			return
		}
		for _, p.Event = range hook.Names() {
			for _, e := range hook.Handle(p, hook.Session(p.SessionID, nil), noon).Events {
				check(t, e)
			}
		}
	})
}

// check holds what every event promises.
func check(t *testing.T, e activity.Event) {
	t.Helper()
	if e.Session == "" || e.Agent == "" || e.Kind == "" || e.Label == "" || e.Seq != 0 || e.Time.IsZero() {
		t.Errorf("not whole: %+v", e)
	}
	if n := len(utf16.Encode([]rune(e.Label))); n > 500 || strings.ContainsAny(e.Label, "\r\n\u2028\u2029\x00\x1b") {
		t.Errorf("label of %d units: %q", n, e.Label)
	}
	d := e.Data
	for _, s := range append(append([]string{e.Session, e.Agent, e.Label, d.Prompt, d.Outcome, d.Error}, d.Files...), d.Plan...) {
		if !utf8.ValidString(s) {
			t.Errorf("not UTF-8: %q", s)
		}
	}
	if len(d.Prompt) > 32<<10 || len(d.Outcome) > 8<<10 || len(utf16.Encode([]rune(d.Error))) > 500 || len(d.Files) > 50 || len(d.Plan) > 20 || d.Bytes < 0 {
		t.Errorf("out of bounds: %+v", d)
	}
}
