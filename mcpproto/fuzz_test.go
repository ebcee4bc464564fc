package mcpproto_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// FuzzHandle holds that any bytes give nothing, or one line that is a JSON-RPC
// answer or a list of answers.
func FuzzHandle(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","clientInfo":{"name":"c"}}}`,
		`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"echo","arguments":{"a":[1,{"b":"\"}"}]},"_meta":{"progressToken":0}}}`,
		modern("server/discover", "", asks, able, who), modern("tools/call", `"name":"echo",`, asks, able), modern("subscriptions/listen", `"notifications":{},`, asks, able),
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":""}}]`,
		"\uFEFF{\"jsonrpc\":\"2.0\",\"\\u0069d\":-1,\"method\":\"ping\"}\r", "[]", "{}", `"\xff"`, "[[", "1e9", "",
	} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, msg []byte, batches bool) {
		h := newHandler()
		if batches {
			open(t, h, "2025-03-26")
		}
		got := h.Handle(t.Context(), msg, func(b []byte) { check(t, b) })
		if got == nil {
			return
		}
		if got[0] != '[' {
			check(t, got)
			return
		}
		var answers []json.RawMessage
		if err := json.Unmarshal(got, &answers); err != nil || len(answers) == 0 || bytes.ContainsRune(got, '\n') {
			t.Fatalf("batch answer %q: %v", got, err)
		}
		for _, a := range answers {
			check(t, a)
		}
	})
}

// check holds one message from the server to JSON-RPC 2.0.
func check(t *testing.T, msg []byte) {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal(msg, &m); err != nil || !utf8.Valid(msg) || bytes.ContainsAny(msg, "\r\n") {
		t.Fatalf("%q: %v", msg, err)
	}
	if _, notification := m["method"]; notification {
		return
	}
	_, failed := m["error"]
	_, result := m["result"]
	if string(m["jsonrpc"]) != `"2.0"` || m["id"] == nil || failed == result || len(m) != 3 {
		t.Fatalf("%q is not an answer", msg)
	}
}
