package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// client speaks MCP to a server it has started, one request at a time.
type client struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

// startClient starts the server on root as a child process.
func startClient(ctx context.Context, p *program, root string) (*client, error) {
	argv, err := serverCommand(p, root)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stderr = p.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &client{cmd: cmd, in: in, out: bufio.NewReader(out)}, nil
}

// close ends the server by closing its input.
func (c *client) close() error {
	c.in.Close()
	return c.cmd.Wait()
}

func (c *client) send(message map[string]any) error {
	message["jsonrpc"] = "2.0"
	line, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = c.in.Write(append(line, '\n'))
	return err
}

func (c *client) notify(method string) error { return c.send(map[string]any{"method": method}) }

// request sends a request and decodes its result.
func (c *client) request(method string, params, result any) error {
	line, err := c.roundTrip(method, params)
	if err != nil {
		return err
	}
	var answer struct {
		Result json.RawMessage
		Error  *struct{ Message string }
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return err
	}
	if answer.Error != nil {
		return errors.New(answer.Error.Message)
	}
	return json.Unmarshal(answer.Result, result)
}

// call calls a tool and returns its text.
func (c *client) call(tool string, arguments any) (string, error) {
	line, err := c.roundTrip("tools/call", map[string]any{"name": tool, "arguments": arguments})
	if err != nil {
		return "", err
	}
	return answerText(line)
}

// roundTrip returns the line that answers a request.
func (c *client) roundTrip(method string, params any) ([]byte, error) {
	c.id++
	if err := c.send(map[string]any{"id": c.id, "method": method, "params": params}); err != nil {
		return nil, err
	}
	for {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("the server ended before it answered %s: %w", method, err)
		}
		var head struct{ ID *int }
		if err := json.Unmarshal(line, &head); err != nil {
			return nil, err
		}
		if head.ID != nil && *head.ID == c.id {
			return line, nil
		}
	}
}
