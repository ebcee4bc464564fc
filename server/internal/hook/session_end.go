package hook

import "github.com/slipstream-mcp/slipstream/memstore/activity"

// sessionEnd comes last; the host gives it a second and a half.
func sessionEnd(p Payload) Result {
	label := "session ended"
	if p.Reason != "" {
		label += " (" + p.Reason + ")"
	}
	r := one(activity.Event{Kind: activity.Stopped, Label: line(label, maxLabel)})
	r.Final = true
	return r
}
