package hook_test

import (
	"fmt"
	"os"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/server/internal/hook"
)

func Example() {
	stdin := []byte(`{"session_id":"7c1e","hook_event_name":"SessionStart","source":"startup"}`)
	p, err := hook.Decode(stdin, "session-start")
	if err != nil {
		fmt.Println(err)
		return
	}
	r := hook.Handle(p, hook.Session(p.SessionID, os.Getenv), time.Date(2026, 6, 4, 10, 2, 0, 0, time.UTC))
	for _, e := range r.Events {
		fmt.Println(e.Session, e.Kind, e.Label)
	}
	if r.Context {
		signal := hook.Signal{Last: []activity.Observation{{ID: 12, Kind: activity.Edit, Time: r.Events[0].Time, Summary: "Fix the export"}}}
		os.Stdout.Write(hook.Render(hook.Context(signal, hook.ContextOptions{Budget: 1200})))
	}
	// Output:
	// 7c1e session-start session (startup)
	// {"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"<slipstream-context>\nslipstream: what this project remembers (about 80 tokens; sp_recall and sp_search_memory find the rest).\n\n## Worked on last, in earlier sessions\n- #12 [edit] 2026-06-04 10:02 Fix the export\n</slipstream-context>"}}
}
