package hook

import "github.com/slipstream-mcp/slipstream/memstore/activity"

// preTool comes before a tool runs, if it ever does.
func preTool(p Payload) Result { return one(Tool(activity.ToolStarting, p.Tool, p.Input)) }
