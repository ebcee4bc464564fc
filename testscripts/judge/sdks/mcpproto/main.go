//go:build ignore

// Command mcpproto is an echo server on mcpproto and its stdio, schema by hand.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/stdio"
)

func main() {
	echo := mcpproto.Tool{
		Name:        "echo",
		Description: "Use to hear a text again.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`),
		Annotations: mcpproto.Annotations{ReadOnly: true},
		Call: func(_ context.Context, c *mcpproto.Call) (mcpproto.Result, error) {
			var in struct{ Text string }
			err := json.Unmarshal(c.Arguments, &in)
			return mcpproto.Text(in.Text), err
		},
	}
	h := mcpproto.New(mcpproto.Info{Name: "echo", Version: "1"}, []mcpproto.Tool{echo}, mcpproto.Options{})
	if err := stdio.Serve(context.Background(), h, os.Stdin, os.Stdout, stdio.Options{}); err != nil {
		log.Fatal(err)
	}
}
