package mapper

import (
	"cmp"
	"container/heap"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A packing chooses pieces for a number of tokens. It begins with every folder
// folded and buys what is worth most for its cost: a folder's line, the folder
// opened, a file, the file's first exports, the rest of them. What is left at
// the end goes into single exports and into names of files that are not shown.
type packing struct {
	p      *pieces
	target int
	used   int

	nodes   []shape
	exports []int // by file: -1 = not shown, else how many of its exports
	starts  int   // entry points shown
	named   []int // files that the last line names
	queue   offers
}

// A shape is how a folder is shown.
type shape struct {
	state nodeState
	shown int // own files shown
}

type nodeState int8

const (
	absent nodeState = iota
	folded
	opened
)

const (
	filesHead   = "## Files\n\n"
	startsHead  = "## Entry points\n\n"
	firstFew    = 6    // exports of a file that are bought together
	fewWorth    = 0.6  // what they are worth against the file's line
	restWorth   = 0.25 // and what the others are
	startsShare = 4    // entry points take at most a fourth of a target that is short
	exportsHead = 8    // tokens for the words around a list of exports, at most
)

// An offer is a piece that can be bought.
type offer struct {
	kind  offerKind
	at    int // node or file
	worth float64
}

type offerKind int8

const (
	offerFold offerKind = iota
	offerOpen
	offerFile
	offerFew
	offerRest
)

type offers []offer

func (q offers) Len() int { return len(q) }
func (q offers) Less(i, j int) bool {
	a, b := q[i], q[j]
	return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(a.kind, b.kind), cmp.Compare(a.at, b.at)) < 0
}
func (q offers) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push and Pop implement heap.Interface.
func (q *offers) Push(x any) { *q = append(*q, x.(offer)) }
func (q *offers) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func (p *pieces) pack(target int) *packing {
	k := &packing{p: p, target: target, nodes: make([]shape, len(p.nodes)), exports: make([]int, len(p.files))}
	if k.takeAll() {
		return k
	}
	for i := range k.exports {
		k.exports[i] = -1
	}
	k.used = p.tokens(p.title) + p.tokens(filesHead) + p.tokens(k.lastLine())
	k.takeStarts()
	k.open(0)
	for k.queue.Len() > 0 {
		k.buy(heap.Pop(&k.queue).(offer))
	}
	k.fill()
	return k
}

// takeAll shows everything if it fits.
func (k *packing) takeAll() bool {
	p := k.p
	if k.target < 1<<40 {
		cost := p.tokens(p.title) + p.tokens(filesHead) + p.tokens(p.skipped)
		for _, s := range p.starts {
			cost += p.tokens(s)
		}
		for i := range p.nodes {
			if len(p.nodes[i].files) > 0 {
				cost += p.nodes[i].headCost + 1
			}
		}
		for i := 0; i < len(p.files) && cost <= k.target; i++ {
			cost += p.files[i].cost
			if costs := p.exportCosts(&p.files[i]); len(costs) > 0 {
				cost += exportsHead/2 + sum(costs)
			}
		}
		if cost > k.target {
			return false
		}
	}
	k.starts = len(p.starts)
	for i := range p.nodes {
		k.nodes[i] = shape{opened, len(p.nodes[i].files)}
	}
	for i := range p.files {
		k.exports[i] = len(p.m.bodies[p.files[i].at].exports)
	}
	return true
}

func sum(costs []int) int {
	total := 0
	for _, c := range costs {
		total += c
	}
	return total
}

// pay takes a cost if it is left.
func (k *packing) pay(cost int) bool {
	if k.used+cost > k.target {
		return false
	}
	k.used += cost
	return true
}

// takeStarts shows entry points while they stay below their share.
func (k *packing) takeStarts() {
	spent := k.p.tokens(startsHead) + 8
	for _, line := range k.p.starts {
		cost := k.p.tokens(line)
		if spent+cost > k.target/startsShare || !k.pay(cost) {
			break
		}
		spent += cost
		k.starts++
	}
	if k.starts > 0 {
		k.used += k.p.tokens(startsHead) + 8
	}
}

// open offers what is in a folder.
func (k *packing) open(n int) {
	node := &k.p.nodes[n]
	k.nodes[n].state = opened
	for _, f := range node.files {
		heap.Push(&k.queue, offer{offerFile, f, k.p.fileWorth(f)})
	}
	for _, c := range node.children {
		heap.Push(&k.queue, offer{offerFold, c, k.p.foldWorth(c)})
	}
}

