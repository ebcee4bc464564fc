package hook

import "github.com/slipstream-mcp/slipstream/memstore/activity"

func subagentStart(p Payload) Result {
	return one(activity.Event{Kind: activity.SubagentStarted, Label: line("subagent "+p.AgentType, maxLabel)})
}

// subagentStop comes also of a compaction, whose agent is of no type: that is nobody's work.
func subagentStop(p Payload) Result {
	if p.AgentType == "" {
		return Result{}
	}
	return one(activity.Event{
		Kind:  activity.SubagentStopped,
		Label: line("subagent "+p.AgentType, maxLabel),
		Data:  activity.Data{Outcome: cut(p.LastMessage, maxReport)},
	})
}
