package tools

import (
	"context"
	"fmt"

	"github.com/slipstream-mcp/slipstream/budget"
	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
)

const spSavingsDoc = "Use to report what scoped reads saved in this project against reading whole files."

type spSavingsArgs struct {
	Root string `json:"root,omitempty" jsonschema_description:"another project folder"`
}

func spSavings(d Deps) mcpproto.Tool {
	return schema.Tool("sp_savings", spSavingsDoc, func(ctx context.Context, in spSavingsArgs) (string, error) {
		at, err := d.Memories.Locate(in.Root)
		if err != nil {
			return "", err
		}
		sums, err := d.Ledger.Read(ctx, at)
		text := renderSavings(sums)
		if err != nil {
			text += fmt.Sprintf("\nnote: what was there cannot be read and is set aside as %s.damaged with the next read: %v", "savings.json", err)
		}
		return text, nil
	})
}

// renderSavings prints the documented figure and the strict one.
func renderSavings(l budget.Ledger) string {
	if l.ScopedReads == 0 {
		return "no scoped reads recorded yet; sp_symbol and sp_lines record them"
	}
	reads := "reads"
	if l.ScopedReads == 1 {
		reads = "read"
	}
	served, full := l.Documented()
	return fmt.Sprintf("slipstream optimization: %d scoped %s served ~%d tokens instead of ~%d for the whole files — saved ~%d tokens (%d%% less than whole-file reads).\n",
		l.ScopedReads, reads, served, full, max(0, full-served), saved(served, full)) + strict(l)
}

// strict is the figure that counts each file once a session and every answer in full.
func strict(l budget.Ledger) string {
	const how = "counted strictly, each file once a session and every answer with its header, maps and searches too"
	if l.ServedTokens == 0 {
		return how + ": not recorded for these reads."
	}
	if l.FullTokens >= l.ServedTokens {
		return fmt.Sprintf("%s: ~%d tokens instead of ~%d — saved ~%d (%d%% less).",
			how, l.ServedTokens, l.FullTokens, l.FullTokens-l.ServedTokens, saved(l.ServedTokens, l.FullTokens))
	}
	return fmt.Sprintf("%s: ~%d tokens instead of ~%d — ~%d more than the whole files.",
		how, l.ServedTokens, l.FullTokens, l.ServedTokens-l.FullTokens)
}

// saved is the saved part in percent, rounded half up.
func saved(served, full int64) int64 {
	if full <= 0 || served >= full {
		return 0
	}
	return (200*(full-served) + full) / (2 * full)
}
