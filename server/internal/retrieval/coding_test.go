// Package retrieval_test holds what search in the memory is measured on.
//
// testdata/coding is a set about code work: sessions of an agent in an invented
// web shop over nine months of 2026, one file a session, and the questions that
// somebody asks of them later with the turns that answer each. Its people, firms
// and code are invented. A session file reads
//
//	session s01 2026-01-12T09:03:00Z
//	> the user's prompt, one line or more
//	+ Read web/src/cart/total.ts
//	- Bash npm test -- cart | TypeError: total is undefined at total.ts:41
//	= the assistant's last words of the turn, one line or more
//
// with + before a tool use that went well and - before one that failed, its
// error after the last " | ". A mark alone is an empty line of its text. The
// turns of a session are numbered from 1, so s01#1 names one; a turn without
// last words was interrupted. A line of questions.txt is
//
//	question | s01#2, s14#5
//
// under a heading that says what kind of question it is, and names every turn
// that answers it.
//
// How well they are found is printed by
//
//	go test -bench Retrieval -benchtime 1x -run '^$' ./internal/retrieval
//
// The questions were written from the sessions alone. They are not to be changed
// to suit a ranker; a question is only mended when it is wrong, that is when a
// turn it does not name answers it too.
package retrieval_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

const (
	codingDir  = "testdata/coding"
	projectDir = "/home/dev/shop"
	// A turn begins turnGap after the one before, a payload payloadGap after
	// the one before it in its turn; maxUses keeps a turn within its gap.
	turnGap    = 7 * time.Minute
	payloadGap = 10 * time.Second
	maxUses    = 30
)

// session is one session file.
type session struct {
	id    string
	start time.Time
	turns []turn
}

// turn is a prompt and what came of it; an empty outcome is an interrupted turn.
type turn struct {
	prompt, outcome string
	uses            []use
}

// use is one tool use; what is what the tool was applied to.
type use struct {
	tool, what, err string
}

// question is one line of questions.txt; answers are turns as "s01#2".
type question struct {
	kind, text string
	answers    []string
}

// payload is what the host hands to a hook on its standard input. The host does
// not tell the time, so it stands beside; turn is 0 outside of turns.
type payload struct {
	at   time.Time
	turn int
	json []byte
}

// turnID names turn n, from 1.
func (s session) turnID(n int) string { return fmt.Sprintf("%s#%d", s.id, n) }

// loadSessions reads every session file in dir, in order of their names.
func loadSessions(fsys fs.FS, dir string) ([]session, error) {
	names, err := fs.Glob(fsys, path.Join(dir, "s*.txt"))
	if err != nil {
		return nil, err
	}
	var all []session
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		s, err := parseSession(string(text))
		if err != nil {
			return nil, fmt.Errorf("parsing %q: %w", name, err)
		}
		if s.id != strings.TrimSuffix(path.Base(name), ".txt") {
			return nil, fmt.Errorf("parsing %q: it holds session %q", name, s.id)
		}
		all = append(all, s)
	}
	return all, nil
}

// parseSession reads one session file.
func parseSession(text string) (session, error) {
	var s session
	var last byte
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if line == "" {
			continue
		}
		if err := s.add(line, last); err != nil {
			return session{}, fmt.Errorf("line %d: %w", i+1, err)
		}
		last = line[0]
	}
	if len(s.turns) == 0 {
		return session{}, fmt.Errorf("session %q has no turn", s.id)
	}
	return s, nil
}

// add takes one line; last is the mark of the line before, 0 of the first.
func (s *session) add(line string, last byte) error {
	if last == 0 {
		fields := strings.Fields(line)
		if len(fields) != 3 || fields[0] != "session" {
			return fmt.Errorf("%q is not: session ID TIME", line)
		}
		s.id = fields[1]
		var err error
		s.start, err = time.Parse(time.RFC3339, fields[2])
		return err
	}
	mark, rest, spaced := strings.Cut(line, " ")
	if spaced == (rest == "") || strings.TrimRight(rest, " ") != rest {
		return fmt.Errorf("%q is not a mark, one space and a text", line)
	}
	if mark == ">" && last != '>' {
		s.turns = append(s.turns, turn{})
	}
	if len(s.turns) == 0 {
		return fmt.Errorf("%q stands before the first prompt", line)
	}
	t := &s.turns[len(s.turns)-1]
	switch {
	case mark == ">":
		t.prompt = joinLine(t.prompt, rest)
	case mark == "=":
		t.outcome = joinLine(t.outcome, rest)
	case (mark == "+" || mark == "-") && last != '=':
		u := use{}
		u.tool, u.what, spaced = strings.Cut(rest, " ")
		if !spaced {
			return fmt.Errorf("%q does not say what %s was applied to", line, u.tool)
		}
		if _, err := toolInput(u); err != nil {
			return err
		}
		if mark == "-" {
			cut := strings.LastIndex(u.what, " | ")
			if cut < 0 {
				return fmt.Errorf("%q does not say how the tool failed; write | before its error", line)
			}
			u.what, u.err = u.what[:cut], u.what[cut+3:]
		}
		t.uses = append(t.uses, u)
		if len(t.uses) > maxUses {
			return fmt.Errorf("a turn has over %d tool uses", maxUses)
		}
	default:
		return fmt.Errorf("%q does not follow a line of %q", line, last)
	}
	return nil
}

