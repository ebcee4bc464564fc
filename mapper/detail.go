package mapper

import (
	"fmt"
	"strings"
)

// detail renders one file: its exports and their members with their lines. A
// file that exports nothing shows all it declares. Under a limit the top-level
// names stay longest.
func (m *Map) detail(i int, o OutlineOptions) string {
	f := &m.Files[i]
	dir, _ := splitPath(f.Path)
	if dir == "" {
		dir = "."
	}
	if f.Skipped != "" {
		return title(0, 0, 0) + skippedText(map[string]int{f.Skipped: 1}) + "\n"
	}
	head := title(1, len(m.bodies[i].exports), f.Bytes) + filesHead + "### " + escape(dir) + "\n\n" + m.fileLine(i)
	top, members := f.listed()
	render := func(n int) string {
		shown := map[int]bool{}
		for k, at := range append(top[:len(top):len(top)], members...) {
			shown[at] = k < n
		}
		var b strings.Builder
		b.WriteString(head)
		for at := range f.Symbols {
			if s := &f.Symbols[at]; shown[at] {
				name := s.Qualified
				if name == "" || s.Top {
					name = s.Name
				}
				fmt.Fprintf(&b, "  - %s (%s) %s\n", escape(name), escape(s.Kind), s.span())
			}
		}
		b.WriteByte('\n')
		if more := len(top) + len(members) - n; more > 0 {
			fmt.Fprintf(&b, "left out: %d declarations; sp_symbol reads one by its name, sp_search finds it\n", more)
		}
		return b.String()
	}
	all := len(top) + len(members)
	text := render(all)
	if o.MaxTokens <= 0 || o.Tokens(text) <= o.MaxTokens {
		return text
	}
	low, high := 0, all // low fits, high does not
	for high-low > 1 {
		if mid := (low + high) / 2; o.Tokens(render(mid)) <= o.MaxTokens {
			low = mid
		} else {
			high = mid
		}
	}
	p := pieces{tokens: o.Tokens}
	return p.shorten(render(low), o.MaxTokens)
}

// listed gives the symbols of a file that its own map lists: top-level ones
// and members.
func (f *File) listed() (top, members []int) {
	public := false
	for i := range f.Symbols {
		public = public || f.Symbols[i].Exported
	}
	for i := range f.Symbols {
		switch s := &f.Symbols[i]; {
		case public && !s.Exported:
		case s.Top:
			top = append(top, i)
		default:
			members = append(members, i)
		}
	}
	return top, members
}

// span is a symbol's lines, "14" or "10-20".
func (s *Symbol) span() string {
	if s.End <= s.Line {
		return fmt.Sprint(s.Line)
	}
	return fmt.Sprintf("%d-%d", s.Line, s.End)
}
