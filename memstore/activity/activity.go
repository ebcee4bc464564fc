// Package activity says what happened in an agent's session and what is worth
// keeping of it: an Event is one prompt, one tool call, one end of a turn; an
// Observation is what a turn came to; Lessons are what keeps coming back.
//
//	found, next := activity.Fold(events, -1, activity.FoldOptions{Root: "/home/dev/shop"})
//	…
//	for _, l := range activity.Lessons(observations, activity.LessonOptions{}) {
//		fmt.Println(l.Topic, l.Count)
//	}
//
// The package is pure: it reads no file and no clock. The lines it encodes and
// decodes are those of slipstream's JSONL files. It refuses lines that lack
// what makes a record, never guesses a file out of a command or a query, and
// keeps nothing that was only brought back from memory.
package activity

import "time"

// Event is one thing that happened in a session.
type Event struct {
	// Session is whose event it is; never empty.
	Session string
	// Agent is "main", or what names a subagent.
	Agent string
	Kind  EventKind
	// Label says in a line what happened. Of a ToolUsed it begins with the
	// tool's name, then a space and what the tool was applied to, if anything.
	Label string
	Data  Data
	// Seq counts the events of a session from 0.
	Seq int64
	// Time is kept to the millisecond, in UTC.
	Time time.Time
}

// EventKind says what happened.
type EventKind string

// The kinds of events, as they stand in the files. Compacted is not known to
// older programs, which leave such lines out.
const (
	SessionStarted  EventKind = "session-start"
	PromptSubmitted EventKind = "user-prompt"
	ToolStarting    EventKind = "pre-tool"
	ToolUsed        EventKind = "post-tool"
	SubagentStarted EventKind = "subagent-start"
	SubagentStopped EventKind = "subagent-stop"
	Stopped         EventKind = "stop"
	Compacted       EventKind = "compact"
)

// Data is what an event says beyond its label; the zero value says nothing.
type Data struct {
	// Bytes is the size of a tool's answer.
	Bytes int64
	// Source is what recorded the event: "mcp" for the server's own calls,
	// "transcript" for an import, empty for a host's hook.
	Source string
	// Prompt is a prompt in full, where the label holds its beginning.
	Prompt string
	// Outcome is the assistant's last words of a turn, of a Stopped.
	Outcome string
	// Files are what a tool read or wrote, as it named them.
	Files []string
	// Failed says that a tool or a subagent failed, Error how.
	Failed bool
	Error  string
	// Plan is the host's list of what is to be done.
	Plan []string
	// Other holds keys this package does not know, as JSON, so that rewriting
	// an event keeps them.
	Other map[string][]byte
}

// Observation is what a turn came to.
type Observation struct {
	// ID is the record's number in its project, from 1, and never given again.
	ID      int64
	Session string
	// Time is that of the turn's last event, to the millisecond, in UTC.
	Time time.Time
	Kind Kind
	// Summary says it in a line, Detail in some.
	Summary, Detail string
	// Files are relative to the project's root where they lie in it, with
	// forward slashes.
	Files []string
	Tags  []string
	// First and Last are the sequence numbers of the events it was made of;
	// Last is -1 when the record does not tell.
	First, Last int64
	// Other holds keys this package does not know, as JSON.
	Other map[string][]byte
}

// Kind says what a turn was for, by what was done in it.
type Kind string

// The kinds of observations.
const (
	Edit    Kind = "edit"
	Read    Kind = "read"
	Command Kind = "command"
	Search  Kind = "search"
	Prompt  Kind = "prompt"
	Note    Kind = "note"
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{Edit, Read, Command, Search, Prompt, Note} }
