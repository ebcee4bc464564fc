//go:build ignore

package main

import (
	"fmt"
	"os"
	"strings"
)

// figure is one column of the table.
type figure struct {
	title string
	unit  float64
	of    func(round) float64
}

func figures() []figure {
	return []figure{
		{"cold start ms", 1e6, func(r round) float64 { return r.start }},
		{"tools/list p50 µs", 1e3, func(r round) float64 { return r.list }},
		{"tools/call p50 µs", 1e3, func(r round) float64 { return r.call }},
		{"p99 µs", 1e3, func(r round) float64 { return r.worst }},
		{"RSS idle MiB", 1 << 20, func(r round) float64 { return r.idle }},
		{"after calls MiB", 1 << 20, func(r round) float64 { return r.used }},
	}
}

func render(all []contender) string {
	var b strings.Builder
	b.WriteString("| echo server |")
	for _, f := range figures() {
		fmt.Fprintf(&b, " %s |", f.title)
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", len(figures())) + "\n")
	for _, c := range all {
		fmt.Fprintf(&b, "| %s |", c.name)
		for _, f := range figures() {
			fmt.Fprintf(&b, " %s |", short(c.typical(f.of)/f.unit))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// short gives three digits, and more only before the point.
func short(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

const (
	begin = "<!-- written by testscripts/judge/sdks/run.sh -write -->\n"
	end   = "<!-- end -->\n"
)

// replace puts the table between the marks of a README.
func replace(name, table string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	head, rest, opened := strings.Cut(string(text), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !opened || !closed {
		return fmt.Errorf("%s has no marks for the table", name)
	}
	return os.WriteFile(name, []byte(head+begin+table+end+tail), 0o644)
}

// noise is how far another may be ahead on a busy machine.
const noise = 1.25

// compare holds the first contender against those of others, which have a
// version in their names.
func compare(all []contender) error {
	for _, other := range all[1:] {
		if !strings.Contains(other.name, " v") {
			continue
		}
		for _, f := range figures() {
			ours, theirs := all[0].typical(f.of), other.typical(f.of)
			if ours > theirs*noise {
				return fmt.Errorf("%s: %s is behind %s", f.title, all[0].name, other.name)
			}
		}
	}
	return nil
}
