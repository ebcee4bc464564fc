package mcpproto_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/mcpproto"
)

// Run with: go test -bench . -benchmem

func BenchmarkHandle(b *testing.B) {
	var tools []mcpproto.Tool
	for i := range 20 {
		tools = append(tools, tool(fmt.Sprintf("tool_%d", i), true, echo))
	}
	large := strings.Repeat("x", 8<<20)
	for _, bb := range []struct{ name, msg string }{
		{"initialize", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`},
		{"ping", `{"jsonrpc":"2.0","id":1,"method":"ping"}`},
		{"tools_list", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
		{"tools_call", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}}}`},
		{"tools_call_stateless", modern("tools/call", `"name":"echo","arguments":{"text":"hello"},`, asks, able, who)},
		{"tools_call_8MB", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"` + large + `"}}}`},
	} {
		b.Run(bb.name, func(b *testing.B) {
			h := newHandler(tools...)
			msg := []byte(bb.msg)
			b.SetBytes(int64(len(msg)))
			for b.Loop() {
				if h.Handle(b.Context(), msg, nil) == nil {
					b.Fatal("no answer")
				}
			}
		})
	}
}
