package activity_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
)

// What older programs wrote is read: vectors dropped, unknown keys kept.
func TestObservations_Old(t *testing.T) {
	file, err := os.ReadFile("testdata/old-observations.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var written []string
	for _, o := range activity.Observations(file) {
		written = append(written, string(activity.AppendObservation(nil, o)))
	}
	want := []string{
		`{"id":1,"session":"s-1","ts":"2026-03-02T09:15:04.120Z","kind":"edit","summary":"Fix the stripe webhook — Edit×2, Bash (1 file)",` +
			`"detail":"Request: Fix the stripe webhook\nTools: Edit×2, Bash\nFiles:\n  - /Users/sam/code/shop/src/payments/webhookHandler.ts",` +
			`"files":["/Users/sam/code/shop/src/payments/webhookHandler.ts"],"tags":["edit","users","sam","edit","bash"]}`,
		`{"id":2,"session":"s-1","ts":"2026-03-02T09:20:00.000Z","kind":"read","summary":"read: Read (1 file)","detail":"Tools: Read","files":[],` +
			`"tags":["read"],"skill":{"name":"review","used":[1,2]}}`,
		`{"id":3,"session":"","ts":"0001-01-01T00:00:00.000Z","kind":"note","summary":"only what is needed","detail":"","files":[],"tags":[]}`,
	}
	if !reflect.DeepEqual(written, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(written, "\n"), strings.Join(want, "\n"))
	}
}

// An old log gives one turn: neither a compaction nor a fact in it misleads.
func TestFold_Old(t *testing.T) {
	file, err := os.ReadFile("testdata/old-events.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var events []activity.Event
	for _, e := range activity.Events(file) {
		events = append(events, e)
	}
	if len(events) != 8 || string(events[3].Data.Other["cost"]) != "0.5" {
		t.Fatalf("got %d events %+v", len(events), events)
	}
	found, next := activity.Fold(events, -1, activity.FoldOptions{Root: "/Users/sam/code/shop", Home: "/Users/sam"})
	want := []activity.Observation{{
		Session: "s-1",
		Time:    events[7].Time,
		Kind:    activity.Edit,
		Summary: "Fix the stripe webhook — edited src/payments/webhookHandler.ts; noted the file src/a.ts holds the key",
		Detail:  "Request: Fix the stripe webhook\nTools: Edit, sp_remember",
		Files:   []string{"src/payments/webhookHandler.ts"},
		Tags:    []string{"edit", "payments", "webhook", "handler", "remember"},
		First:   1, Last: 7,
	}}
	if !reflect.DeepEqual(found, want) || next != 7 {
		t.Errorf("got %+v to %d\nwant %+v to 7", found, next, want)
	}
}

// Run with go test -bench Observations. On a machine of 2 shared cores:
// 6.0 µs a record with a vector of 256 numbers, 3.1 µs without.
func BenchmarkObservations(b *testing.B) {
	old, err := os.ReadFile("testdata/old-observations.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	var file []byte
	for _, o := range history(10_000) {
		file = append(activity.AppendObservation(file, o), '\n')
	}
	for _, f := range []struct {
		name string
		file []byte
	}{{"vectors", old}, {"plain", file}} {
		b.Run(f.name, func(b *testing.B) {
			b.SetBytes(int64(len(f.file)))
			n := 0
			for b.Loop() {
				for range activity.Observations(f.file) {
					n++
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/record")
		})
	}
}
