package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/slipstream-mcp/slipstream/mapper"
	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
)

const spSearchDoc = "Use to find where something is: ranked files with the matching symbols and their lines, by words of path, symbols, purpose and identifiers. Returns locations, never contents; read them with sp_symbol or sp_lines."

type spSearchArgs struct {
	Query string `json:"query" needs:"a query" jsonschema_description:"words, a symbol or a question"`
	Limit int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50,default=8" jsonschema_description:"most files, 1 to 50, default 8"`
	Root  string `json:"root,omitempty" jsonschema_description:"another project folder"`
}

func spSearch(d Deps) mcpproto.Tool {
	return schema.ResultTool("sp_search", spSearchDoc, func(ctx context.Context, c *mcpproto.Call, in spSearchArgs) (mcpproto.Result, error) {
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
		hits := m.Search(in.Query, in.Limit)
		if len(hits) == 0 {
			return mcpproto.Text("no matches for " + echo(in.Query)), nil
		}
		rows := make([]string, len(hits))
		for i, h := range hits {
			rows[i] = searchRow(h)
		}
		return mcpproto.Text(fitRows(rows, d.maxResultTokens(in.Root), "a narrower query")), nil
	})
}

// searchRow is one hit: src/a.ts (score 6.5): purpose [greet:14, Greeting:3] [uses: x]
func searchRow(h mapper.Hit) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (score %.1f)", plain(h.Path), h.Score)
	if h.Purpose != "" {
		b.WriteString(": " + plain(h.Purpose))
	}
	list := func(items []string, prefix string) {
		if len(items) > 0 {
			b.WriteString(" [" + prefix + plain(strings.Join(items, ", ")) + "]")
		}
	}
	symbols := make([]string, len(h.Symbols))
	for i, s := range h.Symbols {
		symbols[i] = fmt.Sprintf("%s:%d", s.Name, s.Line)
	}
	list(symbols, "")
	list(h.Uses, "uses: ")
	return b.String()
}
