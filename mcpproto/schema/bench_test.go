package schema_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/slipstream-mcp/slipstream/mcpproto"
)

// Run with: go test -bench . -benchmem

// BenchmarkStart builds twenty tools and lists them: what a server does before
// its first answer.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		var tools []mcpproto.Tool
		for i := range 10 {
			tools = append(tools, show[search](fmt.Sprint("search", i)), show[lines](fmt.Sprint("lines", i)))
		}
		h := mcpproto.New(mcpproto.Info{Name: "n"}, tools, mcpproto.Options{})
		h.Handle(b.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`), nil)
	}
}

// BenchmarkFirstCall compiles the schema too.
func BenchmarkFirstCall(b *testing.B) {
	for b.Loop() {
		run(b, show[search]("search"), `{"query":"x"}`)
	}
}

func BenchmarkCall(b *testing.B) {
	tool := show[search]("search")
	for _, bb := range []struct{ name, arguments string }{
		{"plain", `{"query":"words to find","limit":5,"kind":"read"}`},
		{"lenient", `{"q":"words to find","k":"5"}`},
		{"refused", `{"limit":99,"kind":"foo","zzz":1}`},
	} {
		b.Run(bb.name, func(b *testing.B) {
			c := &mcpproto.Call{Tool: "search", Arguments: json.RawMessage(bb.arguments)}
			for b.Loop() {
				_, _ = tool.Call(b.Context(), c)
			}
		})
	}
}
