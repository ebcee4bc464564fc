package tools

import (
	"context"
	"fmt"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
)

const spSearchMemoryDoc = "Use to find past work first: what was done, asked, decided or went wrong in earlier sessions, one line a hit. Then sp_timeline around an id, sp_observations for bodies."

type spSearchMemoryArgs struct {
	Query   string `json:"query" needs:"a query" jsonschema_description:"words, an identifier or a question"`
	Kind    string `json:"kind,omitempty" jsonschema:"enum=edit,enum=read,enum=command,enum=search,enum=prompt,enum=note" jsonschema_description:"one kind only"`
	Session string `json:"session,omitempty" jsonschema_description:"one session only"`
	Since   string `json:"since,omitempty" jsonschema_description:"ISO date or time"`
	Limit   int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=100,default=10" jsonschema_description:"most hits, 1 to 100, default 10"`
	Root    string `json:"root,omitempty" jsonschema_description:"another project folder"`
}

func spSearchMemory(d Deps) mcpproto.Tool {
	return schema.Tool("sp_search_memory", spSearchMemoryDoc, func(ctx context.Context, in spSearchMemoryArgs) (string, error) {
		q := hybrid.Query{Text: in.Query, Kind: in.Kind, Session: in.Session, Limit: in.Limit}
		if in.Since != "" {
			var err error
			if q.Since, err = ParseTime("since", in.Since); err != nil {
				return "", err
			}
		}
		j, err := d.Memories.Journal(in.Root)
		if err != nil {
			return "", err
		}
		hits, err := j.Search(ctx, q)
		if err != nil {
			return "", err
		}
		if len(hits) == 0 {
			return "no matching observations", nil
		}
		rows := make([]string, len(hits))
		for i, h := range hits {
			rows[i] = row(fmt.Sprintf("%s (score %s) ", rowHead(h.Observation), score(h.Score)), h.Summary, restated(h.Others))
		}
		return fitRows(rows, d.maxResultTokens(in.Root), "a smaller limit or a narrower query"), nil
	})
}
