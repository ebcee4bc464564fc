package mermaid

import (
	"fmt"
	"strings"
)

// Conversation is who takes part in a sequence diagram, from left to right,
// and what happens, from top to bottom.
type Conversation struct {
	Participants []Participant
	Steps        []Step
}

// Participant is one who sends or receives. Of several with the same ID the
// first counts.
type Participant struct {
	ID    string
	Label string // what is shown; "" shows ID
	Actor bool   // drawn as a person
}

// Step is a message, a note or a block of steps. From and To are IDs of
// participants; one that is not among them is added behind them.
type Step struct {
	Kind     StepKind
	From, To string // a note spans from one to the other; To may be ""
	Text     string
	Steps    []Step // what a block holds
}

// StepKind is what a Step is. Anything unknown means Message.
type StepKind string

// The kinds of steps. Loop, Option, Alternative and Parallel are blocks; within
// the last two, a Branch parts what is before it from what is after.
const (
	Message     StepKind = "message"
	Reply       StepKind = "reply"
	Async       StepKind = "async"
	Note        StepKind = "note"
	Loop        StepKind = "loop"
	Option      StepKind = "option"
	Alternative StepKind = "alternative"
	Parallel    StepKind = "parallel"
	Branch      StepKind = "branch"
)

// SequenceDiagram returns c as a sequence diagram in theme t.
func SequenceDiagram(c Conversation, t Theme) string {
	w := sequenceWriter{names: names{prefix: "p"}}
	var head strings.Builder
	head.WriteString(t.directive())
	head.WriteString("sequenceDiagram\n")
	declare := func(p Participant) {
		keyword := "participant"
		if p.Actor {
			keyword = "actor"
		}
		if id, fresh := w.names.id(p.ID); fresh {
			fmt.Fprintf(&head, "  %s %s as %s\n", keyword, id, label(first(p.Label, p.ID), quoted))
		}
	}
	for _, p := range c.Participants {
		declare(p)
	}
	declared := len(w.names.order)
	w.steps(c.Steps, 1, "")
	for i, name := range w.names.order[declared:] {
		fmt.Fprintf(&head, "  participant p%d as %s\n", declared+i, label(name, quoted))
	}
	return head.String() + w.body.String()
}

// sequenceWriter collects steps, and who takes part in them.
type sequenceWriter struct {
	names names
	body  strings.Builder
}

// steps writes steps; branch is the keyword that parts those of the block they
// are in, "" where none does.
func (w *sequenceWriter) steps(steps []Step, depth int, branch string) {
	for _, s := range steps {
		text := label(s.Text, quoted)
		line := func(format string, args ...any) {
			writeIndented(&w.body, depth, fmt.Sprintf(format, args...))
		}
		block := func(keyword, branch string) {
			line("%s %s\n", keyword, text)
			w.steps(s.Steps, depth+1, branch)
			line("end\n")
		}
		switch s.Kind {
		case Note:
			over, _ := w.names.id(s.From)
			if s.To != "" && s.To != s.From {
				to, _ := w.names.id(s.To)
				over += "," + to
			}
			line("Note over %s: %s\n", over, text)
		case Loop:
			block("loop", "")
		case Option:
			block("opt", "")
		case Alternative:
			block("alt", "else")
		case Parallel:
			block("par", "and")
		case Branch:
			if branch != "" {
				writeIndented(&w.body, depth-1, branch+" "+text+"\n")
			}
		default:
			from, _ := w.names.id(s.From)
			to, _ := w.names.id(s.To)
			line("%s%s%s: %s\n", from, s.Kind.arrow(), to, text)
		}
	}
}

// arrow returns the arrow of a message of kind k.
func (k StepKind) arrow() string {
	switch k {
	case Reply:
		return "-->>"
	case Async:
		return "-)"
	}
	return "->>"
}
