package openbrain_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/thought"
	"github.com/slipstream-mcp/slipstream/memstore/thought/openbrain"
)

// read returns what each row came to, in a line.
func read(t testing.TB, text string) (lines []string) {
	t.Helper()
	for one, err := range openbrain.Rows(strings.NewReader(text)) {
		if err != nil {
			lines = append(lines, "error: "+err.Error())
			continue
		}
		at := "never"
		if !one.CreatedAt.IsZero() {
			at = thought.FormatTime(one.CreatedAt)
		}
		line := fmt.Sprintf("%s %s %s %s %q %s %v", one.LegacyID, at, one.Prefix, one.Portability, one.Source, one.Vault, one.Tags)
		for _, f := range one.Extra {
			line += fmt.Sprintf(" %s=%s", f.Key, f.Value)
		}
		lines = append(lines, line+" "+strings.TrimSuffix(one.Body, "\n"))
	}
	return lines
}

const (
	jsonRows = `[
  {"id": "8f14e45f-ceea-467f-a0e6-1b2c3d4e5f60", "content": "[Decision] Two cores.\nNo more.", "embedding": [0.1, 0.2],
   "metadata": {"type": "idea", "topics": ["ci", "cost"], "people": ["Ana"], "action_items": [], "tags": ["ops"], "source": "mcp", "id": 7},
   "created_at": "2026-03-01T12:00:00.123456+00:00", "updated_at": "2026-03-02T12:00:00+05:30", "content_fingerprint": "ab", "importance": 3},
  {"id": 12, "content": "plain", "metadata": "{\"portability\": \"block\", \"prefix\": \"Person Note\"}", "created_at": 1767225600, "user_id": null}
]`
	csvRows = "id,content,metadata,created_at,updated_at,importance,user_id\r\n" +
		`8f14e45f-ceea-467f-a0e6-1b2c3d4e5f60,"[Decision] Two cores.` + "\n" + `No more.","{""type"": ""idea"", ""topics"": [""ci"", ""cost""], ""people"": [""Ana""], ""action_items"": [], ""tags"": [""ops""], ""source"": ""mcp"", ""id"": 7}",2026-03-01 12:00:00.123456+00,2026-03-02 12:00:00+05:30,3,` + "\r\n" +
		`12,plain,"{""portability"": ""block"", ""prefix"": ""Person Note""}",1767225600,,,` + "\r\n"
)

