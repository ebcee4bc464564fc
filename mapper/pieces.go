package mapper

import (
	"math"
	"strings"
)

// The pieces of a map are its folders and files with what each part of them
// costs in tokens, counted once. How they are chosen is in pack.go.
type pieces struct {
	m       *Map
	rootArg string
	tokens  func(string) int

	title   string
	starts  []string // lines of the entry points
	nodes   []node   // folders in order; the first is the root
	files   []filePiece
	order   []int // files by value, see byValue
	skipped string
}

// A node is a folder that has mapped files below it.
type node struct {
	path     string // relative to what is shown, "" for the root
	parent   int
	children []int
	files    []int // its own, as indexes of pieces.files
	count    int   // mapped files in the whole subtree
	symbols  int   // their exports
	value    float64
	head     string
	fold     string
	headCost int
	foldCost int
}

// A filePiece is a mapped file. What its exports cost is counted when it is
// asked for.
type filePiece struct {
	at    int // index in Map.Files
	node  int
	value float64
	line  string
	cost  int
	costs []int // of each export, with the comma; nil until asked for
}

// cut takes the map below o.Dir apart.
func (m *Map) cut(o OutlineOptions) *pieces {
	p := &pieces{m: m, rootArg: o.RootArg, tokens: o.Tokens}
	ranks := m.ranks()
	nodeOf := map[string]int{}
	p.node("", nodeOf)
	reasons := map[string]int{}
	var bytes int64
	for i := range m.Files {
		f := &m.Files[i]
		rel, ok := below(f.Path, o.Dir)
		if !ok {
			continue
		}
		if f.Skipped != "" {
			reasons[f.Skipped]++
			continue
		}
		bytes += f.Bytes
		dir, _ := splitPath(rel)
		n := p.node(dir, nodeOf)
		line := m.fileLine(i)
		p.nodes[n].files = append(p.nodes[n].files, len(p.files))
		p.files = append(p.files, filePiece{at: i, node: n, value: math.Sqrt(ranks[i]), line: line, cost: p.tokens(line)})
		for up := n; up >= 0; up = p.nodes[up].parent {
			p.nodes[up].count++
			p.nodes[up].symbols += len(m.bodies[i].exports)
			p.nodes[up].value += math.Sqrt(ranks[i])
		}
	}
	for i := range p.nodes {
		n := &p.nodes[i]
		name := n.path
		if name == "" {
			name = "."
		}
		n.head = "### " + escape(name) + "\n\n"
		n.fold = foldLine(name, p.rootOf(i), n.count, "files", n.symbols)
		n.headCost, n.foldCost = p.tokens(n.head), p.tokens(n.fold)
	}
	for _, e := range m.EntryPoints {
		if rel, ok := below(e, o.Dir); ok {
			p.starts = append(p.starts, "- "+code(rel)+"\n")
		}
	}
	p.title = title(p.nodes[0].count, p.nodes[0].symbols, bytes)
	p.skipped = skippedText(reasons)
	return p
}

// below gives path relative to dir when it lies below it.
func below(path, dir string) (string, bool) {
	if dir == "" {
		return path, true
	}
	rest, ok := strings.CutPrefix(path, dir)
	return strings.TrimPrefix(rest, "/"), ok && strings.HasPrefix(rest, "/")
}

// node finds or makes the node of a folder and of those above it.
func (p *pieces) node(path string, nodeOf map[string]int) int {
	if n, ok := nodeOf[path]; ok {
		return n
	}
	parent := -1
	if path != "" {
		dir, _ := splitPath(path)
		parent = p.node(dir, nodeOf)
	}
	n := len(p.nodes)
	p.nodes = append(p.nodes, node{path: path, parent: parent})
	if parent >= 0 {
		p.nodes[parent].children = append(p.nodes[parent].children, n)
	}
	nodeOf[path] = n
	return n
}

// exportCosts counts a file's exports one by one.
func (p *pieces) exportCosts(f *filePiece) []int {
	exports := p.m.bodies[f.at].exports
	if f.costs == nil && len(exports) > 0 {
		f.costs = make([]int, len(exports))
		symbols := p.m.Files[f.at].Symbols
		for i, at := range exports {
			f.costs[i] = p.tokens(", " + export(&symbols[at]))
		}
	}
	return f.costs
}
