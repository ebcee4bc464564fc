// Package capture notes what the server's own calls did, for clients that have no hooks: each call is an event of a session,
// and a turn is over when the client has been quiet for a while or has left. An answer does not wait for the disk.
//
// It refuses to capture what the project's settings keep out, and what cannot be redacted as the project wants it.
package capture

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/server/internal/memory"
	"github.com/slipstream-mcp/slipstream/server/internal/settings"
	"github.com/slipstream-mcp/slipstream/server/internal/state"
)

// Quiet is how long a client must have been quiet for its turn to be over.
const Quiet = 5 * time.Minute

const (
	// source is what the events say recorded them.
	source = "mcp"
	// delay is how long an event waits for more before they are written.
	delay = 200 * time.Millisecond
	// maxPending bounds what waits for a disk that cannot be written to; the oldest goes first.
	maxPending = 10000
)

// Recorder notes events. It is safe for concurrent use; a nil Recorder notes nothing.
type Recorder struct {
	Memories *memory.Memories
	Getenv   func(string) string // for settings; nil is an empty environment
	Home     string              // the user's home folder; it becomes ~ in what is kept
	Now      func() time.Time    // nil is time.Now
	Log      *slog.Logger
	// Hooked says that the session's name is the host's, whose hooks may be at work: where they have written, the session is
	// left to them.
	Hooked bool

	mu       sync.Mutex
	pending  []note
	sessions map[target]*session
	writing  sync.Mutex
	timer    *time.Timer // of the next write
	quiet    *time.Timer // of the end of the turn
	closed   bool
}

// target is a session in the journal of a place.
type target struct {
	at   state.Location
	name string
}

// session is what is known of one that was begun; its fields are guarded by Recorder.writing.
type session struct {
	looked bool // whose it is has been found out
	theirs bool // a host's hooks write it
	wrote  bool // something of it was written
}

type note struct {
	target
	event activity.Event
}

// Add notes an event of a session of the project whose state is kept at.
func (r *Recorder) Add(at state.Location, e activity.Event) {
	if r == nil {
		return
	}
	s, _ := settings.Load(at, r.getenv) // what is wrong in them, doctor tells
	if !s.Captures() {
		return
	}
	e, ok := Keep(s, at.Root, e)
	if !ok {
		return
	}
	e.Data.Source, e.Agent, e.Time = source, "main", r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	to := target{at, e.Session}
	if r.sessions == nil {
		r.sessions = map[target]*session{}
	}
	if r.sessions[to] == nil {
		r.sessions[to] = &session{}
		begun := activity.Event{Session: e.Session, Agent: "main", Kind: activity.SessionStarted, Label: "mcp session: " + e.Session, Time: e.Time}
		begun.Data.Source = source
		r.pending = append(r.pending, note{to, begun})
	}
	r.pending = append(r.pending, note{to, e})
	r.bound()
	if r.timer == nil {
		r.timer = time.AfterFunc(delay, func() { r.Flush(context.Background()) })
	}
	if r.quiet == nil {
		r.quiet = time.AfterFunc(Quiet, r.endTurn)
	} else {
		r.quiet.Reset(Quiet)
	}
}

// bound drops what has waited longest; r.mu is held.
func (r *Recorder) bound() {
	if n := len(r.pending) - maxPending; n > 0 {
		r.pending = slices.Delete(r.pending, 0, n)
	}
}

func (r *Recorder) now() time.Time {
	if r.Now == nil {
		return time.Now()
	}
	return r.Now()
}

func (r *Recorder) getenv(name string) string {
	if r.Getenv == nil {
		return ""
	}
	return r.Getenv(name)
}

// Flush writes what waits to be written. What cannot be written waits for the next time.
func (r *Recorder) Flush(ctx context.Context) {
	if r == nil {
		return
	}
	r.writing.Lock()
	defer r.writing.Unlock()
	r.flush(ctx)
}

