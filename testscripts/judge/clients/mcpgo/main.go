//go:build ignore

// Command mcpgo is mark3labs' client, a second and independent one in Go: mcpgo VERSION CALLS COMMAND [ARGS...]
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

type call struct {
	Name      string
	Arguments map[string]any
	Expect    string // ok, isError or error
	Holds     string
}

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: mcpgo VERSION CALLS COMMAND [ARGS...]")
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	faults, err := judge(ctx, os.Args[1], os.Args[2], os.Args[3:])
	if err != nil {
		fmt.Println("FAIL", err)
	}
	if err != nil || faults > 0 {
		os.Exit(1)
	}
}

func judge(ctx context.Context, version, callsFile string, command []string) (faults int, err error) {
	check := func(ok bool, format string, args ...any) {
		mark := "ok  "
		if !ok {
			mark = "FAIL"
			faults++
		}
		fmt.Printf("%s %s\n", mark, fmt.Sprintf(format, args...))
	}
	var calls []call
	text, err := os.ReadFile(callsFile)
	if err != nil {
		return 0, err
	}
	if err := json.Unmarshal(text, &calls); err != nil {
		return 0, err
	}
	server := transport.NewStdioWithOptions(command[0], os.Environ(), command[1:], transport.WithCommandStderrWriter(os.Stderr))
	handshake := version < "2026"
	var options []client.ClientOption
	if handshake {
		options = append(options, client.WithLegacyProtocolOnly())
	}
	c := client.NewClient(server, options...)
	if err := c.Start(ctx); err != nil {
		return 0, err
	}
	request := mcp.InitializeRequest{}
	request.Params.ClientInfo = mcp.Implementation{Name: "judge-mcpgo", Version: "1"}
	request.Params.ProtocolVersion = version
	hello, err := c.Initialize(ctx, request)
	if err != nil {
		return 0, err
	}
	check(hello.ServerInfo.Name == "slipstream" && hello.Instructions != "", "the server says its name and when to use it")
	check(hello.ProtocolVersion == version, "revision %s", hello.ProtocolVersion)
	if handshake { // the stateless revisions have no ping
		check(c.Ping(ctx) == nil, "ping")
	}
	list, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return faults, err
	}
	for _, k := range calls {
		r := mcp.CallToolRequest{}
		r.Params.Name, r.Params.Arguments = k.Name, k.Arguments
		got, text := "ok", ""
		answer, err := c.CallTool(ctx, r)
		switch {
		case err != nil:
			got, text = "error", err.Error()
		case answer.IsError:
			got = "isError"
			fallthrough
		default:
			for _, part := range answer.Content {
				if t, ok := part.(mcp.TextContent); ok {
					text += t.Text
				}
			}
		}
		check(got == k.Expect && strings.Contains(text, k.Holds), "%s %v: %s", k.Name, k.Arguments, got)
		if k.Expect == "ok" {
			check(slices.ContainsFunc(list.Tools, func(t mcp.Tool) bool { return t.Name == k.Name }), "%s is listed", k.Name)
		}
	}
	start := time.Now()
	err = c.Close()
	check(time.Since(start) < time.Second, "the server left %d ms after its input ended", time.Since(start).Milliseconds())
	return faults, err
}
