package mcpproto

import (
	"context"
	"encoding/json"
)

// A method answers one request.
type method func(ctx context.Context, h *Handler, r *request, notify func([]byte)) (json.RawMessage, *Error)

// methods is every method that is answered; -32601 for the rest.
var methods = map[string]method{
	"initialize": initialize,
	"ping":       ping,
	"tools/list": listTools,
	"tools/call": callTool,
}

func (h *Handler) answer(ctx context.Context, r *request, notify func([]byte)) []byte {
	switch {
	case r.fail != nil:
		return errorAnswer(r.id, r.fail)
	case r.id == nil:
		return nil
	}
	result, e := methods[r.method](ctx, h, r, notify)
	switch {
	case e != nil:
		return errorAnswer(r.id, e)
	case result == nil: // cancelled
		return nil
	}
	return resultAnswer(r.id, result)
}
