package tools

import (
	"context"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
)

const spForgetDoc = "Use to delete a saved fact that is wrong or no longer holds, by the name sp_recall or sp_remember gave."

type spForgetArgs struct {
	Name string `json:"name" needs:"a name" jsonschema_description:"the fact's name"`
	Root string `json:"root,omitempty" jsonschema_description:"another project folder"`
}

func spForget(d Deps) mcpproto.Tool {
	t := schema.Tool("sp_forget", spForgetDoc, func(ctx context.Context, in spForgetArgs) (string, error) {
		m, err := d.Memories.Open(in.Root)
		if err != nil {
			return "", err
		}
		found, err := m.Forget(ctx, in.Name)
		if err != nil {
			return "", err
		}
		if !found {
			return "no memory named " + echo(in.Name), nil
		}
		return "forgot " + echo(in.Name), nil
	})
	t.Annotations.ReadOnly = false
	t.Annotations.Destructive = true
	return t
}
