package hook

import (
	"strings"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
)

// stop comes when the assistant has ended its turn. Whether a hook has made it go on is nothing to us: we never do.
func stop(p Payload) Result {
	r := one(TurnEnded(p.LastMessage))
	r.Fold = true
	return r
}

// TurnEnded is the event of the end of a turn, with at most 8 KiB of the assistant's last words; its session, agent and time
// are the caller's.
func TurnEnded(outcome string) activity.Event {
	return activity.Event{
		Kind:  activity.Stopped,
		Label: "turn ended",
		Data:  activity.Data{Outcome: cut(strings.TrimSpace(outcome), maxOutcome)},
	}
}