// fileWorth is a file's value for a token, drawn half way to the mean of its
// folder: a folder shown in full says more than the same files in many.
func (p *pieces) fileWorth(f int) float64 {
	file := &p.files[f]
	node := &p.nodes[file.node]
	mean := 0.0
	for _, other := range node.files[:min(len(node.files), 64)] {
		mean += p.files[other].value
	}
	mean /= float64(min(len(node.files), 64))
	return (file.value + mean) / 2 / float64(file.cost+1)
}

// foldWorth is what a folder's single line is worth for a token.
func (p *pieces) foldWorth(n int) float64 {
	node := &p.nodes[n]
	return node.value / float64(1+node.count) * 4 / float64(node.foldCost+1) * growth(node.count)
}

// growth lets a folder count for more with its size, slowly.
func growth(count int) float64 {
	g := 1.0
	for ; count > 1; count /= 2 {
		g += 0.5
	}
	return g
}

// buy takes an offer if it can be paid, and offers what follows from it.
func (k *packing) buy(o offer) {
	p := k.p
	switch o.kind {
	case offerFold:
		if node := &p.nodes[o.at]; k.pay(node.foldCost) {
			k.nodes[o.at].state = folded
			heap.Push(&k.queue, offer{offerOpen, o.at, k.openWorth(o.at)})
		}
	case offerOpen:
		k.buyOpen(o.at)
	case offerFile:
		k.buyFile(o.at)
	case offerFew, offerRest:
		f := &p.files[o.at]
		costs := p.exportCosts(f)
		from, to := 0, min(firstFew, len(costs))
		head := exportsHead
		if o.kind == offerRest {
			from, to, head = to, len(costs), 0
		}
		if from != k.exports[o.at] || !k.pay(head+sum(costs[from:to])) {
			return
		}
		k.exports[o.at] = to
		if to < len(costs) {
			cost := sum(costs[to:])
			heap.Push(&k.queue, offer{offerRest, o.at, f.value * restWorth / float64(cost+1)})
		}
	}
}

// openWorth is what the best part of a folder would give for a token once the
// folder is open.
func (k *packing) openWorth(n int) float64 {
	node := &k.p.nodes[n]
	best := 0.0
	for _, f := range node.files {
		file := &k.p.files[f]
		best = max(best, k.p.fileWorth(f)*float64(file.cost)/float64(file.cost+node.headCost))
	}
	for _, c := range node.children {
		best = max(best, k.p.foldWorth(c))
	}
	return best * 0.9
}

// buyOpen opens a folded folder together with the best part of it, so that no
// heading stands alone.
func (k *packing) buyOpen(n int) {
	node := &k.p.nodes[n]
	extra := -node.foldCost
	if len(node.files) > 0 {
		best := slices.MinFunc(node.files, func(a, b int) int { return cmp.Compare(k.p.files[a].cost, k.p.files[b].cost) })
		extra += node.headCost + k.p.files[best].cost + k.moreCost(n)
	} else {
		extra += k.p.nodes[node.children[0]].foldCost
	}
	if k.used+extra > k.target {
		return
	}
	k.used -= node.foldCost
	k.open(n)
}

// moreCost is what the line about a folder's other files costs.
func (k *packing) moreCost(n int) int {
	return k.p.tokens(k.p.moreLine(n, len(k.p.nodes[n].files)))
}

func (k *packing) buyFile(f int) {
	file := &k.p.files[f]
	node, shape := &k.p.nodes[file.node], &k.nodes[file.node]
	cost := file.cost
	if shape.shown == 0 {
		cost += node.headCost + 1
		if len(node.files) > 1 {
			cost += k.moreCost(file.node)
		}
	} else if shape.shown == len(node.files)-1 {
		cost -= k.moreCost(file.node)
	}
	if !k.pay(cost) {
		return
	}
	shape.shown++
	k.exports[f] = 0
	if costs := k.p.exportCosts(file); len(costs) > 0 {
		cost := exportsHead + sum(costs[:min(firstFew, len(costs))])
		heap.Push(&k.queue, offer{offerFew, f, file.value * fewWorth / float64(cost)})
	}
}

