package tools

import (
	"context"
	"fmt"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
	"github.com/slipstream-mcp/slipstream/memstore/thought"
	"github.com/slipstream-mcp/slipstream/memstore/vault"
)

const searchThoughtsDoc = "Use to find thoughts kept for life, beyond one project, by words and meaning."

type searchThoughtsArgs struct {
	Query  string         `json:"query" needs:"a query" jsonschema_description:"words, a name or a question"`
	K      int            `json:"k,omitempty" jsonschema:"minimum=1,maximum=100,default=10" alias:"limit,match_count" jsonschema_description:"1 to 100, default 10"`
	Filter *thoughtFilter `json:"filter,omitempty" jsonschema_description:"only thoughts that match"`

	Threshold float64 `json:"threshold,omitempty" hidden:"true" alias:"match_threshold"` // of vectors that are not these
	Source    string  `json:"source,omitempty" hidden:"true"`
	Type      string  `json:"type,omitempty" hidden:"true"`
	Topic     string  `json:"topic,omitempty" hidden:"true"`
	Person    string  `json:"person,omitempty" hidden:"true"`
	Days      float64 `json:"days,omitempty" hidden:"true" jsonschema:"minimum=0"`
}

func searchThoughts(d Deps) mcpproto.Tool {
	return schema.ResultTool("search_thoughts", searchThoughtsDoc, func(ctx context.Context, _ *mcpproto.Call, in searchThoughtsArgs) (mcpproto.Result, error) {
		f, err := filterOf(in.Filter, openBrain{in.Source, in.Type, in.Topic, in.Person, in.Days}, d.now())
		if err != nil {
			return mcpproto.Result{}, err
		}
		v, err := d.Memories.Vault()
		if err != nil {
			return mcpproto.Result{}, err
		}
		found, err := v.Search(ctx, in.Query, in.K, f)
		if err != nil {
			return mcpproto.Result{}, err
		}
		thoughts := make([]thought.Thought, len(found.Hits))
		for i, h := range found.Hits {
			thoughts[i] = h.Thought
		}
		similarity := func(i int) string {
			if found.Mode == vault.ByWords {
				return `,"similarity":null` // there is none without a vector
			}
			return fmt.Sprintf(`,"similarity":%.4f`, found.Hits[i].Similarity)
		}
		const room = maxAnswer - 200 // for what stands beside the results
		shown := fitThoughts(thoughts, similarity, room)
		var o object
		o.put("results", append([]any{}, anyOf(shown)...))
		o.put("total_found", found.Total)
		o.put("mode", found.Mode)
		if left := len(thoughts) - len(shown); left > 0 {
			o.put("left_out", left)
		}
		return o.result(), nil
	})
}

func anyOf[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}
