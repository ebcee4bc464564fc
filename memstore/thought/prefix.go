package thought

import (
	"strings"
	"unicode/utf8"
)

// Prefixes returns the known categories.
func Prefixes() []string {
	return []string{
		"Lesson", "Pattern", "Decision", "Friction", "Resolution", "Action Item", "Parked", "Notice",
		"Domain", "Workflow", "Style", "Artifact", "Session Summary", "Meta", "Note",
	}
}

// ParsePrefix returns the category that a text begins with, as in "[Decision]
// We deploy on Fridays.", in its known spelling whatever its case; Note when it
// begins with none. Any other bracket is text: a box to tick, a link, a date.
func ParsePrefix(content string) string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(content), "[")
	if !ok {
		return "Note"
	}
	name, rest, ok := strings.Cut(rest, "]")
	if !ok || strings.HasPrefix(rest, "(") { // a link
		return "Note"
	}
	name = strings.TrimSpace(name)
	for _, p := range Prefixes() {
		if strings.EqualFold(p, name) {
			return p
		}
	}
	return "Note"
}

// Portability returns how far a thought of a category may travel unless its
// author says otherwise: domains and artifacts are sensitive.
func Portability(prefix string) string {
	if strings.EqualFold(prefix, "Domain") || strings.EqualFold(prefix, "Artifact") {
		return "sensitive"
	}
	return "portable"
}

// CleanPrefix returns a caller's own prefix without what no vault accepts in
// one; "" when nothing is left.
func CleanPrefix(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || direction(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	for strings.Contains(s, "..") {
		s = strings.ReplaceAll(s, "..", ".")
	}
	return strings.TrimSpace(s)
}

func unsafeLabel(s string) bool {
	return strings.Contains(s, "..") || strings.ContainsRune(s, 0) || strings.ContainsFunc(s, direction) || !utf8.ValidString(s)
}

// direction tells the signs that turn the direction of writing.
func direction(r rune) bool {
	return r == 0x202d || r == 0x202e || r == 0x200e || r == 0x200f || r == 0x61c
}

// FileName returns where a thought's file belongs, with "/": the folder of its
// prefix ("other" when that has no Latin letter or digit), the second it was
// created in, its first words and the end of its id.
func (t Thought) FileName() string {
	dir := slug(t.Prefix)
	if dir == "" {
		dir = "other"
	}
	words := t.Body
	for i, n := 0, 0; i < len(words); n++ {
		if n == 30 {
			words = words[:i]
			break
		}
		_, size := utf8.DecodeRuneInString(words[i:])
		i += size
	}
	words = slug(words)
	if words == "" {
		words = "thought"
	}
	tail := t.ID
	if len(tail) > 12 {
		tail = tail[len(tail)-12:]
	}
	return dir + "/" + t.CreatedAt.UTC().Format("20060102150405") + "-" + words + "-" + tail + ".md"
}

// slug returns s in lower case with one hyphen for all between Latin letters
// and digits.
func slug(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(s) {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte('-')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}
