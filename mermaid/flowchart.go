package mermaid

import (
	"fmt"
	"strings"
)

// Shape is the outline of a node: "round", "stadium", "circle", "diamond",
// "hexagon", "cylinder" or "subroutine". Anything else means a box.
type Shape string

// The shapes.
const (
	Box        Shape = "box"
	Round      Shape = "round"
	Stadium    Shape = "stadium"
	Circle     Shape = "circle"
	Diamond    Shape = "diamond"
	Hexagon    Shape = "hexagon"
	Cylinder   Shape = "cylinder"
	Subroutine Shape = "subroutine"
)

// around returns what opens and what closes a label of shape s.
func (s Shape) around() (left, right string) {
	switch s {
	case Round:
		return "(", ")"
	case Stadium:
		return "([", "])"
	case Circle:
		return "((", "))"
	case Diamond:
		return "{", "}"
	case Hexagon:
		return "{{", "}}"
	case Cylinder:
		return "[(", ")]"
	case Subroutine:
		return "[[", "]]"
	}
	return "[", "]"
}

// Line is how an edge is drawn: "dotted", "thick" or "plain", which has no
// arrow head. Anything else means a solid arrow.
type Line string

// The lines.
const (
	Solid  Line = "solid"
	Dotted Line = "dotted"
	Thick  Line = "thick"
	Plain  Line = "plain"
)

// arrow returns line l as a flowchart has it.
func (l Line) arrow() string {
	switch l {
	case Dotted:
		return "-.->"
	case Thick:
		return "==>"
	case Plain:
		return "---"
	}
	return "-->"
}

// maxEdges is how many edges Mermaid takes; one more and it refuses the
// diagram.
const maxEdges = 500

// Flowchart returns g as a flowchart in theme t. Mermaid takes at most 500
// edges; of more the first 500 are kept, and a node states how many were not.
func Flowchart(g Graph, t Theme) string {
	edges := g.Edges[:min(len(g.Edges), maxEdges)]
	var b strings.Builder
	fmt.Fprintf(&b, "%sflowchart %s\n", t.directive(), g.Direction.or())

	nodes := names{prefix: "n"}
	groups := names{prefix: "g"}
	members := map[string][]string{} // group -> lines of its nodes
	for _, n := range g.Nodes {
		if id, fresh := nodes.id(n.ID); fresh {
			groups.id(n.Group)
			left, right := n.Shape.around()
			members[n.Group] = append(members[n.Group], id+left+`"`+label(first(n.Label, n.ID), quoted)+`"`+right+"\n")
		}
	}
	for _, name := range groups.order {
		if name == "" {
			writeIndented(&b, 1, members[name]...)
			continue
		}
		id, _ := groups.id(name)
		fmt.Fprintf(&b, "  subgraph %s[\"%s\"]\n", id, label(name, quoted))
		writeIndented(&b, 2, members[name]...)
		b.WriteString("  end\n")
	}
	end := func(name string) string {
		id, fresh := nodes.id(name)
		if fresh {
			fmt.Fprintf(&b, "  %s[\"%s\"]\n", id, label(name, quoted))
		}
		return id
	}
	for _, e := range edges {
		from, to := end(e.From), end(e.To)
		text := ""
		if e.Label != "" {
			text = `|"` + label(e.Label, quoted) + `"|`
		}
		fmt.Fprintf(&b, "  %s %s%s %s\n", from, e.Line.arrow(), text, to)
	}
	if left := len(g.Edges) - len(edges); left > 0 {
		fmt.Fprintf(&b, "  more[\"… %d more edges\"]\n", left)
	}
	return b.String()
}

// writeIndented writes lines, which end in line ends, depth steps to the right.
func writeIndented(b *strings.Builder, depth int, lines ...string) {
	for _, line := range lines {
		for range depth {
			b.WriteString("  ")
		}
		b.WriteString(line)
	}
}
