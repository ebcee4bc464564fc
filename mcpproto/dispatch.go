package mcpproto

import (
	"context"
	"encoding/json"
)

// A method answers one kind of request.
type method struct {
	run       func(ctx context.Context, h *Handler, r *request, notify func([]byte)) (json.RawMessage, *Error)
	handshake bool // the revisions with an initialize have it
	stateless bool // the others do
}

// methods is every method that is answered; -32601 for the rest.
var methods = map[string]method{
	"initialize":           {run: initialize, handshake: true},
	"ping":                 {run: ping, handshake: true},
	"server/discover":      {run: discover, stateless: true},
	"subscriptions/listen": {run: listen, stateless: true},
	"tools/list":           {run: listTools, handshake: true, stateless: true},
	"tools/call":           {run: callTool, handshake: true, stateless: true},
}

func (h *Handler) answer(ctx context.Context, r *request, notify func([]byte)) []byte {
	switch {
	case r.fail != nil:
		return errorAnswer(r.id, r.fail)
	case r.id == nil:
		return nil
	}
	result, e := methods[r.method].run(ctx, h, r, notify)
	switch {
	case e != nil:
		return errorAnswer(r.id, e)
	case result == nil: // cancelled
		return nil
	}
	return resultAnswer(r.id, result)
}
