package hook

import "github.com/slipstream-mcp/slipstream/memstore/activity"

// postTool comes after a tool that did what it was asked; of its answer only the size is kept.
func postTool(p Payload) Result {
	e := Tool(activity.ToolUsed, p.Tool, p.Input)
	e.Data.Bytes = Size(p.Response)
	return one(e)
}

// postToolFailure comes instead of postTool when the tool failed or was stopped.
func postToolFailure(p Payload) Result {
	e := Tool(activity.ToolUsed, p.Tool, p.Input)
	e.Data.Failed = true
	if e.Data.Error = ErrorText(p.Error); e.Data.Error == "" && p.Interrupted {
		e.Data.Error = "interrupted"
	}
	return one(e)
}

// ErrorText is what is kept of a failure: how its text begins, at most 500 UTF-16 units.
func ErrorText(s string) string { return clip(s, maxError) }
