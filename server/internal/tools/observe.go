package tools

import (
	"context"
	"time"

	"github.com/slipstream-mcp/slipstream/mcpproto"
)

// observe is what every call passes through: its answer is held to the size clients accept, and one line of log tells how
// it went, without arguments or content.
func observe(d Deps, tool string) func(next mcpproto.CallFunc) mcpproto.CallFunc {
	return func(next mcpproto.CallFunc) mcpproto.CallFunc {
		return func(ctx context.Context, c *mcpproto.Call) (mcpproto.Result, error) {
			start := time.Now()
			result, err := next(ctx, c)
			if err != nil {
				err = shortError{err}
			}
			for i := range result.Content {
				result.Content[i].Text = clip(result.Content[i].Text, maxAnswer)
			}
			d.Log.Info("tool call", "tool", tool, "ms", time.Since(start).Milliseconds(), "refused", err != nil || result.IsError)
			return result, err
		}
	}
}

// shortError is an error whose text fits an answer.
type shortError struct{ error }

func (e shortError) Error() string { return clip(e.error.Error(), maxAnswer) }

func (e shortError) Unwrap() error { return e.error }
