package mapper

import (
	"bytes"
	"path"
)

// Words of comments and strings are no identifiers. A lexis tells, for a family
// of languages, where they begin; it need not be exact, for what it gets wrong
// only adds or takes a few words of the lowest weight.
type lexis struct {
	line   string // begins a comment that ends with its line
	block  bool   // "/* */" is a comment
	triple bool   // three quotes hold a text of many lines
	tick   bool   // back-quotes hold a text of many lines
	single bool   // single quotes hold text
}

func lexisOf(file string) lexis {
	switch path.Ext(file) {
	case ".py", ".pyi":
		return lexis{line: "#", triple: true, single: true}
	case ".rb", ".sh", ".bash", ".zsh", ".pl", ".pm", ".r", ".R", ".ex", ".exs", ".tf", ".hcl", ".toml", ".yaml", ".yml", ".nix", ".jl":
		return lexis{line: "#", triple: true, single: true}
	case ".lua", ".sql", ".hs", ".elm":
		return lexis{line: "--", single: path.Ext(file) != ".hs"}
	case ".rs": // a single quote may begin a lifetime
		return lexis{line: "//", block: true}
	case ".java", ".kt", ".kts", ".scala", ".swift":
		return lexis{line: "//", block: true, triple: true, single: true}
	}
	return lexis{line: "//", block: true, tick: true, single: true}
}

// skip gives the index after the comment or string that begins at i, or i when
// none does. What is never closed does not begin.
func (x lexis) skip(src []byte, i int) int {
	rest := src[i:]
	switch c := src[i]; {
	case c == x.line[0] && bytes.HasPrefix(rest, []byte(x.line)):
		return i + lineLength(rest)
	case x.block && c == '/' && bytes.HasPrefix(rest, []byte("/*")):
		return i + closed(rest, 2, "*/")
	case c == '`' && x.tick:
		return i + closed(rest, 1, "`")
	case c == '"', c == '\'' && x.single:
		if quotes := string([]byte{c, c, c}); x.triple && bytes.HasPrefix(rest, []byte(quotes)) {
			return i + closed(rest, 3, quotes)
		}
		return i + quoted(rest)
	}
	return i
}

func lineLength(text []byte) int {
	if n := bytes.IndexByte(text, '\n'); n >= 0 {
		return n
	}
	return len(text)
}

// closed is the length of a text that opens with some bytes and ends with
// mark, 0 when it does not end.
func closed(text []byte, opening int, mark string) int {
	n := bytes.Index(text[min(opening, len(text)):], []byte(mark))
	if n < 0 {
		return 0
	}
	return opening + n + len(mark)
}

// quoted is the length of a string that ends on its line, 0 when it does not.
func quoted(text []byte) int {
	for i := 1; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return 0
}
