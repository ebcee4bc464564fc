package mermaid

import (
	"fmt"
	"strings"
)

// Machine is a set of states and what leads from one to another.
type Machine struct {
	Direction   Direction
	States      []State
	Transitions []Transition
}

// State is one state, or with States in it a machine of its own. IDs are those
// of the whole diagram: of several states with the same ID the first counts.
type State struct {
	ID          string
	Label       string // what is shown; "" shows ID
	Kind        StateKind
	Note        string // shown beside it
	States      []State
	Transitions []Transition
}

// StateKind is "choice", "fork" or "join", which show no label and hold no
// states. Anything else is a normal state.
type StateKind string

// The kinds of states.
const (
	Normal StateKind = "normal"
	Choice StateKind = "choice"
	Fork   StateKind = "fork"
	Join   StateKind = "join"
)

// Transition leads from one state to another, by their IDs. From "" is the
// start, To "" the end. An ID without a state makes one that shows its ID.
type Transition struct {
	From, To string
	Label    string
}

// StateDiagram returns m as a state diagram in theme t.
func StateDiagram(m Machine, t Theme) string {
	w := stateWriter{names: names{prefix: "s"}}
	fmt.Fprintf(&w.text, "%sstateDiagram-v2\n  direction %s\n", t.directive(), m.Direction.or())
	w.machine(m.States, m.Transitions, 1)
	return w.text.String()
}

// stateWriter collects states, and which have been declared.
type stateWriter struct {
	names names
	text  strings.Builder
}

// machine writes states and the transitions between them.
func (w *stateWriter) machine(states []State, transitions []Transition, depth int) {
	for _, s := range states {
		w.state(s, depth)
	}
	end := func(name string) string {
		if name == "" {
			return "[*]"
		}
		w.state(State{ID: name}, depth)
		id, _ := w.names.id(name)
		return id
	}
	for _, t := range transitions {
		from, to := end(t.From), end(t.To)
		text := ""
		if t.Label != "" {
			text = " : " + label(t.Label, quoted)
		}
		writeIndented(&w.text, depth, fmt.Sprintf("%s --> %s%s\n", from, to, text))
	}
}

// state declares s unless a state of that ID is declared already.
func (w *stateWriter) state(s State, depth int) {
	id, fresh := w.names.id(s.ID)
	if !fresh {
		return
	}
	line := func(format string, args ...any) {
		writeIndented(&w.text, depth, fmt.Sprintf(format, args...))
	}
	text := label(first(s.Label, s.ID), quoted)
	switch {
	case s.Kind == Choice || s.Kind == Fork || s.Kind == Join:
		line("state %s <<%s>>\n", id, s.Kind)
	case len(s.States)+len(s.Transitions) > 0:
		line("state \"%s\" as %s {\n", text, id)
		w.machine(s.States, s.Transitions, depth+1)
		line("}\n")
	default:
		line("state \"%s\" as %s\n", text, id)
	}
	if s.Note != "" {
		line("note right of %s : %s\n", id, label(s.Note, quoted))
	}
}
