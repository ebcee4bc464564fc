package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/server/internal/tools"
)

func call(p *program) *cobra.Command {
	return &cobra.Command{
		Use:     "call TOOL ['{json arguments}']",
		Short:   "Call one tool and print its answer",
		Example: `  slipstream call sp_symbol '{"file": "src/greet.ts", "symbol": "greet"}'`,
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			arguments := json.RawMessage("{}")
			if len(args) == 2 {
				arguments = json.RawMessage(args[1])
				if !json.Valid(arguments) || bytes.TrimSpace(arguments)[0] != '{' {
					return fmt.Errorf("the arguments of %s are not a JSON object: %s", args[0], args[1])
				}
			}
			return p.callTool(cmd.Context(), args[0], arguments, 0)
		},
	}
}

// callTool calls a tool as a client does and prints its text.
func (p *program) callTool(ctx context.Context, tool string, arguments any, maxResultTokens int) error {
	deps, err := p.open(nil, maxResultTokens)
	if err != nil {
		return failure{err}
	}
	defer deps.Memories.Close()
	request, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": arguments},
	})
	if err != nil {
		return err
	}
	h := tools.Handler(deps, Version())
	text, err := answerText(h.Handle(ctx, request, nil))
	var misuse *mcpproto.Error
	if errors.As(err, &misuse) {
		var names []string
		for _, t := range h.Tools() {
			names = append(names, t.Name)
		}
		return fmt.Errorf("%s; the tools are %s", misuse.Message, strings.Join(names, ", "))
	}
	if err != nil {
		return failure{err}
	}
	_, err = fmt.Fprintln(p.Stdout, text)
	return err
}

// answerText returns the text of an answer to tools/call. A refusal is an error, one by the protocol an *mcpproto.Error.
func answerText(answer []byte) (string, error) {
	var a struct {
		Result *struct {
			Content []struct{ Text string }
			IsError bool
		}
		Error *mcpproto.Error
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return "", err
	}
	if a.Error != nil {
		return "", a.Error
	}
	if a.Result == nil {
		return "", errors.New("the answer holds no result")
	}
	var parts []string
	for _, c := range a.Result.Content {
		parts = append(parts, c.Text)
	}
	text := strings.Join(parts, "\n")
	if a.Result.IsError {
		return "", errors.New(text)
	}
	return text, nil
}
