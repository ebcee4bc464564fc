package tools

import (
	"context"

	"github.com/slipstream-mcp/slipstream/budget"
	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
	"github.com/slipstream-mcp/slipstream/mermaid"
	"github.com/slipstream-mcp/slipstream/server/internal/project"
)

const spMindmapDoc = "Use to show a person the project as a picture: a Mermaid mind map of its folders and files, the most used ones when not all fit."

type spMindmapArgs struct {
	Root string `json:"root,omitempty" jsonschema_description:"another project folder"`
}

func spMindmap(d Deps) mcpproto.Tool {
	return schema.ResultTool("sp_mindmap", spMindmapDoc, func(ctx context.Context, c *mcpproto.Call, in spMindmapArgs) (mcpproto.Result, error) {
		p, err := d.Projects.Open(in.Root)
		if err != nil {
			return mcpproto.Result{}, err
		}
		defer p.Close()
		m, err := p.Map(ctx, progress(c))
		if err != nil {
			return mcpproto.Result{}, err
		}
		readsProject(ctx, "", 0, 0, 0)
		return mcpproto.Text(mermaid.Fence(mermaid.Mindmap(project.Tree(m, p.Dir()), mermaid.MindmapOptions{
			MaxTokens: d.maxResultTokens(in.Root),
			Tokens:    func(s string) int { return budget.Tokens(mermaid.Fence(s)) },
		}))), nil
	})
}
