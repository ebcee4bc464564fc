package mcpproto

import (
	"encoding/json"
	"strings"
)

// Result is what a tool answers.
type Result struct {
	Content []Content

	// Structured is a JSON object that says the same as the text, for programs.
	// Some clients show it to the model instead of the text, so neither may
	// hold what the other lacks. It is left out when IsError is set and for
	// revisions before 2025-06-18; other JSON than an object, for those before
	// 2026-07-28.
	Structured json.RawMessage

	// IsError says that the text tells the model what went wrong.
	IsError bool
}

// Content is one part of a result.
type Content struct {
	Type string // "text", which is also what an empty Type means
	Text string
}

// Text returns a result of one text part.
func Text(s string) Result { return Result{Content: []Content{{Type: "text", Text: s}}} }

// Text returns all text parts, joined.
func (r Result) Text() string {
	var b strings.Builder
	for _, c := range r.Content {
		if c.Type == "text" || c.Type == "" {
			b.WriteString(c.Text)
		}
	}
	return b.String()
}

type wireContent struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type wireResult struct {
	*wireComplete
	Content    []wireContent   `json:"content"`
	Structured json.RawMessage `json:"structuredContent,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
}

func (r Result) encode(rev revision, complete *wireComplete) json.RawMessage {
	w := wireResult{wireComplete: complete, Content: make([]wireContent, 0, len(r.Content)), IsError: r.IsError}
	for _, c := range r.Content {
		if c.Type == "text" || c.Type == "" { // an unknown type makes clients drop the whole result
			w.Content = append(w.Content, wireContent{Type: "text", Text: c.Text})
		}
	}
	if rev.titles && !r.IsError && (isObject(r.Structured) || rev.stateless && json.Valid(r.Structured)) {
		w.Structured = r.Structured
	}
	return mustEncode(w)
}