// flush is Flush with r.writing held.
func (r *Recorder) flush(ctx context.Context) {
	r.mu.Lock()
	pending := r.pending
	r.pending = nil
	if r.timer != nil {
		r.timer.Stop()
		r.timer = nil
	}
	r.mu.Unlock()
	var failed []note
	for len(pending) > 0 {
		to := pending[0].target
		var mine, rest []note
		for _, n := range pending {
			if n.target == to {
				mine = append(mine, n)
			} else {
				rest = append(rest, n)
			}
		}
		pending = rest
		if err := r.write(ctx, to, mine); err != nil {
			r.Log.Warn("events not recorded yet", "session", to.name, "err", err)
			failed = append(failed, mine...)
		}
	}
	if len(failed) > 0 {
		r.mu.Lock()
		r.pending = append(failed, r.pending...)
		r.bound()
		r.mu.Unlock()
	}
}

// write records events of one session, unless it is the hooks'; r.writing is held.
func (r *Recorder) write(ctx context.Context, to target, notes []note) error {
	j, err := r.Memories.JournalAt(to.at)
	if err != nil {
		return err
	}
	if err := j.CheckRules(); err != nil {
		return err
	}
	s := r.session(to)
	if !s.looked {
		if r.Hooked {
			if s.theirs, err = hooked(ctx, j, to.name); err != nil {
				return err
			}
		}
		s.looked = true
		if err := Stale(ctx, j, r.Home, r.now()); err != nil {
			r.Log.Warn("sessions nobody ended are not captured", "err", err)
		}
	}
	if s.theirs {
		return nil
	}
	events := make([]activity.Event, len(notes))
	for i, n := range notes {
		events[i] = n.event
	}
	err = j.Record(ctx, events...)
	s.wrote = s.wrote || err == nil
	return err
}

func (r *Recorder) session(to target) *session {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sessions[to]
}

// hooked reports whether a host's hooks write the session.
func hooked(ctx context.Context, j *memory.Journal, session string) (bool, error) {
	events, err := j.Events(ctx, session, 0)
	return slices.ContainsFunc(events, func(e activity.Event) bool { return e.Data.Source == "" }), err
}

// endTurn captures what the quiet client did.
func (r *Recorder) endTurn() {
	r.capture(context.Background(), activity.FoldOptions{Now: r.now(), Quiet: time.Millisecond})
}

func (r *Recorder) capture(ctx context.Context, o activity.FoldOptions) {
	r.writing.Lock()
	defer r.writing.Unlock()
	r.flush(ctx)
	for _, to := range r.targets() {
		if !r.session(to).wrote {
			continue
		}
		j, err := r.Memories.JournalAt(to.at)
		if err == nil {
			o.Root, o.Home = to.at.Root, r.Home
			_, err = j.Capture(ctx, to.name, o)
		}
		if err != nil {
			r.Log.Warn("session not captured", "session", to.name, "err", err)
		}
	}
}

// targets returns the sessions that were begun, in order.
func (r *Recorder) targets() []target {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]target, 0, len(r.sessions))
	for to := range r.sessions {
		all = append(all, to)
	}
	slices.SortFunc(all, func(a, b target) int {
		return cmp.Or(strings.Compare(a.at.Root, b.at.Root), strings.Compare(a.name, b.name))
	})
	return all
}

// Close ends the sessions: what they did is captured.
func (r *Recorder) Close(ctx context.Context) {
	if r == nil {
		return
	}
	all := r.targets()
	r.mu.Lock()
	if r.quiet != nil {
		r.quiet.Stop()
	}
	for _, to := range all {
		end := activity.Event{Session: to.name, Agent: "main", Kind: activity.Stopped, Label: "client left", Time: r.now()}
		end.Data.Source = source
		r.pending = append(r.pending, note{to, end})
	}
	r.closed = true
	r.mu.Unlock()
	r.capture(ctx, activity.FoldOptions{Final: true})
}
