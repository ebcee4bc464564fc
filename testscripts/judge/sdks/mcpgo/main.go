//go:build ignore

// Command mcpgo is an echo server on mark3labs/mcp-go.
package main

import (
	"context"
	"log"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func main() {
	s := server.NewMCPServer("echo", "1")
	echo := mcp.NewTool("echo", mcp.WithDescription("Use to hear a text again."), mcp.WithString("text", mcp.Required()))
	s.AddTool(echo, func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		text, err := r.RequireString("text")
		if err != nil {
			return mcp.NewToolResultError(err.Error()), nil
		}
		return mcp.NewToolResultText(text), nil
	})
	if err := server.ServeStdio(s); err != nil {
		log.Fatal(err)
	}
}
