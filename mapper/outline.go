package mapper

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// OutlineOptions says what of a map is rendered. The zero value renders all.
type OutlineOptions struct {
	MaxTokens int              // the rendered text never counts more; 0 = no limit
	Tokens    func(string) int // nil = the map's own, see [Options.Tokens]; then what was counted is kept for the next call

	// Dir narrows the map to the files below a folder, shown relative to it, or
	// to one file, whose members are then listed with their lines.
	Dir string

	// RootArg is how the caller names the folder that is shown: a folded folder
	// "a" below it is opened by root "RootArg/a". "" = Dir.
	RootArg string
}

// Outline renders the map as Markdown: the true totals, the entry points and,
// folder by folder, each mapped file with its lines, its purpose and what it
// exports. When the whole does not fit MaxTokens the most useful part stays:
// what the project refers to most, entry points first. Folders fold to one
// line, lists of exports are shortened, and the last line says what was left
// out. The same map and options give the same bytes.
func (m *Map) Outline(o OutlineOptions) string {
	kept := o.Tokens == nil
	if kept {
		o.Tokens = m.tokens
	}
	o.Dir = strings.Trim(strings.TrimPrefix(o.Dir, "./"), "/")
	if o.Dir == "." {
		o.Dir = ""
	}
	if o.RootArg == "" {
		o.RootArg = o.Dir
	}
	if i, ok := m.find(o.Dir); ok && o.Dir != "" {
		return m.detail(i, o)
	}
	if !kept || o.Dir != "" || o.RootArg != "" {
		return m.cut(o).outline(o.MaxTokens)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.whole == nil {
		m.whole = m.cut(o)
	}
	if m.outlined == "" || m.outlinedFor != o.MaxTokens {
		m.outlined, m.outlinedFor = m.whole.outline(o.MaxTokens), o.MaxTokens
	}
	return m.outlined
}

func (p *pieces) outline(limit int) string {
	if limit <= 0 {
		return p.pack(math.MaxInt, true).render()
	}
	return p.fit(limit)
}

// fit packs for a number of tokens. What a whole text counts is not what its
// pieces count one by one, so the target of the packing is moved until the
// rendered text fits and is full.
func (p *pieces) fit(limit int) string {
	const rounds = 14
	all := true // whether showing everything may fit
	var best *packing
	text, most := "", 0
	low, high := 0, 0 // targets known to fit and known to pass the limit
	step := 1
	target := limit
	for range rounds {
		k := p.pack(target, all)
		rendered := k.render()
		n := p.tokens(rendered)
		if n <= limit {
			if n > most {
				best, text, most = k, rendered, n
			}
			if n >= full(limit) || k.complete() {
				return text
			}
			low = target
			target += max(1, (limit-n)*9/10)
		} else {
			if k.complete() {
				all = false
			}
			high = target
			target = max(0, min(target, k.used)-2*(n-limit)-step)
			step *= 2
		}
		if high > 0 && (target >= high || target <= low) {
			target = (low + high) / 2
		}
		if high > 0 && high-low <= 1 {
			break
		}
	}
	if best == nil {
		return p.shorten(p.pack(0, false).render(), limit)
	}
	return best.topUp(text, limit)
}

// full is the number of tokens at which a text under a limit needs no more.
func full(limit int) int { return limit - limit/50 }

// topUp adds single exports and names to a packing and counts the whole text
// each time, until it is full: the last few tokens of a small limit.
func (k *packing) topUp(text string, limit int) string {
	const tries = 48
	tried := 0
	try := func(undo func()) {
		tried++
		if more := k.render(); k.p.tokens(more) <= limit && len(more) > len(text) {
			text = more
		} else {
			undo()
		}
	}
	for f := 0; f < len(k.exports) && tried < tries/2 && k.p.tokens(text) < full(limit); f++ {
		if n := k.exports[f]; n >= 0 && n < len(k.p.exportCosts(&k.p.files[f])) {
			k.exports[f]++
			try(func() { k.exports[f] = n })
		}
	}
	for _, name := range k.unnamed() {
		if tried == tries || k.p.tokens(text) >= full(limit) {
			break
		}
		k.named = append(k.named, name)
		try(func() { k.named = k.named[:len(k.named)-1] })
	}
	return text
}

// shorten drops lines from the end until a text fits: the last resort for a
// limit below what the totals take.
func (p *pieces) shorten(text string, limit int) string {
	lines := strings.SplitAfter(text, "\n")
	for len(lines) > 0 && p.tokens(strings.Join(lines, "")) > limit {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "")
}

// title is the head of every map.
func title(files, symbols int, bytes int64) string {
	return fmt.Sprintf("# Project map\n\n%d files, %d exported symbols, %s KiB of source.\n\n", files, symbols, kib(bytes))
}

// skippedText counts files by why they are not mapped, most frequent first;
// "" when there are none.
func skippedText(reasons map[string]int) string {
	const shown = 8
	names := slices.SortedFunc(maps.Keys(reasons), func(a, b string) int {
		if reasons[a] != reasons[b] {
			return reasons[b] - reasons[a]
		}
		return strings.Compare(a, b)
	})
	var parts []string
	rest := 0
	for i, r := range names {
		if i < shown {
			parts = append(parts, fmt.Sprintf("%d %s", reasons[r], cut(escape(r), 40)))
		} else {
			rest += reasons[r]
		}
	}
	if rest > 0 {
		parts = append(parts, fmt.Sprintf("%d for other reasons", rest))
	}
	if len(parts) == 0 {
		return ""
	}
	return "skipped: " + strings.Join(parts, ", ")
}
