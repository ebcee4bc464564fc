package mapper

import (
	"bytes"
	"encoding/binary"
	"path"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// sniffed is how much of a file decides whether it is binary.
const sniffed = 8 << 10

// isBinary reports whether the head of a file holds a NUL byte; text in UTF-16
// with a byte order mark is no binary.
func isBinary(head []byte) bool {
	return utf16Order(head) == nil && bytes.IndexByte(head[:min(len(head), sniffed)], 0) >= 0
}

func utf16Order(src []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(src, []byte{0xFF, 0xFE}):
		return binary.LittleEndian
	case bytes.HasPrefix(src, []byte{0xFE, 0xFF}):
		return binary.BigEndian
	}
	return nil
}

// decode gives UTF-16 text with a byte order mark as UTF-8 and everything else
// as it is.
func decode(src []byte) []byte {
	order := utf16Order(src)
	if order == nil {
		return src
	}
	units := make([]uint16, 0, len(src)/2)
	for i := 2; i+1 < len(src); i += 2 {
		units = append(units, order.Uint16(src[i:]))
	}
	return []byte(string(utf16.Decode(units)))
}

// countLines counts lines as an editor does: a final newline starts no line.
func countLines(src []byte) int {
	n := bytes.Count(src, []byte{'\n'})
	if len(src) > 0 && src[len(src)-1] != '\n' {
		n++
	}
	return n
}

// isMinified reports whether most of the text stands in very long lines that
// are dense in brackets and semicolons. Density tells machine-made code from a
// long string literal or a table of numbers. Only what browsers load is made so.
func isMinified(name string, src []byte) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".css":
	default:
		return false
	}
	const (
		long  = 1000     // bytes of a line that nobody wrote by hand
		small = 2 * long // below this a file is shown whatever it is
		share = 0.03     // brackets and semicolons in minified code are above 8 %
	)
	if len(src) < small {
		return false
	}
	dense := 0
	for line := range bytes.Lines(src) {
		if len(line) < long {
			continue
		}
		marks := 0
		for _, c := range line {
			switch c {
			case '(', ')', '{', '}', ';':
				marks++
			}
		}
		if float64(marks) > share*float64(len(line)) {
			dense += len(line)
		}
	}
	return dense > len(src)/2
}

// Identifiers shorter than minIdent say nothing, those longer than maxIdent
// are data; a file with more than maxIdents distinct ones is a table.
const (
	minIdent  = 2
	maxIdent  = 64
	maxIdents = 8192
)

// identBytes marks the bytes an identifier is made of: letters, digits,
// underscore, dollar and everything outside ASCII.
func identByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c >= utf8.RuneSelf
}

// identifiers gives the distinct identifiers of a file's text, sorted, without
// the words of its comments and strings. They share one allocation.
func identifiers(file string, src []byte) []string {
	lexis := lexisOf(file)
	seen := map[string]struct{}{}
	size := 0
	for i := 0; i < len(src) && len(seen) < maxIdents; {
		if !identByte(src[i]) {
			i = max(i+1, lexis.skip(src, i))
			continue
		}
		start := i
		for i < len(src) && identByte(src[i]) {
			i++
		}
		word := src[start:i]
		if len(word) < minIdent || len(word) > maxIdent || word[0] >= '0' && word[0] <= '9' {
			continue
		}
		if _, ok := seen[string(word)]; ok || !utf8.Valid(word) {
			continue
		}
		seen[string(word)] = struct{}{}
		size += len(word)
	}
	words := make([]string, 0, len(seen))
	for w := range seen {
		words = append(words, w)
	}
	slices.Sort(words)
	var all strings.Builder
	all.Grow(size)
	for _, w := range words {
		all.WriteString(w)
	}
	rest := all.String()
	for i, w := range words {
		words[i], rest = rest[:len(w)], rest[len(w):]
	}
	return words
}
