package stdio

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/slipstream-mcp/slipstream/mcpproto"
)

// queue runs messages that hold calls: first come, first started, shared ones
// beside each other, exclusive ones alone. Adding never waits.
type queue struct {
	ctx   context.Context
	write func([]byte)
	limit int

	mu        sync.Mutex
	waiting   []*mcpproto.Message
	running   int
	exclusive bool                           // the running one wants to be alone
	open      map[string][]*mcpproto.Message // waiting and running, by id; a client may repeat one
	rest      chan struct{}                  // closed while nothing waits or runs
}

func newQueue(ctx context.Context, write func([]byte), limit int) *queue {
	q := &queue{ctx: ctx, write: write, limit: limit, open: map[string][]*mcpproto.Message{}, rest: make(chan struct{})}
	close(q.rest)
	return q
}

// add takes a message; it starts when its turn comes.
func (q *queue) add(m *mcpproto.Message) {
	q.mu.Lock()
	select {
	case <-q.rest:
		q.rest = make(chan struct{})
	default:
	}
	q.waiting = append(q.waiting, m)
	for _, id := range m.IDs() {
		q.open[id] = append(q.open[id], m)
	}
	q.mu.Unlock()
	q.admit()
}

// admit starts what may start. When the connection is done it drops what waits.
func (q *queue) admit() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) > 0 {
		m := q.waiting[0]
		exclusive := m.Class() == mcpproto.Exclusive
		switch {
		case q.ctx.Err() != nil:
			q.close(m)
		case q.exclusive, exclusive && q.running > 0, q.running == q.limit:
			return
		default:
			q.running++
			q.exclusive = exclusive
			go q.run(m)
		}
		q.waiting[0] = nil
		q.waiting = q.waiting[1:]
	}
	if q.running == 0 {
		q.settle()
	}
}

// run answers one message. Its end is deferred, so that a tool that calls
// runtime.Goexit does not stop the queue.
func (q *queue) run(m *mcpproto.Message) {
	defer q.end(m)
	if answer := m.Answer(q.ctx, paced(q.write)); answer != nil {
		q.write(answer)
	}
}

// paced drops what comes too soon after what it last passed on. A message sends
// its notifications one at a time.
func paced(write func([]byte)) func([]byte) {
	var last time.Time
	return func(msg []byte) {
		now := time.Now()
		if !last.IsZero() && now.Sub(last) < pace {
			return
		}
		last = now
		write(msg)
	}
}

func (q *queue) end(m *mcpproto.Message) {
	q.mu.Lock()
	q.running--
	q.exclusive = false
	q.close(m)
	q.mu.Unlock()
	q.admit()
}

// close forgets the ids of m.
func (q *queue) close(m *mcpproto.Message) {
	for _, id := range m.IDs() {
		rest := slices.DeleteFunc(q.open[id], func(o *mcpproto.Message) bool { return o == m })
		if q.open[id] = rest; len(rest) == 0 {
			delete(q.open, id)
		}
	}
}

// settle closes rest unless it is closed.
func (q *queue) settle() {
	select {
	case <-q.rest:
	default:
		close(q.rest)
	}
}

// cancel ends the calls of this id, waiting or running. An unknown id is none.
func (q *queue) cancel(id string) {
	q.mu.Lock()
	messages := slices.Clone(q.open[id])
	q.mu.Unlock()
	for _, m := range messages {
		m.Cancel(id)
	}
}

// idle returns a channel that is closed when nothing waits or runs.
func (q *queue) idle() <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.rest
}
