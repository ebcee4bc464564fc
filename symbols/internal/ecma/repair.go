package ecma

import (
	"bytes"
	"context"
	"strings"

	"github.com/slipstream-mcp/slipstream/symbols/treesitter"
)

// parse parses src. What the grammar of TypeScript does not know is masked
// first, byte for byte, so that every offset stays true. When that leaves errors,
// the text as it is may have fewer.
func parse(ctx context.Context, src []byte, d Dialect) (*treesitter.Tree, error) {
	if d.CommonJS {
		return d.Grammar.Parse(ctx, src)
	}
	masked := mask(src)
	tree, err := d.Grammar.Parse(ctx, masked)
	if err != nil || tree.Errors == 0 || bytes.Equal(masked, src) {
		return tree, err
	}
	plain, err := d.Grammar.Parse(ctx, src)
	if err != nil || plain.Errors < tree.Errors {
		return plain, err
	}
	return tree, nil
}

// mask returns a copy of src in which the grammar finds nothing unknown:
//
//   - variance marks, <in A, out B>, are blank;
//   - the semicolon that the language supplies between two members of a type
//     stands where the second one begins with a call signature or is called in;
//   - names that are words of the language elsewhere, as a member called using
//     or an element of a tuple called symbol, are other names;
//   - import("x") in a type is a name;
//   - the star of export type * stands without type;
//   - global, in an ambient module, stands on a line of its own before its block;
//   - escapes in templates are plain letters (template types have none).
func mask(src []byte) []byte {
	out := bytes.Clone(src)
	s := scanner{src: src, out: out}
	var last []byte
	for s.next() {
		token := src[s.at:s.to]
		if s.depth() == '[' && (string(last) == "[" || string(last) == ",") && isWord(token[0]) && s.before(":?") {
			fill(out[s.at:s.to], '_')
		}
		switch string(token) {
		case "in", "instanceof", "out":
			switch {
			case s.supplies() && (s.before(":?") || s.inType() && s.before("(<")):
				out[s.end] = ';'
			case variancePlace[string(last)] && s.beforeName():
				fill(out[s.at:s.to], ' ')
			}
		case "as", "satisfies":
			switch string(last) {
			case "let", "const", "var":
				fill(out[s.at:s.to], '_')
			case "type":
				if s.before("=<") {
					fill(out[s.at:s.to], '_')
				}
			}
		case "abstract", "accessor", "using":
			switch string(s.following()) {
			case "", "as", "satisfies", "in", "instanceof":
				fill(out[s.at:s.to], '_')
			}
		case "import":
			fill(out[s.at:s.at+s.importCall()], '_')
		case "type":
			switch {
			case string(last) == "export" && s.before("*"):
				fill(out[s.at:s.to], ' ')
			case string(s.following()) == "extends":
				fill(out[s.at:s.to], '_')
			}
		case "global":
			if string(last) != "declare" && s.before("{") && src[s.to] == ' ' {
				out[s.to] = '\n'
			}
		case "readonly":
			if string(last) == "keyof" {
				fill(out[s.at:s.to], ' ')
			}
		case "<", "(":
			if (token[0] == '<' || s.inType()) && s.supplies() && !operators[string(last)] {
				out[s.end] = ';'
			}
		}
		last = token
	}
	return out
}

func fill(b []byte, c byte) {
	for i := range b {
		b[i] = c
	}
}

// importCall is the length of import("x") at the token; 0 when it is none.
func (s *scanner) importCall() int {
	const head = "import("
	rest := s.src[s.at:]
	if !bytes.HasPrefix(rest, []byte(head)) || len(rest) < len(head)+2 || rest[len(head)] != '"' && rest[len(head)] != '\'' {
		return 0
	}
	n := len(head) + quoted(rest[len(head):], rest[len(head)])
	for depth := 1; n < len(rest) && rest[n] != '\n'; n++ {
		switch rest[n] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return n + 1
			}
		}
	}
	return 0
}

// variancePlace lists what stands before a variance mark; neither word can
// stand there and before a name anywhere else.
var variancePlace = map[string]bool{"<": true, ",": true, "in": true, "const": true}

// operators lists the words of the language that a type goes on after.
var operators = map[string]bool{
	"extends": true, "keyof": true, "typeof": true, "is": true, "infer": true, "readonly": true, "new": true,
	"asserts": true, "unique": true, "as": true, "return": true, "in": true, "instanceof": true, "get": true, "set": true,
	"yield": true, "await": true, "abstract": true, "async": true, "of": true, "case": true, "satisfies": true,
}

// supplies reports whether the language may supply a semicolon before the
// token, the first on its line and inside braces.
func (s *scanner) supplies() bool {
	return s.newline && s.depth() == '{' && s.end < s.at && s.src[s.end] <= ' ' && endsMember(s.src[:s.end])
}

// inType reports whether the braces around the token hold members of a type.
func (s *scanner) inType() bool {
	return len(s.types) > 0 && s.types[len(s.types)-1]
}

// before reports whether one of the given characters follows the token.
func (s *scanner) before(chars string) bool {
	rest := bytes.TrimLeft(s.src[s.to:], " \t\r\n")
	return len(rest) > 0 && strings.IndexByte(chars, rest[0]) >= 0
}

// following is the word that follows the token, or nothing.
func (s *scanner) following() []byte {
	rest := bytes.TrimLeft(s.src[s.to:], " \t\r\n")
	n := 0
	for n < len(rest) && isWord(rest[n]) {
		n++
	}
	return rest[:n]
}

