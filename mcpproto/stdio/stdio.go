// Package stdio carries an MCP connection over two streams: one JSON-RPC
// message a line, as a client speaks to a server it started.
//
//	err := stdio.Serve(ctx, h, os.Stdin, os.Stdout, stdio.Options{})
//
// It frames, schedules and cancels; what a message means is the handler's. It
// never writes anything but whole lines that the handler made.
package stdio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/slipstream-mcp/slipstream/mcpproto"
)

// Options adjusts Serve; the zero value is a good default.
type Options struct {
	// MaxLine bounds a line in bytes. A longer one is thrown away while it is
	// read and answered with an error. Zero means 64 MiB.
	MaxLine int

	// Parallel bounds how many calls of read-only tools run at once. Zero means
	// twice GOMAXPROCS.
	Parallel int
}

const (
	defaultMaxLine = 64 << 20

	// grace is how long calls may take to notice that they are cancelled.
	grace = 50 * time.Millisecond

	// pace is the least time between two notifications of progress of a call.
	pace = 100 * time.Millisecond
)

// Serve answers the lines of r on w until r ends, ctx is done or a write fails.
//
// Everything but tool calls is answered at once and in order. Calls of read-only
// tools run beside each other; a call of any other tool starts after every
// earlier call has ended and ends before any later one starts. An answer is one
// Write of one line. Of a call's progress, what comes within 100 ms of the last
// notification is dropped.
//
// At the end of r, everything read is answered, open subscriptions are ended and
// Serve returns nil, or the error that ended reading. When ctx is done, running calls are cancelled,
// nothing more is written, and Serve returns ctx's cause within 100 ms, even
// when a tool ignores its context. A failed write does the same and is
// returned.
//
// In these two cases one goroutine stays behind until a pending Read of r
// returns, since a Read cannot be interrupted, and so does each call that
// ignores its context and a Write that hangs; they start nothing new.
func Serve(ctx context.Context, h *mcpproto.Handler, r io.Reader, w io.Writer, opts Options) error {
	if opts.MaxLine <= 0 {
		opts.MaxLine = defaultMaxLine
	}
	if opts.Parallel <= 0 {
		opts.Parallel = 2 * runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	out := &output{w: w, turn: make(chan struct{}, 1), done: ctx.Done(), fail: cancel}
	q := newQueue(ctx, out.write, opts.Parallel)
	ended := make(chan error, 1)
	go func() {
		subs := &subscriptions{write: out.write}
		err := read(ctx, h, newLines(r, opts.MaxLine), q, subs, out)
		<-q.idle()
		subs.end()
		ended <- err
	}()

	select {
	case err := <-ended:
		if ctx.Err() == nil {
			return err
		}
	case <-ctx.Done():
		q.admit() // drops what waits
		late := make(chan struct{})
		defer time.AfterFunc(grace, func() { close(late) }).Stop()
		select {
		case <-q.idle():
		case <-late:
		}
		select {
		case out.turn <- struct{}{}: // no write is under way
		case <-late:
		}
	}
	return context.Cause(ctx)
}

// read dispatches lines until there are no more, or nobody wants them.
func read(ctx context.Context, h *mcpproto.Handler, in *lines, q *queue, subs *subscriptions, out *output) error {
	for {
		line, err := in.next()
		if ctx.Err() != nil {
			return nil
		}
		if errors.Is(err, errTooLong) {
			out.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":"line is longer than %d bytes"}}`,
				mcpproto.CodeInvalidRequest, in.limit))
			continue
		}
		dispatch(ctx, h.Parse(line), q, subs, out)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func dispatch(ctx context.Context, m *mcpproto.Message, q *queue, subs *subscriptions, out *output) {
	for _, id := range m.Cancels() {
		q.cancel(id)
		subs.cancel(id)
	}
	switch m.Class() {
	case mcpproto.Immediate:
		if answer := m.Answer(ctx, out.write); answer != nil {
			out.write(answer)
		}
	case mcpproto.Standing:
		subs.add(m, m.Answer(ctx, out.write))
	default:
		q.add(m)
		runtime.Gosched() // the call starts here and now, not when another thread has woken up
	}
}

// output writes whole lines, one at a time, until the connection is done.
type output struct {
	w    io.Writer
	turn chan struct{} // holds a token while writing
	done <-chan struct{}
	fail context.CancelCauseFunc // ends the connection
}

func (o *output) write(msg []byte) {
	select {
	case o.turn <- struct{}{}:
		defer func() { <-o.turn }()
	case <-o.done:
		return
	}
	select {
	case <-o.done:
		return
	default:
	}
	if _, err := o.w.Write(append(msg, '\n')); err != nil {
		o.fail(err)
	}
}
