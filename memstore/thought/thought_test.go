package thought_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/memstore/thought"
)

var at = time.Date(2026, 5, 4, 14, 23, 0, 120433000, time.UTC)

func sample() thought.Thought {
	body := thought.Body("[Lesson] Tabs beat spaces.")
	return thought.Thought{
		ID: "0192f3c4-7b1e-7c55-9a10-5d2f6b7c8e90", SchemaVersion: 1, Prefix: "Lesson", Portability: "portable", Source: "dana",
		CreatedAt: at, UpdatedAt: at, Fingerprint: thought.Fingerprint(body), Tags: []string{"ci"}, Vault: "default", Body: body,
	}
}

const sampleFile = `---
schema_version: 1
id: "0192f3c4-7b1e-7c55-9a10-5d2f6b7c8e90"
prefix: Lesson
portability: portable
source: dana
created_at: "2026-05-04T14:23:00.120433+00:00"
updated_at: "2026-05-04T14:23:00.120433+00:00"
fingerprint: "96b1"
tags:
  - ci
---
[Lesson] Tabs beat spaces.
`

func TestEncode_Bytes(t *testing.T) {
	in := sample()
	got, err := thought.Encode(in)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(sampleFile, "96b1", in.Fingerprint, 1); string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := in.FileName(), "lesson/20260504142300-lesson-tabs-beat-spaces-5d2f6b7c8e90.md"; got != want {
		t.Errorf("file name: got %s, want %s", got, want)
	}
}

func TestEncode_RoundTrip(t *testing.T) {
	in := sample()
	in.Vault, in.LegacyID, in.CapturedBy = "team", "17", strings.Repeat("ab", 20)
	in.Tags = []string{"true", "a: b", "日本", "x\ny"}
	in.Extra = []thought.Field{
		{Key: "type", Value: json.RawMessage(`"idea"`)}, {Key: "topics", Value: json.RawMessage(`["a","2"]`)},
		{Key: "deep", Value: json.RawMessage(`{"b":[1,null,true,"2026-05-04"]}`)}, {Key: "Odd key", Value: json.RawMessage(`1.5`)},
	}
	src, err := thought.Encode(in)
	if err != nil {
		t.Fatal(err)
	}
	got, notes, err := thought.Decode(src, "lesson/a.md", time.Time{})
	in.FilePath = "lesson/a.md"
	if err != nil || len(notes) > 0 || !reflect.DeepEqual(got, in) {
		t.Errorf("got %+v, %q, %v, want %+v, from\n%s", got, notes, err, in, src)
	}
}

func TestDecode_ByHand(t *testing.T) {
	modified := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		name, src                 string
		prefix, portability, body string
		notes                     int
		failed                    bool
	}{
		{"bare", "[domain] x", "Domain", "sensitive", "[domain] x", 0, false},
		{"crlf-bom", "\ufeff---\r\nprefix: Own\r\n---\r\na\r\nb", "Own", "portable", "a\nb", 0, false},
		{"stale", sampleFile, "Lesson", "portable", "[Lesson] Tabs beat spaces.\n", 0, false},
		{"typo", "---\nportability: privat\ntags: {a: 1}\n---\nx\n", "Note", "block", "x\n", 2, false},
		{"bad-id", "---\nid: 12\ncreated_at: soon\n---\nx\n", "Note", "portable", "x\n", 2, false},
		{"rules", "---\na: 1\n---\nx\n---\ny\n", "Note", "portable", "x\n---\ny\n", 0, false},
		{"open", "---\na: 1\n", "", "", "", 0, true},
		{"broken", "---\na: [\n---\nx", "", "", "", 0, true},
	} {
		got, notes, err := thought.Decode([]byte(c.src), "x/20260504142300-a.md", modified)
		if (err != nil) != c.failed || len(notes) != c.notes {
			t.Errorf("%s: got %q, %v", c.name, notes, err)
			continue
		}
		if c.failed {
			continue
		}
		if got.Prefix != c.prefix || got.Portability != c.portability || got.Body != c.body || got.Fingerprint != thought.Fingerprint(c.body) || len(got.ID) != 36 {
			t.Errorf("%s: got %+v", c.name, got)
		}
		if c.name != "stale" && got.CreatedAt.Format(time.DateTime) != "2026-05-04 14:23:00" {
			t.Errorf("%s: created %v, want the time in the name", c.name, got.CreatedAt)
		}
	}
}

