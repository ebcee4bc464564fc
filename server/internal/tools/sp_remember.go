package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
	"github.com/slipstream-mcp/slipstream/memstore"
)

const spRememberDoc = "Use to keep a lasting fact about the project: a decision, a convention, a gotcha, where something is. Not for what the code itself says. The same description updates the fact. Secrets are masked."

type spRememberArgs struct {
	Fact        string   `json:"fact" needs:"a fact" jsonschema_description:"the fact, in full sentences"`
	Description string   `json:"description,omitempty" jsonschema_description:"one line to find it by"`
	Type        string   `json:"type,omitempty" jsonschema:"enum=decision,enum=convention,enum=architecture,enum=gotcha,enum=credential-location,enum=todo,enum=fact,default=decision" jsonschema_description:"default decision"`
	Tags        []string `json:"tags,omitempty" jsonschema_description:"words to find it by"`
	Root        string   `json:"root,omitempty" jsonschema_description:"another project folder"`
}

func spRemember(d Deps) mcpproto.Tool {
	t := schema.Tool("sp_remember", spRememberDoc, func(ctx context.Context, in spRememberArgs) (string, error) {
		m, err := d.Memories.Open(in.Root)
		if err != nil {
			return "", err
		}
		if err := m.CheckRules(); err != nil {
			return "", err
		}
		kept, err := m.Remember(ctx, memstore.Fact{
			Body: in.Fact, Description: in.Description, Type: memstore.FactType(in.Type), Tags: in.Tags,
		})
		if err != nil {
			return "", err
		}
		answer := fmt.Sprintf("remembered %q (%s)", kept.Fact.Name, kept.Fact.Type)
		rows := []string{answer}
		for _, f := range kept.Close {
			rows = append(rows, fmt.Sprintf("close to %q (%s): %s; if that no longer holds: sp_forget %s",
				f.Name, f.Type, clip(plain(f.Description), maxClose), f.Name))
		}
		return strings.Join(rows, "\n"), nil
	})
	t.Annotations.ReadOnly = false
	return t
}

// maxClose bounds the description of an older fact that sp_remember names, in characters.
const maxClose = 200
