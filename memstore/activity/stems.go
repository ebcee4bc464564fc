package activity

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// Stems returns the words that tell what a file is about: those of each
// segment of its path without the last extension, split at camelCase, in lower
// case, of three characters or more, each once, in the order of the path.
// Words of layout, such as src or test, and numbers are left out. Of a file
// that lies outside the project only the base name counts, so that no user's
// or company's name becomes a topic.
func Stems(file string) []string {
	file = slashes(file)
	if outside(file) {
		file = path.Base(file)
	}
	var out []string
	for segment := range strings.SplitSeq(file, "/") {
		if i := strings.LastIndexByte(segment, '.'); i > 0 {
			segment = segment[:i]
		}
		for _, w := range camelWords(segment, 3) {
			if !isLayout(w) && strings.ContainsFunc(w, unicode.IsLetter) && !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

func isLayout(word string) bool {
	switch word {
	case "src", "lib", "libs", "app", "apps", "index", "test", "tests", "testdata", "testing", "spec", "specs", "main", "mod",
		"init", "internal", "pkg", "packages", "cmd", "bin", "dist", "build", "out", "source", "sources", "node", "modules",
		"vendor", "the", "and", "for", "readme":
		return true
	}
	return false
}

// slashes returns a path with forward slashes.
func slashes(file string) string { return strings.ReplaceAll(file, `\`, "/") }

// outside reports whether a path with forward slashes leaves the project.
func outside(file string) bool {
	return strings.HasPrefix(file, "/") || strings.HasPrefix(file, "~") || file == ".." || strings.HasPrefix(file, "../") || hasDrive(file)
}

func hasDrive(file string) bool {
	return len(file) >= 2 && file[1] == ':' && (file[0]|0x20) >= 'a' && (file[0]|0x20) <= 'z'
}

// looksLikePath reports whether a tool's argument is a path rather than a
// command, a pattern, an address or a number.
func looksLikePath(s string) bool {
	if s == "" || strings.ContainsAny(s, " \t\n*?[]{}<>|\"'`$;&=,()") || strings.Contains(s, "://") || strings.HasPrefix(s, "-") {
		return false
	}
	s = slashes(s)
	if strings.Contains(s, "@") && !strings.Contains(s, "/") {
		return false
	}
	ext := path.Ext(s)
	if n := len(ext) - 1; n >= 1 && n <= 8 && !strings.ContainsFunc(ext[1:], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return strings.ContainsFunc(ext, unicode.IsLetter) || strings.Contains(s, "/")
	}
	return strings.Contains(s, "/") && strings.ContainsFunc(s, unicode.IsLetter)
}

// places knows where a project and its user live, to name files without them.
type places struct{ root, home string }

func newPlaces(root, home string) places {
	tidy := func(dir string) string {
		if dir = strings.TrimRight(slashes(dir), "/"); len(dir) < 2 || len(dir) == 2 && hasDrive(dir) {
			return ""
		}
		return dir
	}
	return places{tidy(root), tidy(home)}
}

// name returns a file relative to the root if it lies there, else with ~ for
// the user's home. It returns "" for what names no file.
func (p places) name(file string) string {
	file = strings.TrimSpace(file)
	if file == "" || strings.Contains(file, "://") || strings.ContainsAny(file, "\n\r\x00") {
		return ""
	}
	file = path.Clean(slashes(file))
	if rest, ok := below(file, p.root); ok {
		file = rest
	} else if rest, ok := below(file, p.home); ok {
		file = path.Join("~", rest)
	}
	if file == "." || file == "" || file == "/" {
		return ""
	}
	return file
}

// below returns file relative to dir; paths with a drive are compared without
// case.
func below(file, dir string) (rest string, ok bool) {
	if dir == "" || len(file) < len(dir) {
		return "", false
	}
	head := file[:len(dir)]
	if head != dir && !(hasDrive(dir) && strings.EqualFold(head, dir)) {
		return "", false
	}
	rest = file[len(dir):]
	if rest == "" {
		return ".", true
	}
	return strings.TrimPrefix(rest, "/"), rest[0] == '/'
}

// hide replaces, wherever they stand in a text, the root of the project by
// nothing before a slash and the user's home by ~.
func (p places) hide(s string) string {
	for _, dir := range []string{p.root, p.home} {
		if dir == "" {
			continue
		}
		forms := []string{dir}
		if hasDrive(dir) {
			forms = append(forms, strings.ReplaceAll(dir, "/", `\`))
		}
		for _, form := range forms {
			s = hidden(s, form, dir == p.root)
		}
	}
	return s
}

func hidden(s, dir string, root bool) string {
	var b strings.Builder
	done := 0
	for at := 0; ; {
		i := strings.Index(s[at:], dir)
		if i < 0 {
			break
		}
		i += at
		at = i + len(dir)
		if i > 0 && partOfName(s[i-1]) || at < len(s) && partOfName(s[at]) {
			continue
		}
		slash := at < len(s) && (s[at] == '/' || s[at] == '\\')
		switch {
		case !root:
			b.WriteString(s[done:i] + "~")
			done = at
		case slash && at+1 < len(s) && partOfName(s[at+1]):
			b.WriteString(s[done:i])
			done = at + 1
		default:
			b.WriteString(s[done:i] + ".")
			done = at
		}
	}
	return b.String() + s[done:]
}

func partOfName(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}
