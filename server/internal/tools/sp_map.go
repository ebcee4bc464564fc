package tools

import (
	"context"

	"github.com/slipstream-mcp/slipstream/mapper"
	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
)

const spMapDoc = "Use first in a project: a compact map of its folders, files with their purpose, and exported symbols. root may name a folder or one file to see more of it."

type spMapArgs struct {
	Root string `json:"root,omitempty" jsonschema_description:"another project folder"`
}

func spMap(d Deps) mcpproto.Tool {
	return schema.ResultTool("sp_map", spMapDoc, func(ctx context.Context, c *mcpproto.Call, in spMapArgs) (mcpproto.Result, error) {
		p, file, err := d.Projects.OpenFile(in.Root)
		if err != nil {
			return mcpproto.Result{}, err
		}
		defer p.Close()
		m, err := p.Map(ctx, progress(c))
		if err != nil {
			return mcpproto.Result{}, err
		}
		readsProject(ctx, "", 0, 0, 0)
		return mcpproto.Text(m.Outline(mapper.OutlineOptions{
			MaxTokens: d.maxResultTokens(in.Root),
			Dir:       file,
			RootArg:   p.Given(),
		})), nil
	})
}

// progress reports a scan to a client that asked for it.
func progress(c *mcpproto.Call) func(done, total int) {
	return func(done, total int) { c.Progress(float64(done), float64(total), "reading files") }
}
