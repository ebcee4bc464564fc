package tools

import (
	"context"
	"time"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
	"github.com/slipstream-mcp/slipstream/memstore/thought"
)

const thoughtStatsDoc = "Use to learn how many thoughts there are, of what kinds, and where they are kept."

func thoughtStats(d Deps) mcpproto.Tool {
	return schema.ResultTool("thought_stats", thoughtStatsDoc, func(ctx context.Context, _ *mcpproto.Call, _ struct{}) (mcpproto.Result, error) {
		v, err := d.Memories.Vault()
		if err != nil {
			return mcpproto.Result{}, err
		}
		s, err := v.Stats(ctx)
		if err != nil {
			return mcpproto.Result{}, err
		}
		moment := func(t time.Time) any {
			if t.IsZero() {
				return nil
			}
			return thought.FormatTime(t)
		}
		var o object
		o.put("total_count", s.Total)
		o.put("by_prefix", s.ByPrefix)
		o.put("by_portability", s.ByPortability)
		o.put("by_source", s.BySource)
		o.put("by_vault", s.ByVault)
		o.put("by_embedding_status", s.ByStatus)
		o.put("oldest", moment(s.Oldest))
		o.put("newest", moment(s.Newest))
		o.put("index_size_bytes", s.IndexBytes)
		o.put("vault_paths", []string{v.Dir()})
		return o.result(), nil
	})
}
