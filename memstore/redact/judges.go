package redact

import (
	"bytes"
	"encoding/base64"
	"hash/fnv"
	"slices"
	"strings"
)

// The judges of rows whose pattern alone says too little. A judge may narrow
// the secret of a match that it accepts.

func notWords(m *match) bool { return random(m.secret()) }

// notName is for values of a given length behind a vendor's name: a digit or a
// look of lots is enough.
func notName(m *match) bool {
	s := m.secret()
	return (some(s, isDigit) || random(s)) && !strings.Contains(s, "xxxx")
}

func notSample(m *match) bool { return !sampled(m.secret()) && !sequence(m.secret()) }

// sampled says whether s is one of the samples.
func sampled(s string) bool {
	sum := fnv.New32a()
	sum.Write([]byte(s))
	return slices.Contains(samples, sum.Sum32())
}

func notPlaceholder(m *match) bool { return !placeholder(m.secret()) }

// drawnToken wants a digit at least and a look of lots.
func drawnToken(m *match) bool {
	s := m.secret()
	return some(s, isDigit) && random(s) && !placeholder(s)
}

// wholeOrDrawn is for Anthropic's keys: a whole one ends in AA after 93 more; a
// part of one must look drawn by lot.
func wholeOrDrawn(m *match) bool {
	s := m.secret()
	return len(s) >= 106 && strings.HasSuffix(s, "AA") || random(s) && ascent(s) < 8 && !placeholder(s)
}

func hasDigit(m *match) bool { return some(m.secret(), isDigit) }

// isBasic wants base64 of user:password.
func isBasic(m *match) bool {
	s := m.secret()
	if plain, err := base64.StdEncoding.DecodeString(s); err == nil && bytes.IndexByte(plain, ':') > 0 {
		return true
	}
	return strewn(s) && len(s) >= 16
}

// strewnToken wants digits among the letters of a token.
func strewnToken(m *match) bool { return strewn(m.secret()) && !placeholder(m.secret()) }

func before(m *match) byte {
	if m.start == 0 {
		return 0
	}
	return m.text[m.start-1]
}

func notInName(m *match) bool { return before(m) != '.' && before(m) != '-' }

func notInPath(m *match) bool { return before(m) != '/' && before(m) != '-' && before(m) != '.' }

func notGluedByDash(m *match) bool { return before(m) != '-' && !placeholder(m.secret()) }

func notInBlob(m *match) bool { return before(m) != '+' && before(m) != '/' }

// isHeaderValue takes the value of a header for a secret when it looks drawn
// by lot or has a digit at least.
func isHeaderValue(m *match) bool {
	s := m.secret()
	return !placeholder(s) && !names(s) && (random(s) || some(s, isDigit) && len(s) >= 10 || strings.HasSuffix(s, "=") && some(s, isUpper)) &&
		!strings.HasPrefix(s, "http") && !strings.HasPrefix(m.text[m.to:], "(")
}

// command says whether one of the programs stands before at, in the same
// command: on its line, or on one that a backslash or up to five line ends join.
func command(s string, at int, programs ...string) bool {
	s = s[max(0, at-600):at]
	if i := strings.LastIndexAny(s, "|;"); i >= 0 {
		s = s[i:]
	}
	for lines := 0; ; lines++ {
		i := strings.LastIndexByte(s, '\n')
		for _, p := range programs {
			if strings.Contains(s[i+1:], p) {
				return true
			}
		}
		if i < 0 || lines == 5 {
			return false
		}
		s = s[:i]
	}
}

// isShortFlag takes the value of a one-letter flag of programs where that is
// a password.
func isShortFlag(m *match) bool {
	switch m.text[m.start+1] {
	case 'p':
		glued := m.from == m.start+2
		if !(glued && command(m.text, m.start, "mysql", "mariadb", "7z") ||
			command(m.text, m.start, "sshpass", "docker login", "podman login", "registry login")) {
			return false
		}
	case 'a':
		if !command(m.text, m.start, "redis-cli") {
			return false
		}
	case 'w':
		if !command(m.text, m.start, "ldapsearch", "ldapmodify", "ldapadd") {
			return false
		}
	}
	m.start++ // past the dash: what follows is no long flag's name
	return isFlagValue(m)
}

// isUserPassword takes the password out of user:password, with quotes around
// the whole or the parts.
func isUserPassword(m *match) bool {
	if !command(m.text, m.start, "curl", "wget", "http") {
		return false
	}
	s := m.secret()
	if s[0] == '"' || s[0] == '\'' {
		if end := len(s) - 1; s[end] == s[0] && strings.Count(s, s[:1]) == 2 {
			m.from, m.to = m.from+1, m.to-1
			s = m.secret()
		}
	}
	user, password, ok := strings.Cut(s, ":")
	if !ok {
		return false
	}
	m.from += len(user) + 1
	if len(password) > 1 && (password[0] == '"' || password[0] == '\'') && password[len(password)-1] == password[0] {
		m.from, m.to = m.from+1, m.to-1
		password = m.secret()
	}
	if strings.Trim(password, `"'`) == "" { // a token as the user of an empty password
		m.from -= len(user) + 1
		m.to = m.from + len(user)
		return random(m.secret()) && !placeholder(m.secret())
	}
	return !placeholder(password) && !names(password)
}

// isFlagValue takes the value of a flag of the command line.
func isFlagValue(m *match) bool {
	s := m.secret()
	if quoted := s[0] == '"' || s[0] == '\''; quoted {
		if len(s) < 2 || s[len(s)-1] != s[0] {
			return false
		}
		m.from, m.to = m.from+1, m.to-1
		s = m.secret()
		return len(s) >= 3 && !placeholder(s) && !names(s) && !prose(s)
	}
	m.to = m.from + len(strings.TrimRight(s, ",;.)]}"))
	s = m.secret()
	name, _, _ := strings.Cut(strings.TrimLeft(m.text[m.start:m.from], "-"), "=")
	if m.text[m.start] == '-' && kindOf(strings.TrimSpace(name)) == noSecret {
		return false
	}
	if len(s) < 3 || strings.IndexByte("-<[({$|&*", s[0]) >= 0 || strings.Contains(s, "/") && !random(s) || placeholder(s) || names(s) {
		return false
	}
	return m.text[m.from-1] == '=' || !all(s, isLetter) || random(s)
}

func isQuotedPassword(m *match) bool {
	s := m.secret()
	return len(s) >= 3 && !placeholder(s) && !names(s) && !prose(s)
}
