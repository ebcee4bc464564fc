package hook

import "github.com/slipstream-mcp/slipstream/memstore/activity"

// sessionStart comes when a session begins, is resumed, is cleared or has been compacted; it alone can give the model a text
// before its first request.
func sessionStart(p Payload) Result {
	label := "session"
	if p.Source != "" {
		label += " (" + p.Source + ")"
	}
	r := one(activity.Event{Kind: activity.SessionStarted, Label: line(label+" "+p.Model, maxLabel)})
	r.Context = p.Source != "resume" // what was told at its start stands in it still
	r.Compacted = p.Source == "compact"
	return r
}
