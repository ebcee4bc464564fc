package mcpproto_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
	"github.com/slipstream-mcp/slipstream/mcpproto/stdio"
)

func Example() {
	type args struct {
		Name string `json:"name" needs:"a name"`
	}
	greet := schema.Tool("greet", "Use to greet someone.", func(_ context.Context, in args) (string, error) {
		return "Hello, " + in.Name, nil
	})
	h := mcpproto.New(mcpproto.Info{Name: "greeter", Version: "1.0.0"}, []mcpproto.Tool{greet}, mcpproto.Options{})
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{"name":"Ada"}}}`)
	if err := stdio.Serve(context.Background(), h, in, os.Stdout, stdio.Options{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Hello, Ada"}]}}
}
