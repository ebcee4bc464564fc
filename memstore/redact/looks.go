package redact

import "strings"

// What text looks like: questions that judges ask.

func isUpper(b byte) bool  { return 'A' <= b && b <= 'Z' }
func isLower(b byte) bool  { return 'a' <= b && b <= 'z' }
func isLetter(b byte) bool { return isUpper(b) || isLower(b) }
func isDigit(b byte) bool  { return '0' <= b && b <= '9' }
func isWord(b byte) bool   { return isLetter(b) || isDigit(b) || b == '_' }
func isHex(b byte) bool    { return isDigit(b) || 'a' <= b|0x20 && b|0x20 <= 'f' }
func isBase64(b byte) bool {
	return isWord(b) && b != '_' || b == '+' || b == '/' || b == '='
}

func all(s string, is func(byte) bool) bool {
	for i := range len(s) {
		if !is(s[i]) {
			return false
		}
	}
	return s != ""
}

func some(s string, is func(byte) bool) bool {
	for i := range len(s) {
		if is(s[i]) {
			return true
		}
	}
	return false
}

// random says whether s looks drawn by lot rather than written: digits strewn
// among letters, or letters that nobody could read aloud.
func random(s string) bool {
	if !some(s, isLetter) {
		return len(s) >= 14
	}
	return strewn(s) || !readable(s)
}

// strewn says whether digits and letters take turns in s.
func strewn(s string) bool {
	switches := 0
	for i := 1; i < len(s); i++ {
		if isDigit(s[i]) != isDigit(s[i-1]) && isWord(s[i]) && isWord(s[i-1]) {
			switches++
		}
	}
	return switches >= 3
}

// readable says whether the letters of s could be words: vowels among
// consonants, capitals only where words begin or throughout.
func readable(s string) bool {
	letters, capitals, vowels, run, longest, humps := 0, 0, 0, 0, 0, 0
	for i := range len(s) {
		b := s[i]
		if !isLetter(b) {
			run = 0
			continue
		}
		letters++
		if isUpper(b) {
			capitals++
			if i > 0 && isLower(s[i-1]) {
				humps++
			}
		}
		if strings.IndexByte("aeiouyAEIOUY", b) >= 0 {
			vowels++
			run = 0
		} else {
			run++
			longest = max(longest, run)
		}
	}
	if letters < 6 {
		return true
	}
	return longest < 6 && vowels*6 >= letters && (humps*5 <= letters || capitals*5 < letters*2)
}

// ascent returns the length of the longest run of letters or digits in their
// order, as of the alphabet written out, whatever their case.
func ascent(s string) int {
	longest, run := 0, 0
	for i := range len(s) {
		if i > 0 && isWord(s[i]) && s[i]|0x20 == s[i-1]|0x20+1 {
			run++
		} else {
			run = 1
		}
		longest = max(longest, run)
	}
	return longest
}

// sequence says whether s is written out of the alphabet or the digits in order:
// a set of characters, or an example.
func sequence(s string) bool {
	return ascent(s) >= 12 || strings.Contains(s, "1234567890")
}

// placeholder says whether s stands for a secret rather than being one: a
// variable, a template, a mask, a word for "put yours here".
func placeholder(s string) bool {
	if s == "" || s[0] == '$' && !random(s) || s[0] == '%' && (len(s) < 12 || s[len(s)-1] == '%') && !some(s, isDigit) {
		return true
	}
	for _, t := range []string{"${", "$(", "{{", "}}", "<%", "#{", "%(", "...", "***", "xxxx", "XXXX", "…", "####", "•••"} {
		if strings.Contains(s, t) {
			return true
		}
	}
	first, last := s[0], s[len(s)-1]
	if (first == '<' && strings.IndexByte(s, '>') > 0 || first == '[' && last == ']' || first == '{' && last == '}') && !random(s) {
		return true
	}
	lower := strings.ToLower(s)
	if strings.Contains(lower, "example") && (len(s) < 30 || !random(s)) {
		return true
	}
	for _, t := range []string{"placeholder", "changeme", "change-me", "change_me", "changeit", "redacted", "your-", "your_", "put_", "insert-", "insert_", "replace", "todo", "dummy"} {
		if strings.Contains(lower, t) {
			return true
		}
	}
	if ascent(s) >= 24 || strings.Contains(s, "1234-1234") || strings.Contains(s, "1234567890") && len(s) < 16 && some(s, isLetter) {
		return true
	}
	return len(s) >= 3 && entropy(s) < 0.5 || len(s) >= 16 && entropy(s) < 2.2
}

// vocabulary are the words that names of secrets are made of; a value made of
// nothing else is a name.
const vocabulary = " access api app auth authenticity authorization basic bearer clear cleartext client code credential credentials csrf data default db file header id jwt key login my name new no oauth oauth2 old pass passphrase passwd password private pw pwd refresh sa secret secrets session signing ssh string test the token tokens type url user username value field param "

// names says whether s is made of the vocabulary alone, as "access_token" is.
func names(s string) bool {
	words := splitName(s)
	for _, w := range words {
		if len(words) >= 3 && isDigit(w[0]) && len(w) <= 2 {
			continue
		}
		if !listed(vocabulary, w) {
			return false
		}
	}
	return true
}

// splitName returns the words of an identifier in lower case: userAPIKey_2 is
// user, api, key, 2.
func splitName(s string) []string {
	var words []string
	begin := -1
	for i := 0; i <= len(s); i++ {
		cut := i == len(s) || !isLetter(s[i]) && !isDigit(s[i])
		if begin >= 0 && !cut {
			before := s[i-1]
			switch {
			case isDigit(s[i]) != isDigit(before):
				cut = true
			case isUpper(s[i]) && isLower(before):
				cut = true
			case isUpper(s[i]) && i+1 < len(s) && isLower(s[i+1]) && isUpper(before):
				// The last capital of a run begins the next word, but for a plural's s.
				cut = s[i+1] != 's' || i+2 < len(s) && isLower(s[i+2])
			}
		}
		if cut && begin >= 0 {
			words = append(words, strings.ToLower(s[begin:i]))
			begin = -1
		}
		if begin < 0 && i < len(s) && (isLetter(s[i]) || isDigit(s[i])) {
			begin = i
		}
	}
	return words
}

// prose says whether s reads like a sentence about secrets, not like a
// passphrase: three words or more, one of them of the kind that only sentences need.
func prose(s string) bool {
	words := strings.Fields(strings.ToLower(s))
	if len(words) < 2 {
		return false
	}
	for _, w := range words {
		w = strings.Trim(w, ".,:;!?()'\"")
		if w != "" && listed(" a an the to is are was be been for of your must not in on or and with should cannot can't invalid enter please required missing no wrong incorrect expired this that it if when use used using set get has have from by as at than at least more new old confirm forgot password passwords token tokens username name ", w) {
			return true
		}
	}
	return false
}
