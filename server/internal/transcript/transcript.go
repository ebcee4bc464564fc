// Package transcript reads the sessions that Claude Code has written down, one line of JSON at a time, as the events that hooks
// would have told.
//
//	var r transcript.Reader
//	for line := range lines {
//		events = append(events, r.Line(line)...)
//	}
//	events = append(events, r.End()...)
//
// The format is the host's own and changes between its versions: what a line does not say is left out, a line of another kind
// is passed over, a broken one is counted. The package is pure and holds no line longer than it looks at it. It refuses to take
// for a person's words what the host put into a prompt, and for the assistant's what a subagent or the host itself said.
package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// Entry is what one line says; most lines say nothing.
type Entry struct {
	// UUID names the line. A session that was resumed may hold it twice.
	UUID string
	// Session, Dir and Branch are the session's id, its folder and git branch, as the host wrote them.
	Session, Dir, Branch string
	// Agent is the subagent the line is of; empty for the main one.
	Agent string
	// Time is that of the line, to the millisecond, in UTC; zero when it does not tell.
	Time time.Time

	// Prompt is what was asked, with what the host put beside it.
	Prompt string
	// Said is the assistant's text, a part of the message of that id.
	Said, Message string
	// Uses are the tools that were called, Results what came of calls.
	Uses    []Use
	Results []Result
	// Compacted says that the session was summarised here, Trigger by whom: "manual" or "auto".
	Compacted bool
	Trigger   string
}

// Use is a call of a tool.
type Use struct {
	ID, Name string
	Input    json.RawMessage
}

// Result is what came of the Use of that ID.
type Result struct {
	ID      string
	Content json.RawMessage
	Failed  bool
}

// record is a line as the host writes it, as far as it is looked at.
type record struct {
	Type, Subtype             string
	UUID                      string
	Timestamp                 string
	SessionID                 string
	Cwd, GitBranch            string
	AgentID                   string
	IsSidechain               bool
	IsMeta                    bool
	IsCompactSummary          bool
	IsVisibleInTranscriptOnly bool
	IsAPIErrorMessage         bool
	Message                   struct {
		ID, Model string
		Content   json.RawMessage
	}
	CompactMetadata struct{ Trigger string }
}

// block is a part of a message's content.
type block struct {
	Type     string
	Text     string
	ID, Name string
	Input    json.RawMessage
	UseID    string `json:"tool_use_id"`
	Content  json.RawMessage
	IsError  bool `json:"is_error"`
}

// Parse reads one line. It is false for what is no JSON object; a line that says nothing, or of a kind this package does not
// know, is an Entry without a Prompt, a text, a use, a result or a compaction.
func Parse(line []byte) (Entry, bool) {
	line = bytes.TrimSpace(line)
	var in record
	if len(line) == 0 || line[0] != '{' || !decode(line, &in) {
		return Entry{}, false
	}
	e := Entry{UUID: in.UUID, Session: in.SessionID, Dir: in.Cwd, Branch: in.GitBranch}
	if at, err := time.Parse(time.RFC3339Nano, in.Timestamp); err == nil {
		e.Time = at.UTC().Truncate(time.Millisecond)
	}
	if in.IsSidechain {
		if e.Agent = in.AgentID; e.Agent == "" {
			e.Agent = "subagent"
		}
	}
	if in.IsMeta || in.IsCompactSummary || in.IsVisibleInTranscriptOnly {
		return e, true
	}
	switch {
	case in.Type == "user":
		e.readUser(in.Message.Content)
	case in.Type == "assistant":
		e.Message = in.Message.ID
		e.readAssistant(in.Message.Content)
		if in.IsAPIErrorMessage || in.Message.Model == "<synthetic>" {
			e.Said = "" // the host's words
		}
	case in.Type == "system" && in.Subtype == "compact_boundary":
		e.Compacted, e.Trigger = true, in.CompactMetadata.Trigger
	}
	return e, true
}

// decode fills v with what fits; false says that the text is no JSON.
func decode(text []byte, v any) bool {
	err := json.Unmarshal(text, v)
	var odd *json.UnmarshalTypeError
	return err == nil || errors.As(err, &odd)
}

// content returns the blocks of a message's content; a string is one block of text.
func content(raw json.RawMessage) []block {
	if len(raw) > 0 && raw[0] == '"' {
		b := block{Type: "text"}
		decode(raw, &b.Text)
		return []block{b}
	}
	var blocks []block
	if len(raw) > 0 {
		decode(raw, &blocks)
	}
	return blocks
}

func (e *Entry) readUser(raw json.RawMessage) {
	var texts []string
	for _, b := range content(raw) {
		switch b.Type {
		case "text":
			texts = append(texts, b.Text)
		case "tool_result":
			e.Results = append(e.Results, Result{b.UseID, b.Content, b.IsError})
		}
	}
	// What stands beside a tool's result is the host's remark on it.
	if text := strings.TrimSpace(strings.Join(texts, "\n")); len(e.Results) == 0 && !isHosts(text) {
		e.Prompt = text
	}
}

// isHosts reports whether a user's text is a trace the host leaves of its own commands and interruptions.
func isHosts(text string) bool {
	for _, begin := range []string{"<command-name>", "<command-message>", "<local-command-", "<bash-input>", "<bash-stdout>",
		"[Request interrupted by user"} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	return false
}

func (e *Entry) readAssistant(raw json.RawMessage) {
	var texts []string
	for _, b := range content(raw) {
		switch b.Type {
		case "text":
			texts = append(texts, b.Text)
		case "tool_use":
			e.Uses = append(e.Uses, Use{b.ID, b.Name, b.Input})
		}
	}
	e.Said = strings.TrimSpace(strings.Join(texts, "\n"))
}
