// Package hook understands what Claude Code tells a hook: a line of JSON on stdin becomes the events of a session, and what
// is remembered becomes the text that a new session begins with.
//
//	p, err := hook.Decode(stdin, "session-start")
//	…
//	r := hook.Handle(p, hook.Session(p.SessionID, os.Getenv), time.Now())
//	if r.Context {
//		stdout.Write(hook.Render(hook.Context(signal, hook.ContextOptions{Budget: 1200})))
//	}
//
// The package is pure: no file, no clock, no process. It refuses to keep what a tool answered (a size, and of a failure the
// beginning, are all that is left of it), to block a turn, and to guess a file out of a command or a pattern. Masking secrets
// is the caller's: what comes out of here has not touched a disk yet.
package hook

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
)

// Payload is what a host said about one event; what it did not say, or said in another type, is empty.
type Payload struct {
	// Event is one of Names.
	Event string
	// SessionID, TranscriptPath and Dir are as the host wrote them; no path has been checked.
	SessionID, TranscriptPath, Dir string
	// Agent names the subagent that the event happened in; empty for the main one.
	Agent, AgentType string

	Source, Model         string // of SessionStart
	Prompt                string // of UserPromptSubmit
	Trigger, Instructions string // of PreCompact
	Reason                string // of SessionEnd
	LastMessage           string // of Stop and SubagentStop

	// Tool is a tool's name as the host says it, mcp__SERVER__TOOL for those of a server.
	Tool string
	// Input and Response are the JSON of the tool's arguments and of its answer; nil when there is none.
	Input, Response json.RawMessage
	Error           string // of PostToolUseFailure
	Interrupted     bool
}

// Result is what an event comes to.
type Result struct {
	// Events happened, in order. Their Seq is 0: whoever appends them to a log numbers them.
	Events []activity.Event
	// Fold says that a turn is over and can be folded into an observation.
	Fold bool
	// Final says that the session is over: the last turn too can be folded.
	Final bool
	// Context says that the host takes a text to begin with; see Render.
	Context bool
	// Compacted says that it begins anew in the middle of the session, whose Digest it should be given.
	Compacted bool
}

// events is the table of the events this package understands, in the order of a session.
func events() []event {
	return []event{
		{"SessionStart", sessionStart},
		{"UserPromptSubmit", prompt},
		{"PreToolUse", preTool},
		{"PostToolUse", postTool},
		{"PostToolUseFailure", postToolFailure},
		{"SubagentStart", subagentStart},
		{"SubagentStop", subagentStop},
		{"Stop", stop},
		{"PreCompact", preCompact},
		{"SessionEnd", sessionEnd},
	}
}

type event struct {
	name   string
	handle func(Payload) Result
}

// Names returns the events that Handle knows, as the host spells them, in the order of a session.
func Names() []string {
	var names []string
	for _, e := range events() {
		names = append(names, e.name)
	}
	return names
}

// lookUp finds an event by any spelling of its name: SessionStart, session-start, session_start.
func lookUp(name string) (event, bool) {
	plain := strings.NewReplacer("-", "", "_", "")
	for _, e := range events() {
		if strings.EqualFold(e.name, plain.Replace(strings.TrimSpace(name))) {
			return e, true
		}
	}
	return event{}, false
}

// Handle says what is to be done about an event that came at a time, of the session of that name; Session gives the name.
// An event of none of Names comes to nothing.
func Handle(p Payload, session string, at time.Time) Result {
	e, ok := lookUp(p.Event)
	if !ok {
		return Result{}
	}
	r := e.handle(p)
	for i := range r.Events {
		r.Events[i].Session = session
		r.Events[i].Agent = AgentName(p.Agent)
		r.Events[i].Time = at.UTC().Truncate(time.Millisecond)
	}
	return r
}

// one is the result of an event that is only to be kept.
func one(e activity.Event) Result { return Result{Events: []activity.Event{e}} }
