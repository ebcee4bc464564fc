// Package mermaid writes Mermaid diagrams from plain structs: mind maps,
// flowcharts, sequence, class and state diagrams.
//
// Names and labels may be any text whatever, as file names and symbols are:
// what the caller calls a thing never reaches the diagram as an identifier,
// and every label is escaped so that Mermaid's own parser accepts it and shows
// it as it is. Nothing here lays out or draws, and no text that is Mermaid
// already is taken in.
//
//	text := mermaid.Flowchart(mermaid.Graph{
//		Nodes: []mermaid.Node{{ID: "a", Label: `say "hi"`}, {ID: "b"}},
//		Edges: []mermaid.Edge{{From: "a", To: "b", Label: "then"}},
//	}, mermaid.Dark)
//	fmt.Print(mermaid.Fence(text))
package mermaid

import (
	"fmt"
	"strings"
)

// Graph is a set of things and what leads from one to another.
type Graph struct {
	Direction Direction
	Nodes     []Node
	Edges     []Edge
}

// Node is one thing of a Graph. Of several nodes with the same ID the first
// counts. Nodes of one Group are drawn in a box of that name.
type Node struct {
	ID    string
	Label string // what is shown; "" shows ID
	Shape Shape
	Group string
}

// Edge leads from one node to another, by their IDs. An ID without a node
// makes one that shows its ID.
type Edge struct {
	From, To string
	Label    string
	Line     Line
}

// Direction is where a diagram grows to: "LR", "RL", "TB" or "BT". Anything
// else means LR.
type Direction string

// The directions.
const (
	LeftRight Direction = "LR"
	RightLeft Direction = "RL"
	TopDown   Direction = "TB"
	BottomUp  Direction = "BT"
)

// or returns d when it is a direction, and LeftRight otherwise.
func (d Direction) or() Direction {
	switch d {
	case RightLeft, TopDown, BottomUp:
		return d
	}
	return LeftRight
}

// Fence returns text as a fenced block of Markdown, which ends in a line end.
func Fence(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "mermaid\n" + strings.TrimSuffix(text, "\n") + "\n" + fence + "\n"
}

// names gives every name of the caller an identifier of its own that means
// nothing to Mermaid: a prefix and a number.
type names struct {
	prefix string
	ids    map[string]string
	order  []string
}

// id returns the identifier of name; fresh is true the first time.
func (n *names) id(name string) (id string, fresh bool) {
	if id, ok := n.ids[name]; ok {
		return id, false
	}
	if n.ids == nil {
		n.ids = map[string]string{}
	}
	id = fmt.Sprint(n.prefix, len(n.order))
	n.ids[name] = id
	n.order = append(n.order, name)
	return id, true
}

// first returns the first of its arguments that is not "".
func first(s, or string) string {
	if s == "" {
		return or
	}
	return s
}
