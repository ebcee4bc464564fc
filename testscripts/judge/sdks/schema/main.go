//go:build ignore

// Command schema is an echo server on mcpproto whose tool is made from a struct.
package main

import (
	"context"
	"log"
	"os"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
	"github.com/slipstream-mcp/slipstream/mcpproto/stdio"
)

type args struct {
	Text string `json:"text" needs:"a text"`
}

func main() {
	echo := schema.Tool("echo", "Use to hear a text again.", func(_ context.Context, in args) (string, error) {
		return in.Text, nil
	})
	h := mcpproto.New(mcpproto.Info{Name: "echo", Version: "1"}, []mcpproto.Tool{echo}, mcpproto.Options{})
	if err := stdio.Serve(context.Background(), h, os.Stdin, os.Stdout, stdio.Options{}); err != nil {
		log.Fatal(err)
	}
}
