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
			case opensParameter(last) && s.beforeName():
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
			if (token[0] == '<' || s.inType()) && s.supplies() && !goesOn(last) {
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
	const head, longest = "import(", 1000
	rest := s.src[s.at:min(len(s.src), s.at+longest)]
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

// opensParameter reports whether a mark of variance may stand behind token; in
// and out can stand there and before a name nowhere else.
func opensParameter(token []byte) bool {
	switch string(token) {
	case "<", ",", "in", "const":
		return true
	}
	return false
}

// goesOn reports whether a type goes on behind token, a word of the language.
func goesOn(token []byte) bool {
	switch string(token) {
	case "extends", "keyof", "typeof", "is", "infer", "readonly", "new", "asserts", "unique", "as", "satisfies", "in", "instanceof",
		"of", "return", "case", "yield", "await", "get", "set", "abstract", "async":
		return true
	}
	return false
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
