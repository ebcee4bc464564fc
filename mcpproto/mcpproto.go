// Package mcpproto speaks the Model Context Protocol for a server that offers
// tools and nothing else.
//
// A [Handler] is a pure function from one JSON-RPC message to its answer: it
// opens no file, starts no goroutine and reads no clock, so a test needs no
// process and any transport can carry it (package stdio is one). Tools are
// plain values; package schema makes them from Go structs.
//
//	h := mcpproto.New(mcpproto.Info{Name: "greeter", Version: "1.0.0"}, []mcpproto.Tool{greet}, mcpproto.Options{})
//	answer := h.Handle(ctx, []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`), nil)
//
// It offers no resources, prompts, sampling or logging, and it never asks the
// client anything.
package mcpproto

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Info names a program: this server, or the client that opened the connection.
type Info struct {
	Name    string // for programs
	Title   string // for people; may be empty
	Version string
}

// Options adjusts a Handler; the zero value is a good default.
type Options struct {
	// Instructions tells a model when to use the server. It is sent when a
	// client opens the connection, unless it is empty.
	Instructions string

	// OnPanic learns of a panic in a tool. The client gets an error result
	// either way. Nil drops the stack.
	OnPanic func(tool string, value any, stack []byte)
}

// A Handler answers the messages of one connection. It is safe for concurrent
// use.
type Handler struct {
	info    Info
	opts    Options
	tools   []Tool
	byName  map[string]*Tool
	lists   map[string]func() json.RawMessage // tools/list results by revision
	session atomic.Pointer[session]
}

// session is what a message is served under. What initialize settled is
// replaced whole, never changed, so a message keeps the one it was parsed under.
type session struct {
	client   Info
	revision revision
	opened   bool
}

// New returns a Handler that offers tools in the order given. It panics, naming
// the tool, on a programmer's mistake: two tools of one name, a name outside
// [A-Za-z0-9_.-]{1,128}, a nil Call, an input schema that is no JSON object of
// type "object", or _meta that is no JSON object.
func New(info Info, tools []Tool, opts Options) *Handler {
	h := &Handler{
		info:   info,
		opts:   opts,
		tools:  slices.Clone(tools),
		byName: make(map[string]*Tool, len(tools)),
		lists:  make(map[string]func() json.RawMessage, len(revisions)),
	}
	for i := range h.tools {
		t := &h.tools[i]
		if problem := mistake(t); problem != "" {
			panic(fmt.Sprintf("mcpproto: tool %q %s", t.Name, problem))
		}
		if h.byName[t.Name] != nil {
			panic(fmt.Sprintf("mcpproto: two tools are named %q", t.Name))
		}
		h.byName[t.Name] = t
	}
	for _, r := range revisions {
		h.lists[r.name] = sync.OnceValue(func() json.RawMessage { return h.describe(r) })
	}
	h.session.Store(&session{revision: negotiate("")})
	return h
}

// mistake says what is wrong with a tool, or nothing.
func mistake(t *Tool) string {
	switch {
	case !toolName(t.Name):
		return "has a name outside [A-Za-z0-9_.-]{1,128}"
	case t.Call == nil:
		return "has no Call"
	case !rootIsObject(t.InputSchema):
		return `has an input schema whose root is not of type "object"`
	case t.Meta != nil && !isObject(t.Meta):
		return "has _meta that is not a JSON object"
	}
	return ""
}

func toolName(s string) bool {
	ok := len(s) >= 1 && len(s) <= 128
	for _, c := range []byte(s) {
		ok = ok && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '-')
	}
	return ok
}

func isObject(raw json.RawMessage) bool {
	raw = trim(raw)
	return len(raw) > 0 && raw[0] == '{' && json.Valid(raw)
}

func rootIsObject(schema json.RawMessage) bool {
	if !isObject(schema) {
		return false
	}
	object := false
	for key, value := range members(trim(schema)) {
		if key == "type" {
			object = string(value) == `"object"`
		}
	}
	return object
}

// Tools returns the tools in the order tools/list reports them.
func (h *Handler) Tools() []Tool { return slices.Clone(h.tools) }

// Handle answers one message, a single one or a batch. It returns nil when
// there is nothing to say (a notification, a blank line, a cancelled call),
// else one JSON text without a newline. It never fails: what is wrong with a
// message is in the answer. Messages the server starts, such as progress, leave
// through notify while Handle runs; nil drops them. A subscription begins and
// ends within Handle; a transport that keeps it open uses [Handler.Parse].
func (h *Handler) Handle(ctx context.Context, msg []byte, notify func([]byte)) []byte {
	return h.Parse(msg).Answer(ctx, notify)
}
