package activity_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
)

var noon = time.Date(2026, 6, 4, 12, 0, 0, 0, time.UTC)

func TestAppendEvent(t *testing.T) {
	tests := []struct {
		name  string
		event activity.Event
		want  string
	}{
		{"zero", activity.Event{}, `{"session":"","agent":"main","kind":"","label":"","seq":0,"ts":"0001-01-01T00:00:00.000Z"}`},
		{
			"all",
			activity.Event{
				Session: "s1", Agent: "a7", Kind: activity.ToolUsed, Label: "Bash <b>&\n", Seq: 3, Time: noon.Add(1234567),
				Data: activity.Data{
					Bytes: 42, Source: "mcp", Prompt: "p", Outcome: "o", Files: []string{"a.go", "b.go"}, Failed: true, Error: "e",
					Plan:  []string{"x"},
					Other: map[string][]byte{"z": []byte("1"), "a": []byte("{ \"k\":\n\"<\xff\" }"), "bytes": []byte("7"), "bad": []byte("{")},
				},
			},
			`{"session":"s1","agent":"a7","kind":"post-tool","label":"Bash <b>&\n","data":{"bytes":42,"source":"mcp","plan":["x"],` +
				`"failed":true,"prompt":"p","outcome":"o","files":["a.go","b.go"],"error":"e","a":{"k":"<` + "\uFFFD" + `"},"z":1},` +
				`"seq":3,"ts":"2026-06-04T12:00:00.001Z"}`,
		},
		{
			"line-ends", activity.Event{Session: "\u2028\u2029\x00\x7f\"\\\t\xff", Agent: "main", Kind: "k", Time: noon},
			`{"session":"\u2028\u2029\u0000\u007f\"\\\t` + "\uFFFD" + `","agent":"main","kind":"k","label":"","seq":0,"ts":"2026-06-04T12:00:00.000Z"}`,
		},
		{
			"long-label", activity.Event{Session: "s", Kind: "k", Label: strings.Repeat("a", 499) + "😀", Time: noon},
			`{"session":"s","agent":"main","kind":"k","label":"` + strings.Repeat("a", 499) + `","seq":0,"ts":"2026-06-04T12:00:00.000Z"}`,
		},
		{
			"far-year", activity.Event{Session: "s", Kind: "k", Time: time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC)},
			`{"session":"s","agent":"main","kind":"k","label":"","seq":0,"ts":"0001-01-01T00:00:00.000Z"}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := activity.AppendEvent([]byte("x"), tt.event)
			if string(got) != "x"+tt.want {
				t.Errorf("got  %s\nwant x%s", got, tt.want)
			}
		})
	}
}

func TestParseEvent(t *testing.T) {
	full := activity.Event{Session: "s", Agent: "main", Kind: "k", Seq: 1}
	with := func(change func(*activity.Event)) activity.Event { e := full; change(&e); return e }
	tests := []struct {
		name, line string
		want       activity.Event
	}{
		{"least", `{"session":"s","kind":"k","seq":1}`, full},
		{"order", ` {"seq": 1.0 ,"kind":"k", "session" : "s" , "label":null}` + "\r", full},
		{"offset", `{"session":"s","kind":"k","seq":1,"ts":"2026-06-04T14:00:00.9999+02:00"}`, with(func(e *activity.Event) { e.Time = noon.Add(999 * time.Millisecond) })},
		{"bad-time", `{"session":"s","kind":"k","seq":1,"ts":"yesterday"}`, full},
		{"data-null", `{"session":"s","kind":"k","seq":1,"data":null}`, full},
		{"data-list", `{"session":"s","kind":"k","seq":1,"data":[{"failed":true}]}`, full},
		{"escapes", `{"session":"s","kind":"k","seq":1,"label":"\u00e9\ud83d\ude00\ud83d"}`, with(func(e *activity.Event) { e.Label = "é😀\uFFFD" })},
		{"wrong-kinds", `{"session":"s","kind":"k","seq":1,"label":7,"data":{"bytes":"1","failed":"true","plan":["a",1,"b"],"files":{},"more":[1, 2]}}`,
			with(func(e *activity.Event) {
				e.Data = activity.Data{Plan: []string{"a", "b"}, Other: map[string][]byte{"more": []byte("[1, 2]")}}
			})},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := activity.ParseEvent([]byte(tt.line))
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, %v\nwant %+v", got, err, tt.want)
			}
		})
	}
	for _, line := range []string{
		"", "null", "[]", "{", `{"session":"s","kind":"k","seq":1}{}`, `{"session":"s","kind":"k"}`, `{"session":"","kind":"k","seq":1}`,
		`{"session":"s","seq":1}`, `{"session":"s","kind":"k","seq":-1}`, `{"session":"s","kind":"k","seq":1.5}`,
		`{"session":"s","kind":"k","seq":9007199254740993}`, `{"session":"s","kind":"k","seq":"1"}`,
	} {
		if e, err := activity.ParseEvent([]byte(line)); err == nil {
			t.Errorf("ParseEvent(%s) = %+v, want an error", line, e)
		}
	}
}

func TestParseObservation(t *testing.T) {
	tests := []struct {
		name, line string
		want       activity.Observation
	}{
		{"least", `{"id":1,"summary":""}`, activity.Observation{ID: 1, Kind: activity.Note, Last: -1}},
		{"unknown-kind", `{"id":1,"summary":"s","kind":"skill","files":null,"tags":7,"events":[4,3]}`, activity.Observation{ID: 1, Summary: "s", Kind: activity.Note, Last: -1}},
		{"range", `{"id":1,"summary":"s","kind":"edit","events":[ 4 , 9 ]}`, activity.Observation{ID: 1, Summary: "s", Kind: activity.Edit, First: 4, Last: 9}},
		{"bad-range", `{"id":1,"summary":"s","events":[1,[2]]}`, activity.Observation{ID: 1, Summary: "s", Kind: activity.Note, Last: -1}},
		{"vector", `{"id":1,"summary":"s","vector":[0,-0.1,1e-5],"skill":"x"}`, activity.Observation{ID: 1, Summary: "s", Kind: activity.Note, Last: -1, Other: map[string][]byte{"skill": []byte(`"x"`)}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := activity.ParseObservation([]byte(tt.line))
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, %v\nwant %+v", got, err, tt.want)
			}
		})
	}
	for _, line := range []string{
		"", "7", "{}", `{"id":1}`, `{"summary":"s"}`, `{"id":"1","summary":"s"}`, `{"id":0,"summary":"s"}`, `{"id":1,"summary":null}`,
		`{"id":1e300,"summary":"s"}`, `{"id":1,"summary":"s"`,
	} {
		if o, err := activity.ParseObservation([]byte(line)); err == nil {
			t.Errorf("ParseObservation(%s) = %+v, want an error", line, o)
		}
	}
}

func TestAppendObservation(t *testing.T) {
	o := activity.Observation{
		ID: 12, Session: "s1", Time: noon, Kind: activity.Edit, Summary: "a — b", Detail: "x\ny", Files: []string{"a.ts"}, Tags: []string{"edit"},
		First: 0, Last: 4, Other: map[string][]byte{"skill": []byte(`"z"`), "vector": []byte("[1]"), "id": []byte("3")},
	}
	want := `{"id":12,"session":"s1","ts":"2026-06-04T12:00:00.000Z","kind":"edit","summary":"a — b","detail":"x\ny","files":["a.ts"],` +
		`"tags":["edit"],"events":[0,4],"skill":"z"}`
	if got := activity.AppendObservation(nil, o); string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	o.Last, o.Other = -1, nil
	if got := activity.AppendObservation(nil, o); strings.Contains(string(got), "events") {
		t.Errorf("got %s, want no events", got)
	}
}

func observationFile() ([]byte, []activity.Observation) {
	var file []byte
	var all []activity.Observation
	for i := range 4 {
		o := activity.Observation{
			ID: int64(10 + i), Session: "s", Time: noon, Kind: activity.Edit, Summary: fmt.Sprintf(`say "{%d}" é`, i), Detail: "a\nb",
			Files: []string{"a.ts"}, First: int64(i), Last: int64(i),
			Other: map[string][]byte{"was": []byte(`[{"id":7},{"x":"y"}]`)},
		}
		all = append(all, o)
		file = append(activity.AppendObservation(file, o), '\n')
	}
	return file, all
}

func TestObservations_DamagedByte(t *testing.T) {
	file, all := observationFile()
	damaged(t, file, all, activity.Observations)
}

func TestEvents_DamagedByte(t *testing.T) {
	var file []byte
	var all []activity.Event
	for i := range 4 {
		e := activity.Event{Session: "s", Agent: "main", Kind: activity.ToolUsed, Label: "Bash echo {\"a\"}", Seq: int64(i), Time: noon,
			Data: activity.Data{Bytes: 3, Plan: []string{"{", "}"}}}
		all = append(all, e)
		file = append(activity.AppendEvent(file, e), '\n')
	}
	damaged(t, file, all, activity.Events)
}

// damaged holds that any byte changed, taken out or put in costs at most one
// record, and that what is found lies where it is said to.
func damaged[T any](t *testing.T, file []byte, all []T, records func([]byte) iter.Seq2[activity.Span, T]) {
	t.Helper()
	check := func(what string, at int, text []byte) {
		var found []T
		end := 0
		for s, r := range records(text) {
			if s.Offset < end || s.Length < 1 || s.Offset+s.Length > len(text) {
				t.Errorf("%s at %d: span %+v after %d of %d", what, at, s, end, len(text))
			}
			end = s.Offset + s.Length
			found = append(found, r)
		}
		intact, next := 0, 0
		for _, r := range found {
			for i := next; i < len(all); i++ {
				if reflect.DeepEqual(r, all[i]) {
					intact, next = intact+1, i+1
					break
				}
			}
		}
		if intact < len(all)-1 || len(found) > len(all) {
			t.Errorf("%s at %d: %d of %d intact, %d found", what, at, intact, len(all), len(found))
		}
	}
	check("nothing", 0, file)
	for at := range file {
		check("deletion", at, append(bytes.Clone(file[:at]), file[at+1:]...))
		for _, c := range []byte("\"{}[]:,\\\n\r 0-eu\x00\x7f\xff") {
			changed := bytes.Clone(file)
			changed[at] = c
			check(fmt.Sprintf("change to %q", c), at, changed)
			inserted := append(append(bytes.Clone(file[:at]), c), file[at:]...)
			check(fmt.Sprintf("insertion of %q", c), at, inserted)
		}
	}
}

func TestObservations_Salvage(t *testing.T) {
	tests := []struct {
		name, file, want string
	}{
		{"empty", "", ""},
		{"bom-crlf", "\xef\xbb\xbf{\"id\":1,\"summary\":\"a\"}\r\n\r\n{\"id\":2,\"summary\":\"b\"}", "1@3+22 2@29+22"},
		{"no-newline", `{"id":1,"summary":"a"}{"id":2,"summary":"b"}` + "\n", "1@0+22 2@22+22"},
		{"garbage", `{"id":1,"summary":"a"}` + "\x00\x00:{{" + `{"id":2,"summary":"b"}` + "\n", "1@0+22 2@27+22"},
		{"torn-then-whole", `{"id":1,"summ{"id":2,"summary":"b"}`, "2@13+22"},
		{"stray-newline", "{\"id\":1,\"sum\nmary\":\"a\"}\n{\"id\":2,\"summary\":\"b\"}\n", "1@0+23 2@24+22"},
		{"nested", `{"id":0,"was":{"id":1,"summary":"a"}}`, ""},
		{"nested-list", `{"id":0,"was":[{"id":1,"summary":"a"}, {"id":2,"summary":"a"}]}`, ""},
		{"other-lines", "hello\n{}\n[1]\n{\"id\":2,\"summary\":\"b\"}\n", "2@13+22"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for s, o := range activity.Observations([]byte(tt.file)) {
				got = append(got, fmt.Sprintf("%d@%d+%d", o.ID, s.Offset, s.Length))
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got %q, want %q", strings.Join(got, " "), tt.want)
			}
		})
	}
}

// A hostile line is read a bounded number of times.
func TestObservations_HostileLine(t *testing.T) {
	for _, unit := range []string{"{", `{"`, `{"a":`, `{"":"{"`, `"{",`, `{"a":1}`, "[", "\n{"} {
		start := time.Now()
		for range activity.Observations(bytes.Repeat([]byte(unit), 1<<20/len(unit))) {
			t.Errorf("%q: found a record", unit)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%q: took %v", unit, d)
		}
	}
}

func FuzzParseEvent(f *testing.F) {
	f.Add([]byte(`{"session":"s","agent":"a","kind":"stop","label":"x","data":{"bytes":1,"plan":["p"],"k":[1]},"seq":1,"ts":"2026-06-04T12:00:00.000Z"}`))
	f.Add([]byte(`{"seq":1e2,"session":"\ud800","kind":"k"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := activity.ParseEvent(line)
		if err != nil {
			return
		}
		written := activity.AppendEvent(nil, e)
		valid(t, written)
		again, err := activity.ParseEvent(written)
		if err != nil {
			t.Fatalf("%s: %v", written, err)
		}
		if twice := activity.AppendEvent(nil, again); !bytes.Equal(twice, written) {
			t.Errorf("got %s\nwant %s", twice, written)
		}
	})
}

func FuzzParseObservation(f *testing.F) {
	f.Add([]byte(`{"id":1,"session":"s","ts":"2026-06-04T12:00:00.000Z","kind":"edit","summary":"a","detail":"b","files":["f"],"tags":[],"events":[1,2],"vector":[0.1],"k":{"a":1}}`))
	f.Add([]byte(`{"summary":"\u2028","id":9007199254740992}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		o, err := activity.ParseObservation(line)
		if err != nil {
			return
		}
		written := activity.AppendObservation(nil, o)
		valid(t, written)
		again, err := activity.ParseObservation(written)
		if err != nil {
			t.Fatalf("%s: %v", written, err)
		}
		if twice := activity.AppendObservation(nil, again); !bytes.Equal(twice, written) {
			t.Errorf("got %s\nwant %s", twice, written)
		}
	})
}

func FuzzObservations(f *testing.F) {
	file, _ := observationFile()
	f.Add(file)
	f.Add([]byte(`{"id":1,"summary":"a"}x{"id":2,"summary":"b"}` + "\n{\n}"))
	f.Fuzz(func(t *testing.T, file []byte) {
		end := 0
		for s, o := range activity.Observations(file) {
			if s.Offset < end || s.Length < 1 || s.Offset+s.Length > len(file) {
				t.Fatalf("span %+v after %d of %d", s, end, len(file))
			}
			end = s.Offset + s.Length
			if at := bytes.ReplaceAll(file[s.Offset:end], []byte("\n"), nil); !json.Valid(at) && !bytes.Contains(at, []byte("\r")) {
				t.Errorf("%q is no record, yet gave %+v", at, o)
			}
		}
		for range activity.Events(file) {
		}
	})
}

func valid(t *testing.T, line []byte) {
	t.Helper()
	if !json.Valid(line) || !utf8.Valid(line) || bytes.ContainsAny(line, "\r\n\u2028\u2029") {
		t.Errorf("not one line of JSON in UTF-8: %q", line)
	}
}
