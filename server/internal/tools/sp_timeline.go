package tools

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/slipstream-mcp/slipstream/budget"
	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
	"github.com/slipstream-mcp/slipstream/server/internal/memory"
)

const spTimelineDoc = "Use to see what came before and after a past observation, one line each, by its id or by a query whose best hit is taken."

type spTimelineArgs struct {
	Around  string `json:"around" needs:"an id or query in 'around'" jsonschema_description:"an id, or a query"`
	Window  int    `json:"window,omitempty" jsonschema:"minimum=1,maximum=50,default=3" jsonschema_description:"neighbours a side, 1 to 50, default 3"`
	Session string `json:"session,omitempty" jsonschema_description:"one session only"`
	Root    string `json:"root,omitempty" jsonschema_description:"another project folder"`
}

func spTimeline(d Deps) mcpproto.Tool {
	return schema.Tool("sp_timeline", spTimelineDoc, func(ctx context.Context, in spTimelineArgs) (string, error) {
		j, err := d.Memories.Journal(in.Root)
		if err != nil {
			return "", err
		}
		id, around, err := anchor(ctx, j, in)
		if err != nil {
			return "", err
		}
		if len(around) == 0 {
			return "no timeline context", nil
		}
		return renderTimeline(around, id, d.maxResultTokens(in.Root)), nil
	})
}

// anchor finds the observation a timeline is around, and its neighbours. Digits that are no number of an observation are
// words like any other.
func anchor(ctx context.Context, j *memory.Journal, in spTimelineArgs) (id int64, around []activity.Observation, err error) {
	digits := strings.TrimPrefix(strings.TrimSpace(in.Around), "#")
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil && n > 0 {
		found, err := j.Get(ctx, n)
		if err != nil {
			return 0, nil, err
		}
		if len(found) > 0 {
			around, err = j.Around(ctx, n, in.Window, in.Session)
			return n, around, err
		}
	}
	hits, err := j.Search(ctx, hybrid.Query{Text: in.Around, Session: in.Session, Limit: 1})
	if err != nil || len(hits) == 0 {
		return 0, nil, err
	}
	around, err = j.Around(ctx, hits[0].ID, in.Window, in.Session)
	return hits[0].ID, around, err
}

// renderTimeline prints observations in a line each, the anchor marked. What max tokens do not hold is left out at the
// ends, the farther one first.
func renderTimeline(around []activity.Observation, id int64, max int) string {
	rows := make([]string, len(around))
	at := 0
	for i, o := range around {
		mark := "  "
		if o.ID == id {
			mark, at = "> ", i
		}
		rows[i] = row(mark+rowHead(o)+" ", o.Summary, "")
	}
	low, high := 0, len(rows)
	for {
		text := strings.Join(rows[low:high], "\n")
		if left := len(rows) - (high - low); left > 0 {
			text += fmt.Sprintf("\nleft out: %d of %d rows; a smaller window, or one around another id, shows them", left, len(rows))
		}
		if budget.Tokens(text) <= max || high-low == 1 {
			return text
		}
		if at-low > high-1-at {
			low++
		} else {
			high--
		}
	}
}
