package mcpproto

import "fmt"

// The JSON-RPC error codes a tools-only server uses.
const (
	CodeParseError     = -32700 // the line is not JSON
	CodeInvalidRequest = -32600 // JSON, but not a request
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternalError  = -32603
)

// The codes that the stateless revisions add. The handler itself answers with
// the last alone; the others are for what carries or uses it.
const (
	CodeHeaderMismatch             = -32020 // a transport's headers contradict the message
	CodeMissingCapability          = -32021 // a tool needs what the client did not declare; Data names it
	CodeUnsupportedProtocolVersion = -32022
)

// Error is a protocol error. A tool that returns one, wrapped or not, makes the
// call itself fail: the client sees a JSON-RPC error and a model may not see it
// at all. Any other error becomes a result that the model can read and act on.
type Error struct {
	Code    int    // zero means CodeInternalError
	Message string // one short sentence
	Data    any    // sent when it encodes as JSON; nil sends none
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

func errorf(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}
