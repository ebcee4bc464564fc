package testscripts

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// patience is how long a server may take for one answer, and to end after its input did.
const patience = time.Minute

// connection carries messages to one server.
type connection interface {
	// ask sends one request and returns its answer.
	ask(ctx context.Context, msg []byte) ([]byte, error)
	// tell sends one notification.
	tell(ctx context.Context, msg []byte) error
	// stream sends raw lines, ends the input, and hands on all that comes back, in order.
	stream(ctx context.Context, lines [][]byte, emit func([]byte)) error
	close(ctx context.Context)
}

// inProcess is a connection to a handler in this process, one message at a time.
type inProcess Handler

func (h inProcess) ask(ctx context.Context, msg []byte) ([]byte, error) {
	answer := h(ctx, msg, func([]byte) {})
	if answer == nil {
		return nil, errors.New("no answer")
	}
	return answer, nil
}

func (h inProcess) tell(ctx context.Context, msg []byte) error {
	if answer := h(ctx, msg, func([]byte) {}); answer != nil {
		return fmt.Errorf("a notification was answered: %s", answer)
	}
	return nil
}

func (h inProcess) stream(ctx context.Context, lines [][]byte, emit func([]byte)) error {
	for _, line := range lines {
		if answer := h(ctx, line, emit); answer != nil {
			emit(answer)
		}
	}
	return nil
}

func (h inProcess) close(context.Context) {}

// process is a connection to a stdio server.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

// startProcess starts command in the folder root with "{root}" replaced in its arguments.
func startProcess(command []string, root string, env []string) (*process, error) {
	args := make([]string, len(command))
	for i, arg := range command {
		args[i] = strings.ReplaceAll(arg, "{root}", root)
	}
	p := &process{cmd: exec.Command(args[0], args[1:]...)}
	p.cmd.Dir, p.cmd.Env, p.cmd.Stderr = root, env, &p.stderr
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.out = in, bufio.NewReader(out)
	return p, p.cmd.Start()
}

func (p *process) ask(ctx context.Context, msg []byte) ([]byte, error) {
	defer p.killAfter(ctx, patience)()
	if err := p.tell(ctx, msg); err != nil {
		return nil, err
	}
	id := requestID(msg)
	for {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("reading the answer to %s: %v\n%s", id, err, p.lastWords())
		}
		if line = bytes.TrimSuffix(line, []byte("\n")); !json.Valid(line) {
			return nil, fmt.Errorf("%q is not a message", line)
		}
		if answers(line, id) {
			return line, nil
		}
	}
}

func (p *process) tell(_ context.Context, msg []byte) error {
	_, err := p.in.Write(append(bytes.Clone(msg), '\n'))
	return err
}

// stream waits for the answer to each well-formed request before it sends the next line, so that what comes back stands in
// the order of the lines with a server that answers in parallel too.
func (p *process) stream(ctx context.Context, lines [][]byte, emit func([]byte)) error {
	defer p.killAfter(ctx, patience)()
	back := make(chan []byte, 1024) // what a server says unasked meanwhile
	var readErr error
	go func() {
		defer close(back)
		for {
			line, err := p.out.ReadBytes('\n')
			if len(line) > 0 {
				back <- bytes.TrimSuffix(line, []byte("\n"))
			}
			if err != nil {
				readErr = err
				return
			}
		}
	}()
	for _, line := range lines {
		if err := p.tell(ctx, line); err != nil {
			return err
		}
		for id := requestID(line); id != nil; {
			msg, ok := <-back
			if !ok {
				return fmt.Errorf("reading the answer to %s: %v\n%s", id, readErr, p.lastWords())
			}
			emit(msg)
			if answers(msg, id) {
				break
			}
		}
	}
	p.in.Close()
	for msg := range back {
		emit(msg)
	}
	if readErr != io.EOF {
		return readErr
	}
	return nil
}

// requestID returns the id of a request that any server answers under it, nil for any other line.
func requestID(line []byte) json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(line, &m) != nil || string(m["jsonrpc"]) != `"2.0"` || !bytes.HasPrefix(m["method"], []byte(`"`)) {
		return nil
	}
	id := m["id"]
	if !bytes.HasPrefix(id, []byte(`"`)) && (len(id) == 0 || len(bytes.Trim(id, "-0123456789")) > 0) {
		return nil
	}
	return id
}

// answers tells whether msg is the answer to the request with that id.
func answers(msg []byte, id json.RawMessage) bool {
	var m map[string]json.RawMessage
	return json.Unmarshal(msg, &m) == nil && m["method"] == nil && bytes.Equal(m["id"], id)
}

// lastWords is what a server that ended its output said on stderr.
func (p *process) lastWords() string {
	p.cmd.Wait()
	return p.stderr.String()
}

// close ends the server's input and waits for it to leave.
func (p *process) close(ctx context.Context) {
	defer p.killAfter(ctx, patience)()
	p.in.Close()
	io.Copy(io.Discard, p.out)
	p.cmd.Wait() // how a server leaves is pinned where it is looked at, not after every script
}

// killAfter kills the server when ctx ends or the time is over, unless the returned function comes first.
func (p *process) killAfter(ctx context.Context, d time.Duration) (stop func()) {
	ctx, cancel := context.WithTimeout(ctx, d)
	unhook := context.AfterFunc(ctx, func() { p.cmd.Process.Kill() })
	return func() {
		unhook()
		cancel()
	}
}
