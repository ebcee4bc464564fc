package transcript_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/server/internal/transcript"
)

var update = flag.Bool("update", false, "rewrite testdata/*.want")

// read returns the events of a transcript as the caller of a Reader would.
func read(r *transcript.Reader, text []byte) []activity.Event {
	var events []activity.Event
	for line := range bytes.Lines(text) {
		events = append(events, r.Line(line)...)
	}
	return append(events, r.End()...)
}

// TestReader_Golden reads a session with one of everything: testdata/session.jsonl becomes testdata/session.want.
func TestReader_Golden(t *testing.T) {
	text, err := os.ReadFile("testdata/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var r transcript.Reader
	var b strings.Builder
	for _, e := range read(&r, text) {
		fmt.Fprintf(&b, "%s %s %s %q", e.Time.Format("15:04:05.000"), e.Agent, e.Kind, e.Label)
		if e.Session != "7c1e1f0a-6f0e-4a51-9a53-0d6c7b1f2e90" || e.Data.Source != "transcript" {
			t.Errorf("session %q, source %q", e.Session, e.Data.Source)
		}
		e.Data.Source = ""
		if d := e.Data; !reflect.DeepEqual(d, activity.Data{}) {
			fmt.Fprintf(&b, "\n\tbytes=%d failed=%t files=%q error=%q prompt=%q outcome=%q", d.Bytes, d.Failed, d.Files, d.Error, d.Prompt, d.Outcome)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "session %s dir %s branch %s broken %d repeated %d\n", r.Session, r.Dir, r.Branch, r.Broken, r.Repeated)
	if *update {
		if err := os.WriteFile("testdata/session.want", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/session.want")
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func TestReader_AgainAfterEnd(t *testing.T) {
	text, err := os.ReadFile("testdata/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var r transcript.Reader
	read(&r, text)
	for _, e := range read(&r, text) {
		t.Errorf("told again: %+v", e)
	}
}

func TestParse(t *testing.T) {
	at := time.Date(2026, 6, 4, 8, 2, 3, 4e6, time.UTC)
	tests := []struct {
		name, line string
		want       transcript.Entry
	}{
		{"prompt", `{"type":"user","uuid":"u","sessionId":"s","cwd":"/p","gitBranch":"b","timestamp":"2026-06-04T10:02:03.004999+02:00","message":{"content":" hi "}}`,
			transcript.Entry{UUID: "u", Session: "s", Dir: "/p", Branch: "b", Time: at, Prompt: "hi"}},
		{"odd_types", `{"type":"user","uuid":7,"cwd":[1],"timestamp":false,"message":{"content":["x",{"type":"text","text":"a"},{"type":"text","text":{}},{"type":"text","text":"b"}]}}`,
			transcript.Entry{Prompt: "a\n\nb"}},
		{"message_text", `{"type":"user","message":"hi"}`, transcript.Entry{}},
		{"remark", `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"x"},{"type":"text","text":"a remark"}]}}`,
			transcript.Entry{Results: []transcript.Result{{ID: "t", Content: []byte(`"x"`)}}}},
		{"meta", `{"type":"user","isMeta":true,"message":{"content":"hi"}}`, transcript.Entry{}},
		{"summary_of_compaction", `{"type":"user","isCompactSummary":true,"message":{"content":"hi"}}`, transcript.Entry{}},
		{"only_visible", `{"type":"user","isVisibleInTranscriptOnly":true,"message":{"content":"hi"}}`, transcript.Entry{}},
		{"command", `{"type":"user","message":{"content":"<command-name>/clear</command-name>"}}`, transcript.Entry{}},
		{"sidechain_unnamed", `{"type":"user","isSidechain":true,"message":{"content":"hi"}}`, transcript.Entry{Agent: "subagent", Prompt: "hi"}},
		{"synthetic", `{"type":"assistant","message":{"id":"m","model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}}`, transcript.Entry{Message: "m"}},
		{"unknown", `{"type":"new","message":{"content":"hi"}}`, transcript.Entry{}},
		{"no_type", `{}`, transcript.Entry{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := transcript.Parse([]byte(tt.line))
			if !ok || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v %t, want %+v", got, ok, tt.want)
			}
		})
	}
	for _, line := range []string{"", " \n", "null", "[]", `"x"`, `{"type":`, `{"type":"user"}}`, "{" + strings.Repeat(`"a":{`, 20_000) + strings.Repeat("}", 20_001)} {
		if e, ok := transcript.Parse([]byte(line)); ok {
			t.Errorf("%.40q is %+v", line, e)
		}
	}
}

// TestReader_Bounds holds that calls without results do not pile up, and that the last ones still find theirs.
func TestReader_Bounds(t *testing.T) {
	var r transcript.Reader
	for i := range 5000 {
		r.Line(fmt.Appendf(nil, `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"c%d"}}]}}`, i, i))
	}
	result := func(i int) []activity.Event {
		return r.Line(fmt.Appendf(nil, `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t%d","content":"ok"}]}}`, i))
	}
	if got := result(0); got != nil {
		t.Errorf("the first is still held: %+v", got)
	}
	if got := result(4999); len(got) != 1 || got[0].Label != "Bash c4999" || got[0].Data.Bytes != 2 || got[0].Session != "main" {
		t.Errorf("the last: %+v", got)
	}
	if got := result(4999); got != nil {
		t.Errorf("a second result: %+v", got)
	}
}

func FuzzReader(f *testing.F) {
	text, err := os.ReadFile("testdata/session.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	for line := range bytes.Lines(text) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var r transcript.Reader
		open := false
		events := read(&r, text)
		for _, e := range events {
			if e.Session == "" || e.Agent == "" || e.Label == "" || e.Data.Source != "transcript" || e.Seq != 0 {
				t.Errorf("not whole: %+v", e)
			}
			if n := len(utf16.Encode([]rune(e.Label))); n > 500 || strings.ContainsAny(e.Label, "\r\n\u2028\u2029") {
				t.Errorf("label of %d units: %q", n, e.Label)
			}
			for _, s := range append([]string{e.Session, e.Agent, e.Label, e.Data.Prompt, e.Data.Outcome, e.Data.Error}, e.Data.Files...) {
				if !utf8.ValidString(s) {
					t.Errorf("not UTF-8: %q", s)
				}
			}
			switch {
			case e.Kind == activity.PromptSubmitted && open:
				t.Errorf("a prompt within a turn: %+v", events)
			case e.Kind == activity.PromptSubmitted, e.Kind == activity.ToolUsed && e.Agent == "main":
				open = true
			case e.Kind == activity.Stopped:
				open = false
			}
		}
		if open {
			t.Errorf("a turn does not end: %+v", events)
		}
	})
}

// BenchmarkReader tells how fast a transcript is read; go test -bench Reader. Last: 114 MB/s on two
// cores of an EPYC (Turin).
func BenchmarkReader(b *testing.B) {
	text, err := os.ReadFile("testdata/session.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	text = append(text, fmt.Sprintf(`{"type":"api-request-blob","body":%q}`+"\n", strings.Repeat("said before, ", 10_000))...)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var r transcript.Reader
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			r.Line(lines.Bytes())
		}
		r.End()
	}
}
