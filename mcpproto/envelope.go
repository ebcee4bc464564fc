package mcpproto

import (
	"encoding/json"
	"strings"
)

// envelope is the outside of a message, before anything is believed.
type envelope struct {
	version, id, method, params json.RawMessage
	reply                       bool   // an answer, to a question we never asked
	misspelt                    string // a member that differs in case alone
}

func readEnvelope(raw json.RawMessage) envelope {
	var e envelope
	for key, value := range members(raw) {
		switch key {
		case "jsonrpc":
			e.version = value
		case "id":
			e.id = value
		case "method":
			e.method = value
		case "params":
			e.params = value
		case "result", "error":
			e.reply = true
		default:
			for _, name := range []string{"jsonrpc", "id", "method", "params"} {
				if strings.EqualFold(key, name) {
					e.misspelt = key
				}
			}
		}
	}
	return e
}

func isID(raw json.RawMessage) bool { return isString(raw) || isInteger(raw) }

// problem says why the message is no request.
func (e *envelope) problem() *Error {
	switch {
	case e.misspelt != "":
		return errorf(CodeInvalidRequest, "unknown member %q; names are lower case", e.misspelt)
	case string(e.version) != `"2.0"`:
		return errorf(CodeInvalidRequest, `jsonrpc is not "2.0"`)
	case e.id != nil && !isID(e.id):
		return errorf(CodeInvalidRequest, "id is not a string or a whole number")
	case !isString(e.method):
		return errorf(CodeInvalidRequest, "method is not a string")
	}
	return nil
}
