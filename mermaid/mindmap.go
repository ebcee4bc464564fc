package mermaid

import (
	"math"
	"strconv"
	"strings"
)

// Tree is a node of a mind map and what is below it.
type Tree struct {
	Label    string
	Rank     float64 // where a budget leaves nodes out, those of higher Rank stay
	Children []Tree
}

// MindmapOptions says how a mind map looks and what it may cost.
type MindmapOptions struct {
	Theme Theme
	// MaxTokens bounds the text as Tokens counts it; 0 or less means no bound.
	MaxTokens int
	// Tokens counts the tokens of a text; nil counts one for every three bytes.
	// It is given the whole diagram, so it may count what is put around it too.
	Tokens func(string) int
}

// Mindmap returns t as a mind map. Within a budget the nodes of the highest
// rank are kept, each with all that is above it, and of equal rank those
// nearer to the root. A node that lost some of what is below it says how many
// ("src/ +12"), and a node of its own says how many were left out in all
// ("… 40 more"). The last label to fit may be cut and then ends in "…".
//
// The result is never over the budget, and at least 95 % full when nodes were
// left out, from a budget of 200 on; below that it may be "", when not even
// the root fits.
func Mindmap(t Tree, o MindmapOptions) string {
	m := mindmap{theme: o.Theme, max: o.MaxTokens, tokens: o.Tokens}
	if m.max <= 0 {
		m.max = math.MaxInt
	}
	if m.tokens == nil {
		m.tokens = func(s string) int { return (len(s) + 2) / 3 }
	}
	m.root = grow(t, nil)
	m.root.show(math.MaxInt)
	if text := m.text(); o.MaxTokens <= 0 || m.tokens(text) <= m.max {
		return text
	}
	return m.fold()
}

// branch is a node of a mind map that is being folded.
type branch struct {
	label    string // as the caller has it
	full     string // the same, escaped
	shown    string // what stands in the diagram; "" where the node is left out
	rank     float64
	place    int // in the order in which nodes are kept
	depth    int
	size     int // nodes in it, itself with them
	parent   *branch
	children []*branch
}

// grow returns t as a branch of parent. A branch ranks as high as the best in
// it, since nothing is shown without all that is above it.
func grow(t Tree, parent *branch) *branch {
	n := &branch{label: t.Label, full: label(t.Label, bare), rank: t.Rank, size: 1, parent: parent}
	if parent != nil {
		n.depth = parent.depth + 1
	}
	if math.IsNaN(n.rank) {
		n.rank = math.Inf(-1)
	}
	for _, c := range t.Children {
		child := grow(c, n)
		n.rank = max(n.rank, child.rank)
		n.size += child.size
		n.children = append(n.children, child)
	}
	return n
}

// show shows those of n and below whose place is below end, and no others.
func (n *branch) show(end int) {
	n.shown = ""
	if n.place < end {
		n.shown = n.full
	}
	for _, c := range n.children {
		c.show(end)
	}
}

// mindmap is a mind map and its budget.
type mindmap struct {
	theme  Theme
	max    int
	tokens func(string) int
	root   *branch
}

// text returns the diagram of the nodes that are shown.
func (m *mindmap) text() string {
	var b strings.Builder
	b.WriteString(m.theme.mindmapDirective())
	b.WriteString("mindmap\n  (")
	b.WriteString(m.root.shown)
	b.WriteString(")\n")
	kept := 1
	for _, c := range m.root.children {
		kept += c.write(&b)
	}
	if left := m.root.size - kept; left > 0 {
		b.WriteString("    … ")
		b.WriteString(strconv.Itoa(left))
		b.WriteString(" more\n")
	}
	return b.String()
}

// write writes what is shown of n to b and returns how many nodes that was.
func (n *branch) write(b *strings.Builder) int {
	if n.shown == "" {
		return 0
	}
	left := n.size - 1
	for _, c := range n.children {
		if c.shown != "" {
			left -= c.size
		}
	}
	writeIndented(b, n.depth+1, n.shown)
	if left > 0 {
		b.WriteString(" +")
		b.WriteString(strconv.Itoa(left))
	}
	b.WriteByte('\n')
	kept := 1
	for _, c := range n.children {
		kept += c.write(b)
	}
	return kept
}
