package hybrid

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/memstore/internal/letters"
)

// A term is what a posting list is kept for: the stem of a word, or, with
// wholeMark before it, a name of several words in one piece: an identifier, a
// path, an error code.
const (
	wholeMark  = "\x01"
	longestRun = 128 // bytes of a name that is still kept
	mostParts  = 8   // of a name that still falls into words
)

// piece is one word of a text, or one name and the words it is made of.
type piece struct {
	// words are folded: lower case, no accents.
	words []string
	// wholes are the name and the names in it, without mark.
	wholes []string
}

// pieces calls yield with the pieces of a text in order. Words of grammar come
// too.
func pieces(text string, yield func(piece)) {
	chunks(text, func(s string) { yield(chunk(s)) })
}

// chunks calls yield with what a text falls into before anything is known of
// words: runs without spaces, single letters of scripts that have none, and
// pairs of those.
func chunks(text string, yield func(string)) {
	start := -1 // of the run under way
	flush := func(end int) {
		if start >= 0 {
			if s := strings.Trim(text[start:end], joints); s != "" {
				yield(s)
			}
		}
		start = -1
	}
	before := -1 // where the unspaced letter just before begins
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		switch {
		case letters.Unspaced(r):
			flush(i)
			yield(text[i : i+size])
			if before >= 0 {
				yield(text[before : i+size])
			}
			before = i
			i += size
			continue
		case wordly(r) || strings.ContainsRune(joints, r):
			if start < 0 {
				start = i
			}
		default:
			flush(i)
		}
		before = -1
		i += size
	}
	flush(len(text))
}

// joints are the signs that may stand within a name.
const joints = `_-./\:'’`

func wordly(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// chunk takes one of chunks apart.
func chunk(s string) piece {
	var p piece
	if r, _ := utf8.DecodeRuneInString(s); letters.Unspaced(r) {
		p.words = []string{s}
		return p
	}
	runs := strings.FieldsFunc(s, func(r rune) bool { return !wordly(r) && r != '\'' && r != '’' })
	whole := len(runs) > 1
	for _, run := range runs {
		run = strings.TrimSuffix(strings.TrimSuffix(run, "'s"), "’s")
		parts, more := compound(run)
		whole = whole || more
		if more && len(runs) > 1 {
			p.wholes = append(p.wholes, joined(run))
		}
		p.words = append(p.words, parts...)
	}
	if whole && len(p.words) > 0 && len(s) <= longestRun {
		p.wholes = append(p.wholes, joined(s))
		if base := s[strings.LastIndexAny(s, `/\:`)+1:]; len(base) < len(s) && strings.ContainsAny(base, "._-") {
			p.wholes = append(p.wholes, joined(base))
		}
	}
	return p
}

// compound returns the words of a run of letters and digits, applyCoupon or
// HTTP429, and whether there is more to it than them. One letter or digit is
// no word of a compound; and what falls into many parts, like a hash, is one.
func compound(run string) (words []string, more bool) {
	if len(run) > longestRun {
		return nil, false
	}
	simple := true
	for i := 0; i < len(run); i++ {
		if c := run[i]; (c < 'a' || c > 'z') && (i > 0 || c < 'A' || c > 'Z') {
			simple = false
			break
		}
	}
	if simple {
		return []string{strings.ToLower(run)}, false
	}
	word := []rune(run)
	start, parts := 0, 0
	for i := 1; i <= len(word); i++ {
		if i < len(word) && !letters.Boundary(word, i) {
			continue
		}
		if part := fold(string(word[start:i])); len(part) > 1 {
			words = append(words, part)
		}
		start = i
		parts++
	}
	if parts == 1 || parts > mostParts || len(words) == 0 {
		if whole := fold(run); whole != "" {
			return []string{whole}, false
		}
		return nil, false
	}
	return words, true
}

// joined is a name in the one spelling that it is kept under: apply_coupon,
// apply-coupon and applyCoupon are the same.
func joined(name string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '_', '-':
			return -1
		case '\\':
			return '/'
		}
		return r
	}, fold(name))
}

// fold returns a word in lower case, without accents and apostrophes.
func fold(word string) string {
	var b strings.Builder
	b.Grow(len(word))
	for _, r := range word {
		if r < utf8.RuneSelf {
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			if r != '\'' {
				b.WriteByte(byte(r))
			}
			continue
		}
		r = unicode.ToLower(r)
		if plain, ok := letters.Plain(r); ok {
			b.WriteString(plain)
		} else if r != '’' && (!unicode.IsMark(r) || r > 0x36f) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// speaker returns who says a text, folded: the one word before a colon that it
// begins with, if that is followed by a space.
func speaker(text string) string {
	name, rest, ok := strings.Cut(text, ":")
	if !ok || name == "" || len(name) > 32 || rest == "" || rest[0] != ' ' {
		return ""
	}
	for _, r := range name {
		if !unicode.IsLetter(r) && r != '-' && r != '\'' {
			return ""
		}
	}
	return fold(name)
}

// asks reports whether a text ends in a question.
func asks(text string) bool {
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？")
}

// grammar reports whether an English word says nothing by itself.
func grammar(w string) bool {
	switch w {
	case "a", "an", "the", "and", "or", "but", "if", "so", "than", "then",
		"of", "in", "on", "at", "by", "for", "from", "to", "into", "with", "as", "about",
		"i", "me", "my", "we", "us", "our", "you", "your", "he", "him", "his", "she", "her", "it", "its",
		"they", "them", "their", "this", "that", "these", "those", "there", "here",
		"am", "is", "are", "was", "were", "be", "been", "being",
		"do", "does", "did", "has", "have", "had", "can", "could", "will", "would",
		"shall", "should", "may", "might", "must", "not", "no",
		"what", "which", "who", "whom", "whose", "when", "where", "why", "how",
		"any", "some", "all", "each", "just", "also", "too", "very",
		"s", "t", "don", "dont", "im", "ive", "lets":
		return true
	}
	return false
}