func TestRows(t *testing.T) {
	var compact []json.RawMessage
	if err := json.Unmarshal([]byte(jsonRows), &compact); err != nil {
		t.Fatal(err)
	}
	lines := ""
	for _, one := range compact {
		var b strings.Builder
		_ = json.NewEncoder(&b).Encode(one) // one line, ended
		lines += b.String() + "\n"
	}
	want := `8f14e45f-ceea-467f-a0e6-1b2c3d4e5f60 2026-03-01T12:00:00.123456Z Decision portable "mcp" default [ops] type="idea" topics=["ci","cost"] people=["Ana"] action_items=[] open_brain_id=7 importance=3 [Decision] Two cores.
No more.
12 2026-01-01T00:00:00.000000Z Person Note block "" default [] plain`
	for name, text := range map[string]string{
		"JSON": jsonRows, "with a BOM": "\ufeff" + jsonRows, "lines": lines, "in an object": `{"count": 2, "thoughts": ` + jsonRows + `, "more": 1}`,
		"in a line": `{"thoughts":` + strings.ReplaceAll(jsonRows, "\n", " ") + "}", "one after another": strings.ReplaceAll(lines, `"id"`, "\n\"id\""),
		"CSV": csvRows, "semicolons": strings.ReplaceAll(strings.ReplaceAll(csvRows, ",", ";"), `"";`, `"",`),
	} {
		got := strings.Join(read(t, text), "\n")
		if name == "CSV" {
			got = strings.ReplaceAll(strings.ReplaceAll(got, `importance="3"`, "importance=3"), `", "`, `","`)
		}
		got = strings.ReplaceAll(got, `["ci", "cost"]`, `["ci","cost"]`)
		if name == "semicolons" {
			continue // its JSON has other separators, too
		}
		if got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
	if got := read(t, "content;id\n\"a;b\";1\n"); len(got) != 1 || !strings.HasSuffix(got[0], "a;b") {
		t.Errorf("got %q", got)
	}
	if got := read(t, "Content\tID\na,b\t1\n"); len(got) != 1 || !strings.HasPrefix(got[0], "1 never Note") || !strings.HasSuffix(got[0], "a,b") {
		t.Errorf("got %q", got)
	}
}

func TestRows_Times(t *testing.T) {
	for text, want := range map[string]string{
		`"2026-03-01"`: "2026-03-01T00:00:00.000000Z", `"2026-03-01 12:00:00-03"`: "2026-03-01T15:00:00.000000Z", `1767225600123`: "2026-01-01T00:00:00.123000Z",
		`""`: "never", `null`: "never", `"1767225600"`: "2026-01-01T00:00:00.000000Z",
	} {
		if got := read(t, `[{"content": "x", "created_at": `+text+`}]`); len(got) != 1 || !strings.HasPrefix(got[0], " "+want) {
			t.Errorf("%s: got %q, want %s", text, got, want)
		}
	}
	// What is no time is kept, and so is the thought.
	if got := read(t, `[{"content": "x", "created_at": "yesterday", "updated_at": 1e300}]`); len(got) != 1 || !strings.Contains(got[0], `never Note`) ||
		!strings.Contains(got[0], `open_brain_created_at="yesterday"`) || !strings.Contains(got[0], `open_brain_updated_at="1e300"`) {
		t.Errorf("got %q", got)
	}
}

func TestRows_Bad(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty":     {" \n", "error: the file is empty; an export of the table thoughts is wanted"},
		"HTML":      {"<html>", "error: the file is neither JSON nor JSON Lines nor CSV in UTF-8; an export of the table thoughts is wanted"},
		"UTF-16":    {"\xff\xfe[\x00", "error: the file is neither JSON nor JSON Lines nor CSV in UTF-8; an export of the table thoughts is wanted"},
		"no column": {"a,b\n1,2\n", "error: the first line names no column content; an export of the table thoughts is wanted"},
		"no list":   {`{"thoughts": 3}`, "error: there is no list of rows in the file; an export of the table thoughts is wanted"},
		"cut":       {`[{"content": "a", "id": 1}, {"content": "b`, "1 never Note portable \"\" default [] a|error: the file ends in the middle of a row"},
		"middle":    {`[{"content": "a", "id": 1}, 7, {"id": 3}, {"content": "b", "metadata": [1]}, {"content": "c", "id": 5}]`, `1 never Note portable "" default [] a|error: row 2: it is no object of JSON: "7"|error: row 3: it has no content|error: row 4: its metadata is no object of JSON: "[1]"|5 never Note portable "" default [] c`},
		"bad line":  {"{\"content\": \"a\", \"id\": 1}\n{\"content\n\n{\"content\": \"c\", \"id\": 3}", `1 never Note portable "" default [] a|error: row 2: it is no object of JSON: "{\"content"|3 never Note portable "" default [] c`},
		"fields":    {"id,content\n1,a,b\n2,c\n", `error: row 1: it has 3 fields, the first line has 2|2 never Note portable "" default [] c`},
		"quote":     {"id,content\n1,\"a\n2,c\n", "error: line 3: extraneous or missing \" in quoted-field"},
		"long":      {`[{"content": "` + strings.Repeat("x", thought.MaxContent+1) + `"}, {"content": "c", "id": 2}]`, `error: row 1: content has 1048578 bytes; the most is 1048576, split it|2 never Note portable "" default [] c`},
	} {
		if got := strings.Join(read(t, c.text), "|"); got != c.want {
			t.Errorf("%s: got %.400s, want %s", name, got, c.want)
		}
	}
	for _, text := range []string{`[{"content": "` + strings.Repeat("x", 33<<20) + `"}]`, "{\"content\": \"a\"}\n{\"content\": \"" + strings.Repeat("x", 33<<20) + "\"}", "content\n\"" + strings.Repeat("x", 33<<20)} {
		got := read(t, text)
		if len(got) == 0 || !strings.Contains(got[len(got)-1], "a row has more than 16777216 bytes") {
			t.Errorf("got %.200s", got)
		}
	}
	// Whoever breaks off hears no more.
	for range openbrain.Rows(strings.NewReader(jsonRows)) {
		break
	}
	for range openbrain.Rows(strings.NewReader(csvRows)) {
		break
	}
}

