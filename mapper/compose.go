package mapper

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// unnamed gives names of files that are neither shown nor named, the shortest
// of the first few hundred first.
func (k *packing) unnamed() []string {
	const most = 512
	var names []string
	for f := 0; f < len(k.exports) && len(names) < most; f++ {
		if k.exports[f] < 0 {
			if name := escape(k.p.rel(f)); !slices.Contains(k.named, name) {
				names = append(names, name)
			}
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	return names
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

// moreLine stands for what an open folder does not show.
func (p *pieces) moreLine(n, files, symbols int) string {
	return fmt.Sprintf("- … %d more files with %d symbols, sp_map with root %s lists more\n", files, symbols, strconv.Quote(p.rootOf(n)))
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
			exports += has
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
		if len(k.named) > 0 {
			part += " (such as " + strings.Join(k.named, ", ") + ")"
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
	hidden := k.hidden()
	for i := range p.nodes {
		n, s := &p.nodes[i], &k.nodes[i]
		if s.state == folded {
			b.WriteString(n.fold)
		}
		if s.state != opened {
			continue
		}
		if s.shown > 0 {
			b.WriteString(n.head)
		}
		for _, f := range n.files {
			if k.exports[f] < 0 {
				continue
			}
			b.WriteString(p.files[f].line)
			if k.exports[f] > 0 {
				b.WriteString(p.m.exportsLine(p.files[f].at, k.exports[f]))
			}
		}
		switch h := hidden[i]; {
		case h.files == 0 || i == 0:
		case s.shown > 0:
			b.WriteString(p.moreLine(i, h.files, h.symbols))
		default:
			b.WriteString(foldLine(n.path, p.rootOf(i), h.files, "more files", h.symbols))
		}
		if s.shown > 0 {
			b.WriteByte('\n')
		}
	}
	b.WriteString(k.lastLine())
	return b.String()
}

// A tally is what a folder has below it and does not show.
type tally struct{ files, symbols int }

// hidden counts, for each open folder, its files that are not shown and those
// of subfolders that have no line of their own.
func (k *packing) hidden() []tally {
	out := make([]tally, len(k.nodes))
	for f, n := range k.exports {
		if n < 0 {
			t := &out[k.p.files[f].node]
			t.files++
			t.symbols += len(k.p.m.bodies[k.p.files[f].at].exports)
		}
	}
	for i := len(k.nodes) - 1; i > 0; i-- { // children come after their parents
		if k.nodes[i].state == absent {
			parent := &out[k.p.nodes[i].parent]
			parent.files += out[i].files
			parent.symbols += out[i].symbols
		}
	}
	return out
}
