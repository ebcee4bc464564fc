package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
)

const spObservationsDoc = "Use to read past observations in full, by the ids sp_search_memory or sp_timeline gave; the only call that returns their bodies."

type spObservationsArgs struct {
	IDs  []int64 `json:"ids" needs:"ids" jsonschema:"minItems=1,maxItems=50" jsonschema_description:"ids, 1 to 50"`
	Root string  `json:"root,omitempty" jsonschema_description:"another project folder"`
}

func spObservations(d Deps) mcpproto.Tool {
	return schema.Tool("sp_observations", spObservationsDoc, func(ctx context.Context, in spObservationsArgs) (string, error) {
		j, err := d.Memories.Journal(in.Root)
		if err != nil {
			return "", err
		}
		found, err := j.Get(ctx, in.IDs...)
		if err != nil {
			return "", err
		}
		if len(found) == 0 {
			return "no observations for those ids", nil
		}
		const apart = "\n\n---\n\n"
		texts, all := make([]string, len(found)), 0
		for i, o := range found {
			texts[i] = record(o)
			all += width(texts[i]) + len(apart)
		}
		if all > maxAnswer { // a huge one must not hide the others
			for i, text := range texts {
				texts[i] = clip(text, maxAnswer/min(len(texts), 2)-1000)
			}
		}
		var b strings.Builder
		size := 0
		for i := range found {
			text := texts[i]
			if i > 0 {
				text = apart + text
			}
			// Room for the last line is kept: it names at most the other 49.
			if n := width(text); i == 0 || size+n <= maxAnswer-1000 {
				size += n
				b.WriteString(text)
				continue
			}
			var left []string
			for _, o := range found[i:] {
				left = append(left, fmt.Sprint(o.ID))
			}
			fmt.Fprintf(&b, "\n\nleft out: sp_observations [%s]", strings.Join(left, ", "))
			break
		}
		return b.String(), nil
	})
}
