// Package letters tells what a search must know of single letters: where words
// begin in text without spaces or in a compound, and what a letter is without
// its accent. It knows no words; those are the business of its callers.
//
//	if letters.Boundary([]rune("applyCoupon"), 5) {
//		// "Coupon" is a word of its own.
//	}
//	plain, ok := letters.Plain('é') // "e", true
package letters

import "unicode"

// Unspaced reports whether a letter is of a script that puts no spaces between
// words, so that a text in it is found by its letters and pairs of them.
func Unspaced(r rune) bool {
	return r >= 0xe00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// Boundary reports whether a part of a compound begins at i.
func Boundary(w []rune, i int) bool {
	a, b := w[i-1], w[i]
	switch {
	case unicode.IsDigit(a) != unicode.IsDigit(b):
		return true
	case unicode.IsUpper(b) && !unicode.IsUpper(a):
		return true
	}
	// The last capital of a run begins the next part: HTTPServer.
	return unicode.IsUpper(a) && unicode.IsUpper(b) && i+1 < len(w) && unicode.IsLower(w[i+1])
}

// Plain returns a lower-case Latin letter without its accent, and
// whether it had one.
func Plain(r rune) (string, bool) {
	switch r {
	case 'à', 'á', 'â', 'ã', 'ä', 'å', 'ā', 'ă', 'ą':
		return "a", true
	case 'ç', 'ć', 'ĉ', 'ċ', 'č':
		return "c", true
	case 'ď', 'đ', 'ð':
		return "d", true
	case 'è', 'é', 'ê', 'ë', 'ē', 'ĕ', 'ė', 'ę', 'ě':
		return "e", true
	case 'ĝ', 'ğ', 'ġ', 'ģ':
		return "g", true
	case 'ĥ', 'ħ':
		return "h", true
	case 'ì', 'í', 'î', 'ï', 'ĩ', 'ī', 'ĭ', 'į', 'ı':
		return "i", true
	case 'ĵ':
		return "j", true
	case 'ķ':
		return "k", true
	case 'ĺ', 'ļ', 'ľ', 'ł':
		return "l", true
	case 'ñ', 'ń', 'ņ', 'ň':
		return "n", true
	case 'ò', 'ó', 'ô', 'õ', 'ö', 'ø', 'ō', 'ŏ', 'ő':
		return "o", true
	case 'ŕ', 'ŗ', 'ř':
		return "r", true
	case 'ś', 'ŝ', 'ş', 'š', 'ș':
		return "s", true
	case 'ţ', 'ť', 'ŧ', 'ț':
		return "t", true
	case 'ù', 'ú', 'û', 'ü', 'ũ', 'ū', 'ŭ', 'ů', 'ű', 'ų':
		return "u", true
	case 'ŵ':
		return "w", true
	case 'ý', 'ÿ', 'ŷ':
		return "y", true
	case 'ź', 'ż', 'ž':
		return "z", true
	case 'ß':
		return "ss", true
	case 'æ':
		return "ae", true
	case 'œ':
		return "oe", true
	}
	return "", false
}
