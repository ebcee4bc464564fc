package frontmatter

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// Scalar returns a text as a YAML value at the given depth of a document (1
// for the value of a key, 2 for an item of a list), in the form that js-yaml 3
// chooses: as it is when nothing can mistake it, else in single quotes, folded
// when a line is too long for its depth, literal when it has several lines,
// and in double quotes when a character needs an escape. Widths are counted in
// UTF-16 units.
func Scalar(text string, depth int) string {
	indent := 2 * depth
	width := 80 - indent
	switch {
	case text == "":
		return "''"
	case slices.ContainsFunc([]rune(text), needsEscape), strings.Trim(text, " \n") != text:
		return doubleQuoted(text)
	}
	lines := strings.Split(text, "\n")
	if slices.ContainsFunc(lines, func(l string) bool { return units(l) > width && l[0] != ' ' }) {
		return ">-\n" + indented(folded(lines, width), indent)
	}
	if len(lines) > 1 {
		return "|-\n" + indented(lines, indent)
	}
	if plain(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

func units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

func indented(lines []string, indent int) string {
	margin := strings.Repeat(" ", indent)
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		if l != "" {
			b.WriteString(margin + l)
		}
	}
	return b.String()
}

// folded returns the lines of a folded block. A single line break in such a
// block is read as a space, so that one that is meant is written twice, but
// for those beside a line that begins with a space, which are kept as they are.
func folded(lines []string, width int) []string {
	out := wrap(lines[0], width)
	spaced := lines[0] != "" && lines[0][0] == ' '
	for i := 1; i < len(lines); {
		first := i
		for i < len(lines)-1 && lines[i] == "" {
			i++
		}
		l := lines[i]
		now := l != "" && l[0] == ' '
		for range i - first {
			out = append(out, "")
		}
		if !spaced && !now && l != "" {
			out = append(out, "")
		}
		out = append(out, wrap(l, width)...)
		spaced = now
		i++
	}
	return out
}

// wrap breaks a line at single spaces so that the pieces fit the width where
// they can.
func wrap(l string, width int) []string {
	if l == "" || l[0] == ' ' {
		return []string{l}
	}
	var out []string
	start, last := 0, 0 // the piece begins at start; last is the latest place to break it
	for i := 0; i+1 < len(l); i++ {
		if l[i] != ' ' || l[i+1] == ' ' {
			continue
		}
		if units(l[start:i]) > width {
			cut := i
			if last > start {
				cut = last
			}
			out = append(out, l[start:cut])
			start = cut + 1
		}
		last = i
	}
	if units(l[start:]) > width && last > start {
		out = append(out, l[start:last])
		start = last + 1
	}
	return append(out, l[start:])
}

// plain reports whether a single line is read as that very text without quotes.
func plain(s string) bool {
	if strings.ContainsRune("-?:,[]{}#&*!|=>'\"%@`", rune(s[0])) {
		return false
	}
	if strings.ContainsAny(s, ",[]{}:") || strings.Contains(s, " #") {
		return false
	}
	return !reserved(s) && !number().MatchString(s)
}

// reserved reports whether YAML 1.1 or 1.2 takes a word for something else.
func reserved(s string) bool {
	switch s {
	case "~", "null", "Null", "NULL", "<<",
		"true", "True", "TRUE", "false", "False", "FALSE",
		"y", "Y", "yes", "Yes", "YES", "on", "On", "ON",
		"n", "N", "no", "No", "NO", "off", "Off", "OFF":
		return true
	}
	return false
}

// number matches integers, floats and dates of YAML 1.1.
var number = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:` + strings.Join([]string{
		`[-+]?0b[01_]*[01]`,
		`[-+]?0x[0-9a-fA-F_]*[0-9a-fA-F]`,
		`[-+]?0[0-7_]*[0-7]`,
		`[-+]?[1-9](?:[0-9_]*[0-9])?`,
		`[-+]?(?:0|[1-9][0-9_]*)(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?`,
		`\.[0-9_]+(?:[eE][-+]?[0-9]+)?`,
		`[-+]?\.(?:inf|Inf|INF)`,
		`\.(?:nan|NaN|NAN)`,
		`[0-9]{4}-[0-9]{2}-[0-9]{2}`,
	}, "|") + `)$`)
})

// needsEscape reports whether only double quotes can hold a character.
func needsEscape(r rune) bool {
	switch {
	case r == '\n':
		return false
	case r < ' ', r > '~' && r < 0xa1, r > 0xffff, r == '\u2028', r == '\u2029', r == '\ufeff', r == 0xfffe, r == 0xffff:
		return true
	}
	return false
}

func doubleQuoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				b.WriteString("\ufffd")
				continue
			}
		}
		if e, ok := escapes(r); ok {
			b.WriteString(e)
			continue
		}
		switch {
		case !needsEscape(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02X`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func escapes(r rune) (string, bool) {
	switch r {
	case 0:
		return `\0`, true
	case '\a':
		return `\a`, true
	case '\b':
		return `\b`, true
	case '\t':
		return `\t`, true
	case '\n':
		return `\n`, true
	case '\v':
		return `\v`, true
	case '\f':
		return `\f`, true
	case '\r':
		return `\r`, true
	case 0x1b:
		return `\e`, true
	case '"':
		return `\"`, true
	case '\\':
		return `\\`, true
	case 0x85:
		return `\N`, true
	case 0xa0:
		return `\_`, true
	case '\u2028':
		return `\L`, true
	case '\u2029':
		return `\P`, true
	}
	return "", false
}