func TestMerge_KeepsTheRest(t *testing.T) {
	src := strings.Replace(sampleFile, "tags:", "# mine\nodd:   {x: 1}\ntags:", 1)
	out, changed, err := thought.Merge([]byte(src), []string{"ci", "new"}, []thought.Field{{Key: "k", Value: json.RawMessage(`"v"`)}}, at.Add(time.Hour))
	if err != nil || !changed {
		t.Fatal(changed, err)
	}
	for _, want := range []string{"# mine\nodd:   {x: 1}\n", "  - ci\n  - new\n", "k: v\n", `updated_at: "2026-05-04T15:23:00.120433+00:00"`, `created_at: "2026-05-04T14:23:00.120433+00:00"`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if again, changed, err := thought.Merge(out, []string{"new"}, []thought.Field{{Key: "k", Value: json.RawMessage(` "v"`)}}, at); err != nil || changed || string(again) != string(out) {
		t.Errorf("merged again: changed %v, %v", changed, err)
	}
}

func TestParsePrefix(t *testing.T) {
	for in, want := range map[string]string{
		"[Lesson] x": "Lesson", "\n [ action ITEM ] x": "Action Item", "[x] done": "Note", "[ ] todo": "Note", "[link](u)": "Note",
		"[Decision](u)": "Note", "[2026-05-01] standup": "Note", "[日本] x": "Note", "[!!!]": "Note", "x [Lesson]": "Note", "": "Note", "[Lesson": "Note",
	} {
		if got := thought.ParsePrefix(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestFileName_NeverFails(t *testing.T) {
	for prefix, want := range map[string]string{"日本": "other/", "": "other/", "../x": "x/", "Action Item": "action-item/"} {
		in := sample()
		in.Prefix, in.Body = prefix, "…"
		if got := in.FileName(); got != want+"20260504142300-thought-5d2f6b7c8e90.md" {
			t.Errorf("%q: got %s", prefix, got)
		}
	}
}

func TestFingerprint(t *testing.T) {
	const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	for _, s := range []string{"", "\n\n", " \r\n"} {
		if got := thought.Fingerprint(s); got != empty {
			t.Errorf("%q: got %s", s, got)
		}
	}
	if thought.Fingerprint("a \r\nb\n\n") != thought.Fingerprint("a\nb") || thought.Fingerprint("\na") == thought.Fingerprint("a") || thought.Fingerprint("A") == thought.Fingerprint("a") {
		t.Error("spaces at line ends alone make no difference")
	}
}

func TestParseID(t *testing.T) {
	const id = "0192f3c4-7b1e-7c55-9a10-5d2f6b7c8e90"
	for in, part := range map[string]int{
		id: 1, strings.ToUpper(id): 1, "{" + id + "}": 1, "urn:uuid:" + id: 1, strings.ReplaceAll(id, "-", ""): 1, id + "#2": 2,
		"": 0, "x": 0, id + "#0": 0, id + "#x": 0, id + "0": 0,
	} {
		got, n, err := thought.ParseID(in)
		if (err == nil) != (part > 0) || n != part || part > 0 && got != id {
			t.Errorf("%q: got %q, %d, %v", in, got, n, err)
		}
	}
	v7 := thought.NewID(at, [10]byte{0xff, 1, 0xff})
	if got, _, err := thought.ParseID(v7); err != nil || got != v7 || v7[14] != '7' || !strings.Contains("89ab", v7[19:20]) {
		t.Errorf("got %s, %v", v7, err)
	}
	if next := thought.NewID(at.Add(time.Millisecond), [10]byte{}); next <= v7 {
		t.Errorf("%s does not come after %s", next, v7)
	}
}

func TestFilter(t *testing.T) {
	in := sample()
	in.Extra = []thought.Field{{Key: "topics", Value: json.RawMessage(`["a","b"]`)}, {Key: "type", Value: json.RawMessage(`"idea"`)}}
	zoned, err := thought.ParseTime("2026-05-04T16:23:00+02:00") // the same minute
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		f    thought.Filter
		want bool
	}{
		{"none", thought.Filter{Prefix: []string{}}, true},
		{"list", thought.Filter{Prefix: []string{"Note", "Lesson"}}, true},
		{"case", thought.Filter{Prefix: []string{"lesson"}}, false},
		{"and", thought.Filter{Prefix: []string{"Lesson"}, Source: []string{"x"}}, false},
		{"tag", thought.Filter{Tags: []string{"x", "ci"}}, true},
		{"part-of-tag", thought.Filter{Tags: []string{"c"}}, false},
		{"after", thought.Filter{CreatedAfter: zoned}, true},
		{"before", thought.Filter{CreatedBefore: zoned}, false},
		{"exclusive", thought.Filter{CreatedAfter: at}, false},
		{"topic", thought.Filter{Topics: []string{"b"}, Type: []string{"idea"}}, true},
		{"person", thought.Filter{People: []string{"b"}}, false},
	} {
		if got := c.f.Match(&in); got != c.want {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}

func TestThought_JSON(t *testing.T) {
	in := sample()
	in.Tags, in.FilePath, in.EmbeddingStatus = nil, "lesson/a.md", "ok"
	in.Extra = []thought.Field{{Key: "z", Value: json.RawMessage(`1`)}, {Key: "a", Value: json.RawMessage(`"<"`)}}
	got, err := in.MarshalJSON()
	want := `{"id":"0192f3c4-7b1e-7c55-9a10-5d2f6b7c8e90","schema_version":1,"prefix":"Lesson","portability":"portable","source":"dana",` +
		`"created_at":"2026-05-04T14:23:00.120433Z","updated_at":"2026-05-04T14:23:00.120433Z","fingerprint":"` + in.Fingerprint + `",` +
		`"tags":[],"vault":"default","legacy_id":null,"captured_by":null,"embedding_status":"ok","content":"[Lesson] Tabs beat spaces.\n",` +
		`"file_path":"lesson/a.md","metadata":{"z":1,"a":"<"}}`
	if err != nil || string(got) != want {
		t.Errorf("got\n%s, %v, want\n%s", got, err, want)
	}
}

func TestCheck(t *testing.T) {
	for name, change := range map[string]func(*thought.Thought){
		"long":     func(t *thought.Thought) { t.Body = strings.Repeat("x", thought.MaxContent) + "xx" },
		"prefix":   func(t *thought.Thought) { t.Prefix = strings.Repeat("é", 129) },
		"source":   func(t *thought.Thought) { t.Source = "a/../b" },
		"travel":   func(t *thought.Thought) { t.Portability = "private" },
		"reserved": func(t *thought.Thought) { t.Extra = []thought.Field{{Key: "id"}} },
	} {
		in := sample()
		if change(&in); thought.Check(in) == nil {
			t.Errorf("%s passes", name)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(sampleFile))
	f.Add([]byte("\ufeff---\r\ntags: a\r\nx: {a: [1]}\r\n---\r\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		got, _, err := thought.Decode(src, "x/a.md", at)
		if err != nil {
			return
		}
		if b, err := json.Marshal(got); err != nil {
			t.Fatalf("%q: %v\n%s", src, err, b)
		}
		got.Body = thought.Body(got.Body)
		out, err := thought.Encode(got)
		if err != nil {
			return
		}
		again, _, err := thought.Decode(out, "x/a.md", at)
		if err != nil || again.Body != got.Body || again.Prefix != got.Prefix || again.ID != got.ID || len(again.Extra) != len(got.Extra) {
			t.Errorf("%q comes back as %+v, %v from\n%s", src, again, err, out)
		}
	})
}

func FuzzParsePrefix(f *testing.F) {
	f.Add("[Lesson] x", "..")
	f.Fuzz(func(t *testing.T, s, label string) {
		if got := thought.ParsePrefix(s); !strings.Contains(strings.Join(thought.Prefixes(), ","), got) || got == "" {
			t.Errorf("%q: got %q", s, got)
		}
		in := sample()
		in.Prefix = thought.CleanPrefix(label)
		if in.Prefix != "" && utf8.RuneCountInString(in.Prefix) <= thought.MaxPrefix {
			if err := thought.Check(in); err != nil {
				t.Errorf("%q, cleaned %q: %v", label, in.Prefix, err)
			}
		}
	})
}
