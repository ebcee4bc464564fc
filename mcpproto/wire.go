package mcpproto

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// wireError is a JSON-RPC error object.
type wireError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// encode is json.Marshal without the HTML escapes, which would make source text
// longer and no safer. It compacts raw values, so there is never a newline.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// mustEncode encodes a value of this package, which cannot fail.
func mustEncode(v any) json.RawMessage {
	raw, err := encode(v)
	if err != nil {
		panic("mcpproto: " + err.Error())
	}
	return raw
}

func resultAnswer(id, result json.RawMessage) []byte {
	return assemble(id, `,"result":`, result)
}

// errorAnswer carries id null when the message had no usable id.
func errorAnswer(id json.RawMessage, e *Error) []byte {
	w := wireError{Code: e.Code, Message: e.Message, Data: e.Data}
	if w.Code == 0 {
		w.Code = CodeInternalError
	}
	raw, err := encode(w)
	if err != nil { // only Data can be the cause
		w.Data = nil
		raw = mustEncode(w)
	}
	if id == nil {
		id = json.RawMessage("null")
	}
	return assemble(id, `,"error":`, raw)
}

func assemble(id json.RawMessage, key string, value json.RawMessage) []byte {
	const head = `{"jsonrpc":"2.0","id":`
	b := make([]byte, 0, len(head)+len(id)+len(key)+len(value)+2)
	b = append(b, head...)
	b = append(b, id...)
	b = append(b, key...)
	b = append(b, value...)
	return append(b, '}')
}

// quote shows a client's word in an error: escaped, and cut at about 80 bytes.
func quote(s string) string {
	const most = 80
	if len(s) > most {
		cut := most
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return strconv.Quote(s)
}
