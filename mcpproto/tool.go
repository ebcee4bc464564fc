package mcpproto

import (
	"context"
	"encoding/json"
)

// A Tool is one function a client can call.
type Tool struct {
	Name        string // what a model calls it by: [A-Za-z0-9_.-]{1,128}
	Title       string // for people; may be empty
	Description string // for the model: when to call it
	InputSchema json.RawMessage
	Annotations Annotations
	Meta        json.RawMessage // the descriptor's _meta, a JSON object; nil sends none
	Call        CallFunc
}

// Annotations tells a client what a call may do. All but Idempotent are sent
// when they are false too, since the protocol's own defaults differ.
type Annotations struct {
	ReadOnly    bool // it changes nothing; such calls run beside each other
	Destructive bool // it may remove or overwrite
	Idempotent  bool // a second call with the same arguments changes nothing more
	OpenWorld   bool // it reaches beyond this machine
}

// A CallFunc runs a tool. An error becomes a result with IsError set whose text
// is the error's, except for an *[Error], which fails the request itself. It
// must be safe for concurrent use, and should end soon after ctx does.
type CallFunc func(ctx context.Context, c *Call) (Result, error)

// Call is one call of a tool. Tools must not change it.
type Call struct {
	Tool      string
	Arguments json.RawMessage // always a JSON object; not checked against the schema
	Meta      json.RawMessage // the request's _meta, or nil
	Client    Info            // what the request itself or initialize told; else zero
	Version   string          // the protocol revision in force

	// Progress tells the client how far the call is. A total of zero means
	// unknown. It is never nil and safe for concurrent use; it drops what the
	// client did not ask for, what does not grow, and what comes after the end
	// of the call.
	Progress func(done, total float64, message string)
}

// Wrap returns t with its Call replaced by with(t.Call): the place for what
// every call shares, such as logging or cutting answers.
func Wrap(t Tool, with func(next CallFunc) CallFunc) Tool {
	t.Call = with(t.Call)
	return t
}