func TestRows_Mapping(t *testing.T) {
	got := read(t, `[{"content": "x", "metadata": {"source": "../up", "tags": "a, b,,a", "portability": "maybe", "prefix": "", "": 1, "fingerprint": "f", "type": null, "vault": "work"}, "type": "idea", "Source": "slack"}]`)
	want := ` never Note portable "slack" work [a b] source="../up" portability="maybe"`
	if len(got) != 1 || !strings.HasPrefix(got[0], ` never Note portable "slack" work [a b]`) || !strings.Contains(got[0], `type="idea"`) || !strings.Contains(got[0], `open_brain_fingerprint="f"`) {
		t.Errorf("got %q, want like %s", got, want)
	}
}

func FuzzRows(f *testing.F) {
	for _, s := range []string{jsonRows, csvRows, `{"content": "a"}`, `{"data": [{"content": "a", "created_at": "2026-01-01", "x y": {"a": [1, {}]}}]}`, "content\tid\na\t1\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ended := false
		for one, err := range openbrain.Rows(strings.NewReader(text)) {
			if ended {
				t.Fatal("something follows the last error")
			}
			var bad *openbrain.RowError
			if err != nil {
				ended = !errors.As(err, &bad)
				continue
			}
			one.ID, one.FilePath = "00000000-0000-7000-8000-000000000000", "x.md"
			if one.Source == "" {
				one.Source = "dana"
			}
			if one.CreatedAt.IsZero() {
				one.CreatedAt = time.Unix(0, 0).UTC()
			}
			if one.UpdatedAt.IsZero() {
				one.UpdatedAt = one.CreatedAt
			}
			src, err := thought.Encode(one)
			if err != nil {
				t.Fatalf("%+v: %v", one, err)
			}
			back, notes, err := thought.Decode(src, "x.md", time.Time{})
			if err != nil || len(notes) > 0 || back.Body != one.Body || back.LegacyID != one.LegacyID || back.Prefix != one.Prefix || back.Source != one.Source ||
				len(back.Tags) != len(one.Tags) || len(back.Extra) != len(one.Extra) || !back.CreatedAt.Equal(one.CreatedAt.Truncate(time.Microsecond)) {
				t.Fatalf("%+v came back as %+v, %v, %v\n%s", one, back, notes, err, src)
			}
		}
	})
}

func Example() {
	export := strings.NewReader("id,content,created_at\n7,[Decision] We run CI on two cores.,2026-05-04 14:23:00+00\n")
	for t, err := range openbrain.Rows(export) {
		fmt.Println(t.LegacyID, t.Prefix, t.CreatedAt, err)
	}
	// Output: 7 Decision 2026-05-04 14:23:00 +0000 UTC <nil>
}

func BenchmarkRows(b *testing.B) {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, `{"id": %d, "content": "thought %d %s", "metadata": {"type": "idea", "topics": ["a", "b"]}, "created_at": "2026-03-01T12:00:00Z"}`+"\n", i, i, strings.Repeat("some more words ", 20))
	}
	for b.Loop() {
		for _, err := range openbrain.Rows(strings.NewReader(text.String())) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(1000*b.N)/b.Elapsed().Seconds(), "rows/s")
}
