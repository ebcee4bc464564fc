package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/slipstream-mcp/slipstream/budget"
	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
	"github.com/slipstream-mcp/slipstream/memstore"
)

const spRecallDoc = "Use to bring back saved facts of the project (decisions, conventions, gotchas) that match a query, best first, before deciding something or asking the user."

type spRecallArgs struct {
	Query string `json:"query" needs:"a query" jsonschema_description:"words or a question"`
	Limit int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50,default=5" jsonschema_description:"most facts, 1 to 50, default 5"`
	Root  string `json:"root,omitempty" jsonschema_description:"another project folder"`
}

func spRecall(d Deps) mcpproto.Tool {
	return schema.Tool("sp_recall", spRecallDoc, func(ctx context.Context, in spRecallArgs) (string, error) {
		m, err := d.Memories.Open(in.Root)
		if err != nil {
			return "", err
		}
		facts, err := m.Recall(ctx, in.Query, in.Limit)
		if err != nil {
			return "", err
		}
		if len(facts) == 0 {
			return "no matching memories", nil
		}
		return renderFacts(facts, d.maxResultTokens(in.Root)), nil
	})
}

// renderFacts prints facts, best first, as many as fit max tokens. The first is cut when it alone is too long.
func renderFacts(facts []memstore.Fact, max int) string {
	items := make([]string, len(facts))
	for i, f := range facts {
		items[i] = renderFact(f)
		if i > 0 {
			items[i] = "\n\n" + items[i]
		}
	}
	out, picked := budget.FitItems(items, max, func(kept, total int) string {
		return fmt.Sprintf("\n\nleft out: %d of %d facts; a narrower query shows them", total-kept, total)
	})
	if len(picked) > 0 && picked[0] == 0 {
		return out
	}
	out, _ = budget.FitLines(items[0], max, func(kept, total int) string {
		return fmt.Sprintf("left out: the rest of %q, in memory/%s.md, and %d more facts", facts[0].Name, facts[0].Name, len(facts)-1)
	})
	return out
}

// renderFact prints a fact: ## name (type), description, blank line, body.
func renderFact(f memstore.Fact) string {
	return fmt.Sprintf("## %s (%s)\n%s\n\n%s", plain(f.Name), f.Type, plain(strings.Join(strings.Fields(f.Description), " ")), f.Body)
}
