package hook

import "github.com/slipstream-mcp/slipstream/memstore/activity"

// preCompact comes before a session is summarised; nothing can be said to the model here, so that what it should know again
// comes with the SessionStart that follows.
func preCompact(p Payload) Result { return one(Compaction(p.Trigger, p.Instructions)) }

// Compaction is the event of a compaction that the trigger, "manual" or "auto", brought about, with what the person asked of
// it; its session, agent and time are the caller's.
func Compaction(trigger, instructions string) activity.Event {
	label := "compaction"
	if trigger != "" {
		label += " (" + trigger + ")"
	}
	if instructions != "" {
		label += ": " + instructions
	}
	return activity.Event{Kind: activity.Compacted, Label: line(label, maxLabel)}
}
