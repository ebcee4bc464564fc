package mapper

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// OutlineOptions says what of a map is rendered. The zero value renders all.
type OutlineOptions struct {
	MaxTokens int              // the rendered text never counts more; 0 = no limit
	Tokens    func(string) int // nil = the map's own, see [Options.Tokens]

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
	if o.Tokens == nil {
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
	p := m.cut(o)
	if o.MaxTokens <= 0 {
		return p.pack(1 << 40).render()
	}
	return p.fit(o.MaxTokens)
}

// fit packs for a number of tokens. What a whole text counts is not what its
// pieces count one by one, so the target of the packing is moved until the
// rendered text fits and is full.
func (p *pieces) fit(limit int) string {
	const rounds = 10
	full := limit - limit/50
	best := ""
	most := 0
	low, high := 0, 0 // targets known to fit and known to pass the limit
	target := limit
	for range rounds {
		k := p.pack(target)
		text := k.render()
		n := p.tokens(text)
		if n <= limit {
			if n >= most {
				best, most = text, n
			}
			if n >= full || k.complete() {
				return text
			}
			low = target
			target += max(1, (limit-n)*9/10)
		} else {
			high = target
			target = target * limit / n
		}
		if high > 0 && (target >= high || target <= low) {
			target = (low + high) / 2
		}
		if high > 0 && high-low <= 1 {
			break
		}
	}
	if best == "" {
		best = p.shorten(p.pack(0).render(), limit)
	}
	return best
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
