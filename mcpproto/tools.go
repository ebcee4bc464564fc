package mcpproto

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
)

type wireAnnotations struct {
	ReadOnly    bool `json:"readOnlyHint"`
	Destructive bool `json:"destructiveHint"`
	Idempotent  bool `json:"idempotentHint,omitempty"`
	OpenWorld   bool `json:"openWorldHint"`
}

type wireTool struct {
	Name        string           `json:"name"`
	Title       string           `json:"title,omitempty"`
	Description string           `json:"description,omitempty"`
	InputSchema json.RawMessage  `json:"inputSchema"`
	Annotations *wireAnnotations `json:"annotations,omitempty"`
	Meta        json.RawMessage  `json:"_meta,omitempty"`
}

// describe renders the tools/list result of a revision.
func (h *Handler) describe(rev revision) json.RawMessage {
	list := struct {
		*wireComplete
		Tools []wireTool `json:"tools"`
		*wireCaching
	}{h.complete(rev), make([]wireTool, 0, len(h.tools)), caching(rev)}
	for _, t := range h.tools {
		w := wireTool{Name: t.Name, Description: t.Description, InputSchema: t.InputSchema}
		if rev.annotations {
			a := wireAnnotations(t.Annotations)
			w.Annotations = &a
		}
		if rev.titles {
			w.Title, w.Meta = t.Title, t.Meta
		}
		list.Tools = append(list.Tools, w)
	}
	return mustEncode(list)
}

// listTools gives all tools on one page, so that any cursor but an empty one is
// a stranger's.
func listTools(_ context.Context, h *Handler, r *request, _ func([]byte)) (json.RawMessage, *Error) {
	if c := r.params.cursor; c != nil && !isNull(c) && string(c) != `""` {
		shown := string(c)
		_ = json.Unmarshal(c, &shown) // what is no string is shown as it is
		return nil, errorf(CodeInvalidParams, "unknown cursor %s", quote(shown))
	}
	return h.lists[r.session.revision.name](), nil
}

// call is the part of a request that runs a tool.
type call struct {
	tool      *Tool
	arguments json.RawMessage
	meta      json.RawMessage // an object, or nil
	token     json.RawMessage // a string or a whole number, or nil

	mu      sync.Mutex
	stopped bool
	cancel  context.CancelFunc // set while it runs
}

// parseCall reads the params of tools/call. Only what does not fit the request
// itself is an error here; wrong arguments are the tool's to explain.
func (h *Handler) parseCall(p params, token json.RawMessage) (*call, *Error) {
	if !isString(p.name) {
		return nil, errorf(CodeInvalidParams, "tools/call needs a name")
	}
	tool := h.byName[decodeString(p.name)]
	if tool == nil {
		return nil, errorf(CodeInvalidParams, "unknown tool %s", quote(decodeString(p.name)))
	}
	arguments := p.arguments
	if arguments == nil || isNull(arguments) {
		arguments = json.RawMessage("{}")
	}
	if arguments[0] != '{' {
		return nil, errorf(CodeInvalidParams, "arguments of %s is not an object", tool.Name)
	}
	return &call{tool: tool, arguments: arguments, meta: p.meta, token: token}, nil
}

// start reports whether the call may run; cancel will end it.
func (c *call) start(cancel context.CancelFunc) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cancel = cancel
	return !c.stopped
}

func (c *call) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	if c.cancel != nil {
		c.cancel()
	}
}

func (c *call) isStopped() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stopped
}

// callTool returns neither a result nor an error when the call was cancelled.
func callTool(ctx context.Context, h *Handler, r *request, notify func([]byte)) (json.RawMessage, *Error) {
	c := r.call
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if !c.start(cancel) {
		return nil, nil
	}
	p := &progress{token: c.token, notify: notify, terse: !r.session.revision.annotations, silent: c.isStopped, last: math.Inf(-1)}
	defer p.end()
	result, err := h.run(ctx, &Call{
		Tool:      c.tool.Name,
		Arguments: c.arguments,
		Meta:      c.meta,
		Client:    r.session.client,
		Version:   r.session.revision.name,
		Progress:  p.send,
	}, c.tool)
	if c.isStopped() {
		return nil, nil
	}
	if err != nil {
		var e *Error
		if errors.As(err, &e) && e != nil {
			return nil, e
		}
		result = Text(err.Error())
		result.IsError = true
	}
	return result.encode(r.session.revision, h.complete(r.session.revision)), nil
}

// run calls the tool and turns a panic into an error, so that the next call
// works.
func (h *Handler) run(ctx context.Context, c *Call, t *Tool) (_ Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%s panicked: %s", t.Name, quote(fmt.Sprint(v)))
			if h.opts.OnPanic != nil {
				h.opts.OnPanic(t.Name, v, debug.Stack())
			}
		}
	}()
	return t.Call(ctx, c)
}
