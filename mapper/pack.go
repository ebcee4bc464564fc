package mapper

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
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
	exports []int    // by file: -1 = not shown, else how many of its exports
	starts  int      // entry points shown
	named   []string // what the last line names of what is not shown
	queue   offers
}

// A shape is how a folder is shown.
type shape struct {
	state   nodeState
	shown   int // own files shown
	missing int // own files and subfolders not shown, while open
	reserve int // tokens kept for the line about them
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
	fewWorth    = 0.8  // what they are worth against the file's line
	soleWorth   = 1.6  // the same for a file whose line tells no purpose
	headCost    = 12   // tokens added to every file's cost when worth is compared: a name alone is cheap and says little
	restWorth   = 0.25 // and what the others are
	startsShare = 6    // entry points take at most a sixth of a target that is short
	foldsShare  = 0.4  // the first lines of folders take at most this
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

// pack chooses for a target of tokens; all says whether showing everything is
// worth a try.
func (p *pieces) pack(target int, all bool) *packing {
	k := &packing{p: p, target: target, nodes: make([]shape, len(p.nodes)), exports: make([]int, len(p.files))}
	if all && k.takeAll() {
		return k
	}
	for i := range k.exports {
		k.exports[i] = -1
	}
	k.used = p.tokens(p.title) + p.tokens(filesHead) + p.tokens(k.lastLine())
	k.takeStarts()
	k.open(0)
	k.orient()
	for k.queue.Len() > 0 {
		k.buy(heap.Pop(&k.queue).(offer))
	}
	k.fill()
	return k
}

// takeAll shows everything if it fits.
func (k *packing) takeAll() bool {
	p := k.p
	if k.target < math.MaxInt {
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
		k.nodes[i] = shape{state: opened, shown: len(p.nodes[i].files)}
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

// orient shows the largest folders of the root first: whoever reads a map must
// learn what there is before what matters in it.
func (k *packing) orient() {
	order := slices.Clone(k.p.nodes[0].children)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(k.p.foldWorth(b), k.p.foldWorth(a)) })
	until := k.used + int(foldsShare*float64(k.target-k.used))
	for _, n := range order {
		if k.used+k.p.nodes[n].foldCost <= until {
			k.buyFold(n)
		}
	}
}

// open offers what is in a folder and keeps tokens for the line about what
// will not be bought.
func (k *packing) open(n int) {
	node, s := &k.p.nodes[n], &k.nodes[n]
	s.state = opened
	s.missing = len(node.files) + len(node.children)
	if s.missing > 1 && n != 0 {
		s.reserve = k.p.tokens(k.p.moreLine(n, node.count, node.symbols))
		k.used += s.reserve
	}
	for _, f := range node.files {
		heap.Push(&k.queue, offer{offerFile, f, k.p.fileWorth(f)})
	}
	for _, c := range node.children {
		heap.Push(&k.queue, offer{offerFold, c, k.p.foldWorth(c)})
	}
}

// found notes that a piece of a folder is shown.
func (k *packing) found(n int) {
	s := &k.nodes[n]
	if s.missing--; s.missing == 0 {
		k.used -= s.reserve
		s.reserve = 0
	}
}

// fileWorth is a file's value for a token, drawn half way to the mean of its
// folder: a folder shown in full says more than the same files in many. A test
// gains nothing from the company it keeps.
func (p *pieces) fileWorth(f int) float64 {
	file := &p.files[f]
	if p.m.bodies[file.at].test {
		return file.value / float64(file.cost+headCost)
	}
	node := &p.nodes[file.node]
	mean := 0.0
	for _, other := range node.files[:min(len(node.files), 64)] {
		mean += p.files[other].value
	}
	mean /= float64(min(len(node.files), 64))
	return (file.value + mean) / 2 / float64(file.cost+headCost)
}

// foldWorth is what a folder's single line is worth for a token.
func (p *pieces) foldWorth(n int) float64 {
	node := &p.nodes[n]
	return 0.6 * math.Sqrt(node.value) / float64(node.foldCost+1)
}

// buy takes an offer if it can be paid, and offers what follows from it.
func (k *packing) buy(o offer) {
	p := k.p
	switch o.kind {
	case offerFold:
		k.buyFold(o.at)
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

func (k *packing) buyFold(n int) {
	node := &k.p.nodes[n]
	if k.nodes[n].state != absent || k.nodes[node.parent].state != opened || !k.pay(node.foldCost) {
		return
	}
	k.nodes[n].state = folded
	k.found(node.parent)
	heap.Push(&k.queue, offer{offerOpen, n, k.openWorth(n)})
}

// buyOpen opens a folded folder together with a first part of it, so that no
// heading stands alone.
func (k *packing) buyOpen(n int) {
	node := &k.p.nodes[n]
	before := *k
	k.used -= node.foldCost
	k.open(n)
	byValue := slices.Clone(node.files)
	slices.SortStableFunc(byValue, func(a, b int) int { return cmp.Compare(k.p.files[b].value, k.p.files[a].value) })
	for _, f := range byValue[:min(len(byValue), 8)] {
		if k.buyFile(f); k.nodes[n].shown > 0 {
			return
		}
	}
	children := slices.Clone(node.children)
	slices.SortStableFunc(children, func(a, b int) int { return cmp.Compare(k.p.foldWorth(b), k.p.foldWorth(a)) })
	for _, c := range children {
		if k.buyFold(c); k.nodes[c].state == folded {
			return
		}
	}
	// Nothing of it fits: it stays folded, and what it offered finds no money
	// or its folder closed.
	k.used, k.nodes[n] = before.used, shape{state: folded}
}

func (k *packing) buyFile(f int) {
	file := &k.p.files[f]
	node, s := &k.p.nodes[file.node], &k.nodes[file.node]
	cost := file.cost
	if s.shown == 0 {
		cost += node.headCost + 1
	}
	if s.state != opened || k.exports[f] >= 0 || !k.pay(cost) {
		return
	}
	s.shown++
	k.found(file.node)
	k.exports[f] = 0
	if costs := k.p.exportCosts(file); len(costs) > 0 {
		cost := exportsHead + sum(costs[:min(firstFew, len(costs))])
		worth := file.value * fewWorth
		if k.p.m.bodies[file.at].derived {
			worth = file.value * soleWorth
		}
		heap.Push(&k.queue, offer{offerFew, f, worth / float64(cost)})
	}
}

// fill spends what is left: on single exports of the files shown, best files
// first, then on names of files that are not.
func (k *packing) fill() {
	order := k.p.byValue()
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
	k.fillNames(order)
}

// byValue gives all files, the most valuable first.
func (p *pieces) byValue() []int {
	if p.order == nil {
		p.order = make([]int, len(p.files))
		for f := range p.order {
			p.order[f] = f
		}
		slices.SortStableFunc(p.order, func(a, b int) int { return cmp.Compare(p.files[b].value, p.files[a].value) })
	}
	return p.order
}

// fillNames names in the last line what is not shown: folders of the root,
// then files.
func (k *packing) fillNames(order []int) {
	const attempts = 512
	name := func(path string) {
		cost := k.p.tokens(", " + path)
		if len(k.named) == 0 {
			cost += k.p.tokens(" (such as )")
		}
		if k.pay(cost) {
			k.named = append(k.named, path)
		}
	}
	for _, c := range k.p.nodes[0].children {
		if k.nodes[c].state == absent {
			name(escape(k.p.nodes[c].path) + "/")
		}
	}
	tries := 0
	for _, f := range order {
		if tries == attempts {
			return
		}
		if k.exports[f] < 0 {
			tries++
			name(escape(k.p.rel(f)))
		}
	}
}
