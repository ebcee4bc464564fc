package ecma

import (
	"bytes"
	"strings"
)

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

	noRegexp int // slashes before it open no regular expression
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
		return s.regexpLiteral(i)
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

// regexpLiteral is the length of the regular expression at i, or of its slash
// when none ends on the line; then no other slash of that line opens one either,
// since to look again for each takes too long.
func (s *scanner) regexpLiteral(i int) int {
	if i < s.noRegexp {
		return 1
	}
	class := false
	for n := i + 1; n < len(s.src); n++ {
		switch s.src[n] {
		case '\\':
			n++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return n + 1 - i
			}
		case '\n':
			s.noRegexp = n
			return 1
		}
	}
	s.noRegexp = len(s.src)
	return 1
}
