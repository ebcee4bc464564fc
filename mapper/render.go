package mapper

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escape makes control and bidirectional characters, and bytes that are no
// UTF-8, visible: what is printed reads as it is.
func escape(s string) string {
	clean := true
	for i := 0; i < len(s) && clean; i++ {
		clean = s[i] >= ' ' && s[i] < 0x7f
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && strings.HasPrefix(s[i:], "\ufffd"):
			b.WriteRune(r)
		case r == utf8.RuneError:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case hidden(r):
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hidden reports whether a character would act on the text instead of showing.
func hidden(r rune) bool {
	return unicode.IsControl(r) || r == 0x2028 || r == 0x2029 || unicode.Is(unicode.Bidi_Control, r)
}

// code sets a name in back-quotes that the name's own cannot end.
func code(name string) string {
	name = escape(name)
	if !strings.Contains(name, "`") {
		return "`" + name + "`"
	}
	fence := "`"
	for strings.Contains(name, fence) {
		fence += "`"
	}
	return fence + " " + name + " " + fence
}

// cut shortens a text to at most n characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n--; n == 0 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
	}
	return s
}

// maxPurpose is the longest purpose shown, in characters.
const maxPurpose = 160

// fileLine is a file's line of the map.
func (m *Map) fileLine(i int) string {
	f := &m.Files[i]
	_, name := splitPath(f.Path)
	line := fmt.Sprintf("- %s (%d lines)", code(name), f.Lines)
	if f.Purpose != "" && !m.bodies[i].derived {
		line += " - " + cut(escape(f.Purpose), maxPurpose)
	}
	return line + "\n"
}

// export is one entry of a file's list of exports.
func export(s *Symbol) string {
	return escape(s.Name) + " (" + escape(s.Kind) + ")"
}

// exportsLine lists the first n exports of a file.
func (m *Map) exportsLine(i, n int) string {
	exports := m.bodies[i].exports
	var b strings.Builder
	b.WriteString("  - exports: ")
	for k, at := range exports[:n] {
		if k > 0 {
			b.WriteString(", ")
		}
		b.WriteString(export(&m.Files[i].Symbols[at]))
	}
	if more := len(exports) - n; more > 0 {
		if n > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "… %d more", more)
	}
	b.WriteByte('\n')
	return b.String()
}

// foldLine stands for a folder and all below it, or for what of it has no line
// of its own: "more files".
func foldLine(dir, root string, files int, kind string, symbols int) string {
	return fmt.Sprintf("### %s (%d %s, %d symbols) - folded, sp_map with root %s opens it\n\n",
		escape(dir), files, kind, symbols, strconv.Quote(root))
}

// kib prints a size in KiB with one decimal.
func kib(bytes int64) string { return strconv.FormatFloat(float64(bytes)/1024, 'f', 1, 64) }
