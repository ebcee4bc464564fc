package tools

import (
	"context"
	"encoding/json"
	"time"

	"github.com/slipstream-mcp/slipstream/budget"
	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/memstore/redact"
)

// observe is what every call passes through: its answer is held to the size clients accept, the ledger counts it, and one
// line of log tells how it went, without arguments or content.
func observe(d Deps, tool string) func(next mcpproto.CallFunc) mcpproto.CallFunc {
	return func(next mcpproto.CallFunc) mcpproto.CallFunc {
		return func(ctx context.Context, c *mcpproto.Call) (mcpproto.Result, error) {
			start := time.Now()
			var r reading
			result, err := next(context.WithValue(ctx, readingKey{}, &r), c)
			if err != nil {
				err = shortError{err}
			}
			for i := range result.Content {
				result.Content[i].Text = clip(result.Content[i].Text, maxAnswer)
			}
			if err == nil {
				d.count(c, r, budget.Tokens(result.Text()))
			}
			d.Log.Info("tool call", "tool", tool, "ms", time.Since(start).Milliseconds(), "refused", err != nil || result.IsError)
			return result, err
		}
	}
}

// count enters an answer into the ledger.
func (d Deps) count(c *mcpproto.Call, r reading, tokens int) {
	if !r.scoped {
		d.Ledger.Answer(tokens)
		return
	}
	var arguments struct{ Root string }
	_ = json.Unmarshal(c.Arguments, &arguments) // the tool has read them already
	at, err := d.Memories.Locate(arguments.Root)
	if err != nil {
		d.Ledger.Answer(tokens)
		return
	}
	r.saving.Answer = tokens
	d.Ledger.Add(at, r.file, r.saving)
}

// reading is what a scoped read tells of itself, for the ledger.
type reading struct {
	scoped bool
	file   string
	saving budget.Saving
}

type readingKey struct{}

// readsProject says that the call reads of the project: of file, sliceBytes of its fileBytes, which are fileTokens; or of
// no file alone, as a map does.
func readsProject(ctx context.Context, file string, sliceBytes, fileBytes, fileTokens int) {
	if r, ok := ctx.Value(readingKey{}).(*reading); ok {
		*r = reading{scoped: true, file: file, saving: budget.Saving{SliceBytes: sliceBytes, FileBytes: fileBytes, FileTokens: fileTokens}}
	}
}

// maxRefusal bounds the text of an error, in UTF-16 units.
const maxRefusal = 2000

// shortError is an error as a client is told it: without secrets, and short, whatever argument it repeats.
type shortError struct{ error }

func (e shortError) Error() string { return clip(redact.Text(e.error.Error()), maxRefusal) }

func (e shortError) Unwrap() error { return e.error }
