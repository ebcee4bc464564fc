package tools

import (
	"context"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
	"github.com/slipstream-mcp/slipstream/memstore/vault"
)

const listThoughtsDoc = "Use to go through the thoughts kept for life, page by page."

type listThoughtsArgs struct {
	Limit  int         `json:"limit,omitempty" jsonschema:"minimum=0,maximum=500,default=50" jsonschema_description:"0 to 500, default 50"`
	Offset int         `json:"offset,omitempty" jsonschema:"minimum=0,default=0" jsonschema_description:"default 0"`
	Filter *listFilter `json:"filter,omitempty" jsonschema_description:"as of search_thoughts"`
	Sort   string      `json:"sort,omitempty" jsonschema:"enum=created_at_desc,enum=created_at_asc,enum=updated_at_desc,default=created_at_desc" jsonschema_description:"default created_at_desc"`

	Source string  `json:"source,omitempty" hidden:"true"`
	Type   string  `json:"type,omitempty" hidden:"true"`
	Topic  string  `json:"topic,omitempty" hidden:"true"`
	Person string  `json:"person,omitempty" hidden:"true"`
	Days   float64 `json:"days,omitempty" hidden:"true" jsonschema:"minimum=0"`
}

func listThoughts(d Deps) mcpproto.Tool {
	return schema.ResultTool("list_thoughts", listThoughtsDoc, func(ctx context.Context, _ *mcpproto.Call, in listThoughtsArgs) (mcpproto.Result, error) {
		filter, err := in.Filter.filter()
		if err != nil {
			return mcpproto.Result{}, err
		}
		f, err := filterOf(filter, openBrain{in.Source, in.Type, in.Topic, in.Person, in.Days}, d.now())
		if err != nil {
			return mcpproto.Result{}, err
		}
		v, err := d.Memories.Vault()
		if err != nil {
			return mcpproto.Result{}, err
		}
		list, total, err := v.List(ctx, f, vault.Sort(in.Sort), in.Limit, in.Offset)
		if err != nil {
			return mcpproto.Result{}, err
		}
		const room = maxAnswer - 200
		shown := fitThoughts(list, nil, room)
		var o object
		o.put("results", append([]any{}, anyOf(shown)...))
		o.put("total_count", total)
		if len(shown) < len(list) {
			o.put("next_offset", in.Offset+len(shown))
		}
		return o.result(), nil
	})
}
