package mermaid

import (
	"cmp"
	"slices"
	"sort"
)

// fold leaves out as many nodes as the budget asks for and returns the text.
func (m *mindmap) fold() string {
	order := m.root.order()
	whole := sort.Search(len(order), func(i int) bool {
		m.root.show(i + 1)
		return m.count() > m.max
	})
	m.root.show(whole)
	if whole == 0 && !m.cut(m.root) {
		return ""
	}
	// Smaller nodes may fit behind the first that does not, and what is then
	// left of the budget takes a part of a label.
	rest := order[max(whole, 1):]
	rest = rest[:min(len(rest), maxTries)]
	m.fill(rest, func(n *branch) bool {
		n.shown = n.full
		return m.count() <= m.max
	})
	m.fill(rest, m.cut)
	return m.text()
}

// maxTries is how many nodes are tried for the rest of a budget.
const maxTries = 64

// order returns n and all below it in the order in which they are kept: the
// best first, but none before what is above it. It sets their places.
func (n *branch) order() []*branch {
	all := make([]*branch, 0, n.size)
	var collect func(*branch)
	collect = func(n *branch) {
		all = append(all, n)
		for _, c := range n.children {
			collect(c)
		}
	}
	collect(n)
	slices.SortStableFunc(all, func(a, b *branch) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.depth, b.depth))
	})
	for i, n := range all {
		n.place = i
	}
	return all
}

// count counts the tokens of what is shown.
func (m *mindmap) count() int { return m.tokens(m.text()) }

// fill shows those of nodes that show says fit, until the budget is full.
func (m *mindmap) fill(nodes []*branch, show func(*branch) bool) {
	for _, n := range nodes {
		if float64(m.count()) >= 0.95*float64(m.max) {
			return
		}
		if n.shown == "" && n.parent.shown != "" && !show(n) {
			n.shown = ""
		}
	}
}

// cut shows as much of the label of n as fits and reports whether any does.
func (m *mindmap) cut(n *branch) bool {
	runes := []rune(n.label)
	show := func(length int) {
		n.shown = label(string(runes[:length]), bare) + cutMark
	}
	length := sort.Search(max(len(runes)-1, 0), func(i int) bool {
		show(i + 1)
		return m.count() > m.max
	})
	if length == 0 {
		n.shown = ""
		return false
	}
	show(length)
	return true
}