// fill spends what is left: on single exports of the files shown, best files
// first, then on names of files that are not.
func (k *packing) fill() {
	order := make([]int, 0, 256)
	for f := range k.exports {
		order = append(order, f)
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(k.p.files[b].value, k.p.files[a].value), cmp.Compare(a, b))
	})
	const smallest = 3 // no piece costs less
	for _, f := range order {
		if k.target-k.used < smallest {
			return
		}
		if k.exports[f] < 0 {
			continue
		}
		costs := k.p.exportCosts(&k.p.files[f])
		if k.exports[f] == len(costs) || k.exports[f] == 0 && !k.pay(exportsHead) {
			continue
		}
		for k.exports[f] < len(costs) && k.pay(costs[k.exports[f]]) {
			k.exports[f]++
		}
	}
	tries := 0
	for _, f := range order {
		if k.target-k.used < smallest || tries > 512 {
			return
		}
		if k.exports[f] >= 0 {
			continue
		}
		tries++
		cost := k.p.tokens(", " + escape(k.p.rel(f)))
		if len(k.named) == 0 {
			cost += 4
		}
		if k.pay(cost) {
			k.named = append(k.named, f)
		}
	}
}

// rel is a file's path relative to what is shown.
func (p *pieces) rel(f int) string {
	_, name := splitPath(p.m.Files[p.files[f].at].Path)
	return join(p.nodes[p.files[f].node].path, name)
}

// complete reports whether nothing is left out.
func (k *packing) complete() bool {
	return !k.leaves()
}

func (k *packing) leaves() bool {
	if k.starts < len(k.p.starts) {
		return true
	}
	for f, n := range k.exports {
		if n < len(k.p.m.bodies[k.p.files[f].at].exports) {
			return true
		}
	}
	return false
}

// moreLine stands for the files of an open folder that are not shown.
func (p *pieces) moreLine(n, files int) string {
	line := fmt.Sprintf("- … %d more files", files)
	if root := p.rootOf(n); root != "" && n != 0 {
		line += ", sp_map with root " + strconv.Quote(root) + " lists more"
	}
	return line + "\n"
}

// rootOf is how a caller names a folder.
func (p *pieces) rootOf(n int) string {
	if p.rootArg == "" {
		return p.nodes[n].path
	}
	return strings.TrimSuffix(strings.TrimSuffix(p.rootArg, "/")+"/"+p.nodes[n].path, "/")
}

// lastLine says what was left out and how to ask for it, and what was skipped.
func (k *packing) lastLine() string {
	p := k.p
	if !k.leaves() {
		if p.skipped == "" {
			return ""
		}
		return p.skipped + "\n"
	}
	files, exports := 0, 0
	for f, n := range k.exports {
		switch has := len(p.m.bodies[p.files[f].at].exports); {
		case n < 0:
			files++
		default:
			exports += has - n
		}
	}
	var parts []string
	if more := len(p.starts) - k.starts; more > 0 {
		parts = append(parts, fmt.Sprintf("%d entry points", more))
	}
	if files > 0 {
		part := fmt.Sprintf("%d files", files)
		for i, f := range k.named {
			part += [2]string{", ", " (most used: "}[b2i(i == 0)] + escape(p.rel(f))
		}
		if len(k.named) > 0 {
			part += ")"
		}
		parts = append(parts, part)
	}
	if exports > 0 {
		parts = append(parts, fmt.Sprintf("%d exports", exports))
	}
	line := "left out: " + strings.Join(parts, ", ") + "; sp_map with a folder or file as root shows them, sp_search finds them"
	if p.skipped != "" {
		line += "; " + p.skipped
	}
	return line + "\n"
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// render writes the chosen pieces in the order of the project.
func (k *packing) render() string {
	p := k.p
	var b strings.Builder
	b.WriteString(p.title)
	if k.starts > 0 {
		b.WriteString(startsHead)
		for _, line := range p.starts[:k.starts] {
			b.WriteString(line)
		}
		if more := len(p.starts) - k.starts; more > 0 {
			fmt.Fprintf(&b, "- … %d more\n", more)
		}
		b.WriteByte('\n')
	}
	b.WriteString(filesHead)
	for i := range p.nodes {
		n := &p.nodes[i]
		switch {
		case k.nodes[i].state == folded:
			b.WriteString(n.fold)
		case k.nodes[i].shown > 0:
			b.WriteString(n.head)
			for _, f := range n.files {
				if k.exports[f] < 0 {
					continue
				}
				b.WriteString(p.files[f].line)
				if has := len(p.m.bodies[p.files[f].at].exports); has > 0 && k.exports[f] > 0 {
					b.WriteString(p.m.exportsLine(p.files[f].at, k.exports[f]))
				}
			}
			if more := len(n.files) - k.nodes[i].shown; more > 0 {
				b.WriteString(p.moreLine(i, more))
			}
			b.WriteByte('\n')
		}
	}
	b.WriteString(k.lastLine())
	return b.String()
}
