package tools

import (
	"context"
	"math"

	"github.com/slipstream-mcp/slipstream/budget"
	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
	"github.com/slipstream-mcp/slipstream/server/internal/settings"
)

const spBudgetDoc = "Use before reading much, or in a long session, to learn whether the context window has room (ok), fills up (warn) or should be compacted."

type spBudgetArgs struct {
	BytesRead    int    `json:"bytesRead,omitempty" jsonschema:"minimum=0,default=0" jsonschema_description:"bytes read so far, 0 or more, default 0"`
	WindowTokens int    `json:"windowTokens,omitempty" jsonschema:"minimum=1" jsonschema_description:"window for this call, 1 or more"`
	Root         string `json:"root,omitempty" hidden:"true"`
}

func spBudget(d Deps) mcpproto.Tool {
	return schema.Tool("sp_budget", spBudgetDoc, func(_ context.Context, in spBudgetArgs) (string, error) {
		at, err := d.Memories.Locate(in.Root)
		if err != nil {
			return "", err
		}
		b, err := settings.LoadBudget(at)
		use := budget.Use{Limits: b.Limits}
		if in.WindowTokens > 0 {
			use.TargetTokens = in.WindowTokens
		}
		source := ""
		switch {
		case in.BytesRead > 0:
			use.Tokens, source = int(math.Floor(float64(in.BytesRead)/budget.BytesPerToken+0.5)), "by the bytes given"
		case b.Actual != nil:
			use.Tokens, source = *b.Actual, "as the client reports"
		default:
			use.Tokens = d.Ledger.Served()
			source = "by what this session's tools served, which is not all there is"
		}
		text := use.String() + "\n" + advice(use.Level()) + " (counted " + source + ")"
		if err != nil {
			text += "\nnote: " + err.Error() + "; the defaults stand"
		}
		return text, nil
	})
}

// advice is what to do at a level.
func advice(l budget.Level) string {
	switch l {
	case budget.Compact:
		return "The window is nearly full: sum up the work now, keep what must last with sp_remember, then compact."
	case budget.Warn:
		return "The window fills up: read by sp_symbol and sp_lines only, and keep decisions with sp_remember."
	default:
		return "There is room: go on reading in small pieces."
	}
}
