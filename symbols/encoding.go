package symbols

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Encoding says how the bytes of a file spell its text.
type Encoding string

// The encodings that [Decode] tells apart.
const (
	UTF8    Encoding = "UTF-8"
	UTF16LE Encoding = "UTF-16 LE"
	UTF16BE Encoding = "UTF-16 BE"
	Invalid Encoding = "not valid UTF-8"
)

// Decode returns the text of a file as UTF-8. Valid UTF-8 comes back as it is,
// a byte order mark included; UTF-16 is known by its byte order mark, which is
// dropped; in anything else each run of bad bytes becomes U+FFFD.
func Decode(src []byte) (text []byte, enc Encoding) {
	switch {
	case bytes.HasPrefix(src, []byte("\xff\xfe")):
		return decodeUTF16(src[2:], binary.LittleEndian), UTF16LE
	case bytes.HasPrefix(src, []byte("\xfe\xff")):
		return decodeUTF16(src[2:], binary.BigEndian), UTF16BE
	case utf8.Valid(src):
		return src, UTF8
	}
	return bytes.ToValidUTF8(src, []byte("\uFFFD")), Invalid
}

func decodeUTF16(src []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, 0, len(src)/2+1)
	for ; len(src) >= 2; src = src[2:] {
		units = append(units, order.Uint16(src))
	}
	if len(src) == 1 {
		units = append(units, utf8.RuneError)
	}
	return []byte(string(utf16.Decode(units)))
}

// sniffed is how much of a file tells binary from text, as in git.
const sniffed = 8000

// IsBinary reports whether src is no text: a NUL byte near its start, and no
// UTF-16 byte order mark.
func IsBinary(src []byte) bool {
	if bytes.HasPrefix(src, []byte("\xff\xfe")) || bytes.HasPrefix(src, []byte("\xfe\xff")) {
		return false
	}
	return bytes.IndexByte(src[:min(len(src), sniffed)], 0) >= 0
}

// IsMinified reports whether src, the text of the file at path, is code that a
// tool squeezed into long lines, which nobody reads by declaration. Only what
// browsers load is squeezed; and a long string or a picture in an otherwise
// ordinary file does not make it so.
func IsMinified(path string, src []byte) bool {
	const small, long = 4 << 10, 1000
	switch strings.ToLower(filepath.Ext(path)) {
	case ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".css":
	default:
		return false
	}
	if len(src) < small {
		return false
	}
	squeezed := 0
	for line := range bytes.Lines(src) {
		if len(line) > long && dense(line) {
			squeezed += len(line)
		}
	}
	return squeezed > len(src)/2
}

// dense reports whether at least every twentieth byte of line is punctuation
// of code.
func dense(line []byte) bool {
	n := 0
	for _, c := range line {
		switch c {
		case ',', ';', '{', '}', '(', ')', '=':
			n++
		}
	}
	return n >= len(line)/20
}
