package transcript

import (
	"bytes"
	"hash/fnv"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/server/internal/hook"
)

// Source is what Data.Source says of the events of this package.
const Source = "transcript"

// Bounds of what a Reader holds, whatever it reads: calls that wait for their results, and lines it knows again (16 MB or so).
const (
	maxWaiting = 1024
	maxSeen    = 1 << 20
	maxSaid    = 16 << 10 // bytes of a message's text, of which its event keeps half
)

// Reader turns the lines of a transcript into events, in the order of the file. The zero value is ready. A Reader that goes on
// with another file after End passes over the lines it has seen already. It is not safe for concurrent use.
type Reader struct {
	// Session is the name of the session of the last line that told one, made safe by hook.SessionName; set before the first
	// line it serves lines that tell none.
	Session string
	// Dir is the folder the session began in and Branch the git branch it was on last, as the host wrote them.
	Dir, Branch string
	// Redact takes secrets out of texts before they are cut; nil takes out none.
	Redact func(string) string
	// Broken counts lines that are no JSON objects, Repeated those that were seen before.
	Broken, Repeated int

	seen    map[uint64]struct{}
	waiting map[string]activity.Event // by the call's id
	order   []string                  // of waiting, oldest first
	now     time.Time                 // of the last line that told one
	turn    turn
}

// turn is what has been read since the last end of one.
type turn struct {
	open    bool
	session string
	said    string
	message string // of said
	last    time.Time
}

// Line returns the events that a line of the file completes, with Seq 0: the caller numbers them. A blank line is none.
func (r *Reader) Line(line []byte) []activity.Event {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	e, ok := Parse(line)
	if !ok {
		r.Broken++
		return nil
	}
	if r.Redact != nil {
		r.mask(&e)
	}
	if r.repeated(e.UUID) {
		r.Repeated++
		return nil
	}
	r.remember(e)
	var events []activity.Event
	add := func(ev activity.Event) {
		ev.Session, ev.Agent, ev.Time = r.Session, hook.AgentName(e.Agent), r.now
		ev.Data.Source = Source
		events = append(events, ev)
	}
	for _, use := range e.Uses {
		r.wait(use)
	}
	for _, result := range e.Results {
		if ev, ok := r.result(result); ok {
			add(ev)
		}
	}
	working := len(events) > 0
	if e.Compacted {
		add(hook.Compaction(e.Trigger, ""))
	}
	if e.Agent == "" {
		if e.Said != "" {
			r.say(e)
			working = true
		}
		if asked, ok := hook.Prompt(e.Prompt); ok {
			events = append(events, r.endTurn()...)
			add(asked)
			working = true
		}
		if working {
			r.turn.open, r.turn.session = true, r.Session
		}
	}
	if working || e.Compacted {
		r.turn.last = r.now
	}
	return events
}

// mask takes the secrets out of what is kept of a line.
func (r *Reader) mask(e *Entry) {
	e.Prompt, e.Said, e.Agent = r.Redact(e.Prompt), r.Redact(e.Said), r.Redact(e.Agent)
	for i := range e.Uses {
		e.Uses[i].Input = hook.Mask(e.Uses[i].Input, r.Redact)
	}
	for i := range e.Results {
		if e.Results[i].Failed { // of others only the size is kept
			e.Results[i].Content = hook.Mask(e.Results[i].Content, r.Redact)
		}
	}
}

// End returns the end of the last turn, if one is open: a transcript does not say that a turn is over but by what follows.
// Calls whose results never came are forgotten.
func (r *Reader) End() []activity.Event {
	r.waiting, r.order = nil, nil
	return r.endTurn()
}

func (r *Reader) endTurn() []activity.Event {
	t := r.turn
	r.turn = turn{}
	if !t.open {
		return nil
	}
	e := hook.TurnEnded(t.said)
	e.Session, e.Agent, e.Time = t.session, hook.AgentName(""), t.last
	e.Data.Source = Source
	return []activity.Event{e}
}

// say keeps the beginning of what the assistant said last. A message comes in several lines.
func (r *Reader) say(e Entry) {
	said := strings.Clone(e.Said[:min(len(e.Said), maxSaid)])
	switch {
	case e.Message == "" || e.Message != r.turn.message:
		r.turn.said, r.turn.message = said, e.Message
	case len(r.turn.said) < maxSaid:
		r.turn.said += "\n\n" + said
	}
}

// wait keeps a call until its result comes.
func (r *Reader) wait(use Use) {
	if use.ID == "" {
		return
	}
	if r.waiting == nil {
		r.waiting = map[string]activity.Event{}
	}
	if _, again := r.waiting[use.ID]; !again {
		r.order = append(r.order, use.ID)
	}
	r.waiting[use.ID] = hook.Tool(activity.ToolUsed, use.Name, use.Input)
	for len(r.order) > maxWaiting {
		delete(r.waiting, r.order[0])
		r.order = r.order[1:]
	}
}

// result returns the event of the call that a result is of; false when no such call was seen.
func (r *Reader) result(result Result) (activity.Event, bool) {
	e, ok := r.waiting[result.ID]
	if !ok {
		return activity.Event{}, false
	}
	delete(r.waiting, result.ID)
	if result.Failed {
		e.Data.Failed = true
		e.Data.Error = hook.ErrorText(errorOf(result))
	} else {
		e.Data.Bytes = hook.Size(result.Content)
	}
	return e, true
}

// errorOf returns the text of a failed result, without the mark that hosts put around it.
func errorOf(result Result) string {
	var texts []string
	for _, b := range content(result.Content) {
		texts = append(texts, b.Text)
	}
	text := strings.TrimSpace(strings.Join(texts, "\n"))
	text = strings.TrimSuffix(strings.TrimPrefix(text, "<tool_use_error>"), "</tool_use_error>")
	return strings.TrimSpace(text)
}

// remember takes what a line says of where and when it was.
func (r *Reader) remember(e Entry) {
	if e.Session != "" || r.Session == "" {
		r.Session = hook.SessionName(e.Session)
	}
	if r.Dir == "" {
		r.Dir = e.Dir
	}
	if e.Branch != "" {
		r.Branch = e.Branch
	}
	if !e.Time.IsZero() {
		r.now = e.Time
	}
}

// repeated reports whether a line of that name was seen before.
func (r *Reader) repeated(uuid string) bool {
	if uuid == "" {
		return false
	}
	h := fnv.New64a()
	h.Write([]byte(uuid))
	if _, ok := r.seen[h.Sum64()]; ok {
		return true
	}
	if r.seen == nil {
		r.seen = map[uint64]struct{}{}
	}
	if len(r.seen) < maxSeen {
		r.seen[h.Sum64()] = struct{}{}
	}
	return false
}
