package rank

import (
	"math"
	"strings"
	"unicode"

	"github.com/slipstream-mcp/slipstream/memstore/internal/letters"
)

// CloseOverlap is the Overlap from which two texts are taken to speak of the
// same thing.
const CloseOverlap = 0.5

// Words is the set of stems that carry a text's meaning.
type Words map[string]bool

// NewWords returns the words of a text without those of grammar, unless there
// are no others.
func NewWords(text string) Words {
	words := Words{}
	for _, w := range telling(split(text)) {
		words[letters.Stem(w)] = true
	}
	return words
}

// Overlap returns how much of both texts' words is shared, from 0 to 1. One
// shared word is chance as long as there are others.
func (w Words) Overlap(text string) float64 {
	other := NewWords(text)
	shared := 0
	for s := range other {
		if w[s] {
			shared++
		}
	}
	if shared == 0 || shared == 1 && (len(w) > 1 || len(other) > 1) {
		return 0
	}
	return float64(shared) / math.Sqrt(float64(len(w)*len(other)))
}

// split returns the words of a text in order, in lower case and without
// accents. A word in camelCase or with digits comes whole and in its parts.
// Scripts without spaces come as single characters and pairs of neighbours.
func split(text string) []string {
	var words []string
	var word []rune
	var prev rune // the unspaced character just before, if any
	flush := func() {
		words = appendWord(words, word)
		word = word[:0]
	}
	for _, r := range text {
		switch {
		case letters.Unspaced(r):
			flush()
			words = append(words, string(r))
			if prev != 0 {
				words = append(words, string([]rune{prev, r}))
			}
			prev = r
			continue
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			word = append(word, r)
		case unicode.IsMark(r):
			if !unicode.Is(unicode.Latin, r) && (r < 0x300 || r > 0x36f) && len(word) > 0 {
				word = append(word, r)
			}
		case (r == '\'' || r == '’') && len(word) > 0:
			// "don't" is one word.
		default:
			flush()
		}
		prev = 0
	}
	flush()
	return words
}

func appendWord(words []string, word []rune) []string {
	if len(word) == 0 {
		return words
	}
	words = append(words, fold(word))
	start := 0
	for i := 1; i <= len(word); i++ {
		if i < len(word) && !letters.Boundary(word, i) {
			continue
		}
		if i-start >= 2 && i-start < len(word) {
			words = append(words, fold(word[start:i]))
		}
		start = i
	}
	return words
}

func fold(word []rune) string {
	var b strings.Builder
	for _, r := range word {
		r = unicode.ToLower(r)
		if r < 0xdf {
			b.WriteRune(r)
		} else if plain, ok := letters.Plain(r); ok {
			b.WriteString(plain)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// telling returns the words without those of grammar, or all when there are
// no others.
func telling(words []string) []string {
	var kept []string
	for _, w := range words {
		if !grammar(w) {
			kept = append(kept, w)
		}
	}
	if len(kept) == 0 {
		return words
	}
	return kept
}

// grammar reports whether an English word says nothing by itself.
func grammar(w string) bool {
	switch w {
	case "a", "an", "the", "and", "or", "but", "if", "so", "than", "then",
		"of", "in", "on", "at", "by", "for", "from", "to", "into", "with", "as", "about",
		"i", "me", "my", "we", "us", "our", "you", "your", "he", "she", "it", "its",
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