// beforeName reports whether a name follows the token, on which a mark of
// variance is, and not a word that makes the token itself a name.
func (s *scanner) beforeName() bool {
	switch string(s.following()) {
	case "", "extends", "in", "instanceof", "as", "is", "of", "satisfies":
		return false
	}
	return true
}

// endsMember reports whether a type may end where src ends.
func endsMember(src []byte) bool {
	c := src[len(src)-1]
	if c == '>' {
		return len(src) < 2 || src[len(src)-2] != '='
	}
	return isWord(c) || strings.IndexByte(")]}\"'`", c) >= 0
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

// scanner steps through the tokens of a text as far as telling code from
// strings, comments and regular expressions takes.
type scanner struct {
	src     []byte
	out     []byte // the copy to mask
	at, to  int    // the token
	end     int    // where the token before it ends
	newline bool   // a line ends between them
	open    []byte // brackets around the token; '$' for ${
	types   []bool // for each, whether it may hold the members of a type
	header  bool   // inside the head of an interface
}

func (s *scanner) depth() byte {
	if len(s.open) == 0 {
		return 0
	}
	return s.open[len(s.open)-1]
}

// next moves to the next token.
func (s *scanner) next() bool {
	s.close()
	if s.to > 0 {
		s.end = s.to
	}
	s.newline = false
	i := s.to
	for ; i < len(s.src); i++ {
		switch c := s.src[i]; {
		case c == '\n':
			s.newline = true
		case c <= ' ':
		case bytes.HasPrefix(s.src[i:], []byte("//")):
			i += through(s.src[i:], "\n") - 2
		case bytes.HasPrefix(s.src[i:], []byte("/*")):
			n := 2 + through(s.src[i+2:], "*/")
			s.newline = s.newline || bytes.IndexByte(s.src[i:i+n], '\n') >= 0
			i += n - 1
		default:
			s.at = i
			s.to = i + s.token(i)
			return true
		}
	}
	return false
}

// through is the length of src up to and including the first mark, or of all.
func through(src []byte, mark string) int {
	if i := bytes.Index(src, []byte(mark)); i >= 0 {
		return i + len(mark)
	}
	return len(src)
}

// token is the length of the token at i.
func (s *scanner) token(i int) int {
	switch c := s.src[i]; {
	case isWord(c):
		n := 1
		for i+n < len(s.src) && isWord(s.src[i+n]) {
			n++
		}
		if string(s.src[i:i+n]) == "interface" {
			s.header = true
		}
		return n
	case c == '"' || c == '\'':
		return quoted(s.src[i:], c)
	case c == '`':
		return s.template(i, 1)
	case c == '/' && s.regexpMayStart():
		return regexpLiteral(s.src[i:])
	}
	return 1
}

// close takes note of the brackets that the token just left opens or closes.
func (s *scanner) close() {
	if s.to <= s.at {
		return
	}
	switch c := s.src[s.at]; c {
	case '(', '[', '{':
		before := byte(0)
		if s.end > 0 && s.end <= s.at {
			before = s.src[s.end-1]
		}
		s.open = append(s.open, c)
		s.types = append(s.types, c == '{' && (s.header || strings.IndexByte(":=&|<,", before) >= 0))
		s.header = s.header && c != '{'
	case ')', ']', '}':
		if len(s.open) == 0 {
			return
		}
		top := s.depth()
		s.open, s.types = s.open[:len(s.open)-1], s.types[:len(s.types)-1]
		if c == '}' && top == '$' {
			s.to = s.at + s.template(s.at, 1)
		}
	}
}

// template is the length of the piece of a template literal at i, up to its
// end or the next ${; the first n bytes are known.
func (s *scanner) template(i, n int) int {
	for ; i+n < len(s.src); n++ {
		switch s.src[i+n] {
		case '\\':
			if i+n+1 < len(s.src) && s.src[i+n+1] >= ' ' && s.src[i+n+1] < 0x80 {
				s.out[i+n], s.out[i+n+1] = '_', '_'
			}
			n++
		case '`':
			return n + 1
		case '$':
			if i+n+1 < len(s.src) && s.src[i+n+1] == '{' {
				s.open, s.types = append(s.open, '$'), append(s.types, false)
				return n + 2
			}
		}
	}
	return len(s.src) - i
}

func quoted(src []byte, quote byte) int {
	for n := 1; n < len(src); n++ {
		switch src[n] {
		case '\\':
			n++
		case quote:
			return n + 1
		case '\n':
			return n
		}
	}
	return len(src)
}

// regexpMayStart reports whether a slash here opens a regular expression: no
// operand stands before it.
func (s *scanner) regexpMayStart() bool {
	if s.end == 0 {
		return true
	}
	before := s.src[:s.end]
	if c := before[len(before)-1]; !isWord(c) {
		return strings.IndexByte(")]}\"'`", c) < 0
	}
	for _, w := range []string{"return", "typeof", "case", "in", "of", "delete", "void", "instanceof", "do", "else", "yield", "await"} {
		if bytes.HasSuffix(before, []byte(w)) && (len(before) == len(w) || !isWord(before[len(before)-len(w)-1])) {
			return true
		}
	}
	return false
}

func regexpLiteral(src []byte) int {
	class := false
	for n := 1; n < len(src); n++ {
		switch src[n] {
		case '\\':
			n++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return n + 1
			}
		case '\n':
			return 1
		}
	}
	return 1
}
