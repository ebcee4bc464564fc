package transcript_test

import (
	"fmt"
	"strings"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/server/internal/transcript"
)

func Example() {
	const file = `{"type":"user","sessionId":"7c1e","message":{"content":"Fix the export"}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Edit","input":{"file_path":"src/export.ts"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"updated"}]}}
{"type":"assistant","message":{"content":[{"type":"text","text":"It streams now."}]}}`
	var r transcript.Reader
	var events []activity.Event
	for line := range strings.Lines(file) {
		events = append(events, r.Line([]byte(line))...)
	}
	events = append(events, r.End()...)
	for _, e := range events {
		fmt.Printf("%s: %s %q %q\n", e.Kind, e.Label, e.Data.Files, e.Data.Outcome)
	}
	// Output:
	// user-prompt: Fix the export [] ""
	// post-tool: Edit src/export.ts ["src/export.ts"] ""
	// stop: turn ended [] "It streams now."
}
