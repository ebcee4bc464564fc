package hook_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/server/internal/hook"
)

var update = flag.Bool("update", false, "rewrite testdata/*.want")

var noon = time.Date(2026, 6, 4, 12, 0, 0, 123_456_789, time.FixedZone("", 2*3600))

// TestGolden holds what each event comes to: testdata/x.json, as the host sends it, becomes testdata/x.want.
func TestGolden(t *testing.T) {
	inputs, err := filepath.Glob("testdata/*.json")
	if err != nil || len(inputs) == 0 {
		t.Fatal("no inputs: ", err)
	}
	seen := map[string]bool{}
	for _, name := range inputs {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".json"), func(t *testing.T) {
			in, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			p, err := hook.Decode(in, "")
			if err != nil {
				t.Fatal(err)
			}
			seen[p.Event] = true
			got := printed(hook.Handle(p, hook.Session(p.SessionID, nil), noon))
			golden := strings.TrimSuffix(name, ".json") + ".want"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
	for _, name := range hook.Names() {
		if !seen[name] {
			t.Errorf("no testdata for %s", name)
		}
	}
}

// printed shows a result: what it asks for, then a line an event with what is not empty below it.
func printed(r hook.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "fold=%t final=%t context=%t compacted=%t\n", r.Fold, r.Final, r.Context, r.Compacted)
	for _, e := range r.Events {
		fmt.Fprintf(&b, "%s %s %s %s %q\n", e.Time.Format(time.RFC3339Nano), e.Session, e.Agent, e.Kind, e.Label)
		printData(&b, e.Data)
	}
	return b.String()
}

func printData(b *strings.Builder, d activity.Data) {
	show := func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "\t%s %s\n", name, value)
		}
	}
	quoted := func(name, value string) {
		if value != "" {
			show(name, fmt.Sprintf("%q", value))
		}
	}
	list := func(name string, values []string) {
		if len(values) > 0 {
			show(name, fmt.Sprintf("%q", values))
		}
	}
	if d.Bytes != 0 {
		show("bytes", fmt.Sprint(d.Bytes))
	}
	show("source", d.Source)
	quoted("prompt", d.Prompt)
	quoted("outcome", d.Outcome)
	list("files", d.Files)
	if d.Failed {
		show("failed", "true")
	}
	quoted("error", d.Error)
	list("plan", d.Plan)
}
