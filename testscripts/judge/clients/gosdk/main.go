//go:build ignore

// Command gosdk is the official Go SDK client: gosdk VERSION CALLS COMMAND [ARGS...]
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type call struct {
	Name      string
	Arguments map[string]any
	Expect    string // ok, isError or error
	Holds     string
}

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: gosdk VERSION CALLS COMMAND [ARGS...]")
		os.Exit(2)
	}
	faults, err := judge(context.Background(), os.Args[1], os.Args[2], os.Args[3:])
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
	client := mcp.NewClient(&mcp.Implementation{Name: "judge-gosdk", Version: "1"}, nil)
	server := exec.Command(command[0], command[1:]...)
	server.Stderr = os.Stderr
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: server}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		return 0, err
	}
	opened := session.InitializeResult()
	check(opened.ServerInfo.Name == "slipstream" && opened.Instructions != "", "the server says its name and when to use it")
	check(opened.ProtocolVersion == version, "revision %s", opened.ProtocolVersion)
	if version < "2026" { // the stateless revisions have no ping
		check(session.Ping(ctx, nil) == nil, "ping")
	}
	var names []string
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return faults, err
		}
		names = append(names, tool.Name)
	}
	for _, c := range calls {
		got, text := "ok", ""
		r, err := session.CallTool(ctx, &mcp.CallToolParams{Name: c.Name, Arguments: c.Arguments})
		switch {
		case err != nil:
			got, text = "error", err.Error()
		case r.IsError:
			got = "isError"
			fallthrough
		default:
			for _, part := range r.Content {
				if t, ok := part.(*mcp.TextContent); ok {
					text += t.Text
				}
			}
		}
		check(got == c.Expect && strings.Contains(text, c.Holds), "%s %v: %s", c.Name, c.Arguments, got)
		if c.Expect == "ok" {
			check(slices.Contains(names, c.Name), "%s is listed", c.Name)
		}
	}
	start := time.Now()
	err = session.Close()
	check(time.Since(start) < time.Second, "the server left %d ms after its input ended", time.Since(start).Milliseconds())
	return faults, err
}