func joinLine(text, line string) string {
	if text == "" {
		return line
	}
	return text + "\n" + line
}

// loadQuestions reads questions.txt in dir.
func loadQuestions(fsys fs.FS, dir string) ([]question, error) {
	name := path.Join(dir, "questions.txt")
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	all, err := parseQuestions(string(text))
	if err != nil {
		return nil, fmt.Errorf("parsing %q: %w", name, err)
	}
	return all, nil
}

func parseQuestions(text string) ([]question, error) {
	kinds := []string{"exact", "natural", "paraphrase", "temporal", "multi"}
	var all []question
	kind := ""
	for i, line := range strings.Split(text, "\n") {
		if line == "" {
			continue
		}
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			if kind = heading; !slices.Contains(kinds, kind) {
				return nil, fmt.Errorf("line %d: %q is none of %q", i+1, kind, kinds)
			}
			continue
		}
		cut := strings.LastIndex(line, " | ")
		if cut < 0 || kind == "" {
			return nil, fmt.Errorf("line %d: %q is not: question | turn, turn below a heading", i+1, line)
		}
		q := question{kind: kind, text: line[:cut], answers: strings.Split(line[cut+3:], ", ")}
		if n := len(q.answers); n > 4 {
			return nil, fmt.Errorf("line %d: %d turns answer, over 4", i+1, n)
		}
		all = append(all, q)
	}
	return all, nil
}

// payloads are what the host hands to the hooks in the course of s.
func payloads(s session) ([]payload, error) {
	var all []payload
	var failure error
	at, number := s.start, 0
	add := func(event string, own map[string]any) {
		own["session_id"], own["hook_event_name"] = s.id, event
		own["transcript_path"] = "/home/dev/.claude/projects/-home-dev-shop/" + s.id + ".jsonl"
		own["cwd"] = projectDir
		if number > 0 {
			own["prompt_id"], own["permission_mode"] = s.turnID(number), "acceptEdits"
		}
		line, err := encode(own)
		if err != nil && failure == nil {
			failure = err
		}
		all = append(all, payload{at, number, line})
		at = at.Add(payloadGap)
	}
	add("SessionStart", map[string]any{"source": "startup"})
	for i, t := range s.turns {
		number, at = i+1, s.start.Add(time.Duration(i)*turnGap+payloadGap)
		add("UserPromptSubmit", map[string]any{"prompt": t.prompt})
		for j, u := range t.uses {
			event, own, err := toolUse(u)
			if err != nil {
				return nil, err
			}
			own["tool_use_id"] = fmt.Sprintf("toolu_%s_%d_%d", s.id, number, j+1)
			add(event, own)
		}
		if t.outcome != "" {
			add("Stop", map[string]any{"stop_hook_active": false, "last_assistant_message": t.outcome})
		}
	}
	number = 0
	add("SessionEnd", map[string]any{"reason": "prompt_input_exit"})
	return all, failure
}

// toolUse returns the event of a tool use and its own fields.
func toolUse(u use) (event string, own map[string]any, err error) {
	input, err := toolInput(u)
	if err != nil {
		return "", nil, err
	}
	own = map[string]any{"tool_name": u.tool, "tool_input": input, "duration_ms": 40}
	if u.err != "" {
		own["error"], own["is_interrupt"] = u.err, false
		return "PostToolUseFailure", own, nil
	}
	switch u.tool {
	case "Bash":
		own["tool_response"] = map[string]any{"stdout": "", "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false}
	case "Read":
		own["tool_response"] = map[string]any{"type": "text", "file": map[string]any{"filePath": input["file_path"], "content": ""}}
	case "Edit", "Write":
		own["tool_response"] = map[string]any{"filePath": input["file_path"], "structuredPatch": []any{}, "userModified": false}
	default:
		own["tool_response"] = ""
	}
	return "PostToolUse", own, nil
}

// toolInput is what the host's tool takes; texts of files are not in the set.
func toolInput(u use) (map[string]any, error) {
	switch u.tool {
	case "Read":
		return map[string]any{"file_path": absolute(u.what)}, nil
	case "Edit":
		return map[string]any{"file_path": absolute(u.what), "old_string": "", "new_string": ""}, nil
	case "Write":
		return map[string]any{"file_path": absolute(u.what), "content": ""}, nil
	case "Grep", "Glob":
		return map[string]any{"pattern": u.what}, nil
	case "Bash":
		return map[string]any{"command": u.what}, nil
	case "WebSearch":
		return map[string]any{"query": u.what}, nil
	case "WebFetch":
		return map[string]any{"url": u.what, "prompt": ""}, nil
	}
	return nil, fmt.Errorf("no tool %q in the set; it has Read, Edit, Write, Grep, Glob, Bash, WebSearch, WebFetch", u.tool)
}

func absolute(file string) string {
	if path.IsAbs(file) {
		return file
	}
	return path.Join(projectDir, file)
}

// encode writes v as the host does: one line, < and > as they are.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
