package activity

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// maxInteger is the largest integer that every reader of JSON keeps exactly.
const maxInteger = 1 << 53

// isoMillis is how times are written; they are read in any form of RFC 3339.
const isoMillis = "2006-01-02T15:04:05.000Z"

var errNotObject = errors.New("a line is one JSON object")

// members iterates over the keys and raw values of a JSON object known to be
// valid. It copies no value, so that one nobody asks for costs little.
func members(object []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		b := space(object)[1:]
		for {
			b = space(b)
			if b[0] == ',' {
				b = space(b[1:])
			}
			if b[0] == '}' {
				return
			}
			n := valueLen(b)
			key := text(b[:n])
			b = space(space(b[n:])[1:])
			n = valueLen(b)
			if !yield(key, b[:n:n]) {
				return
			}
			b = b[n:]
		}
	}
}

func space(b []byte) []byte { return bytes.TrimLeft(b, " \t\r\n") }

// valueLen returns how long the valid JSON value at the start of b is.
func valueLen(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			for i++; b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(b)
}

// object reports whether line is one valid JSON object.
func object(line []byte) error {
	if b := space(line); len(b) == 0 || b[0] != '{' {
		return errNotObject
	}
	if !json.Valid(line) {
		return errNotObject
	}
	return nil
}

// isText reports whether a raw value is a string.
func isText(raw []byte) bool { return raw[0] == '"' }

// text decodes a raw string; any other value is empty.
func text(raw []byte) string {
	if !isText(raw) {
		return ""
	}
	if s := raw[1 : len(raw)-1]; !bytes.ContainsRune(s, '\\') && utf8.Valid(s) {
		return string(s)
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// texts decodes a raw list of strings and leaves out what is no string.
func texts(raw []byte) []string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var out []string
	for _, v := range list {
		if isText(v) {
			out = append(out, text(v))
		}
	}
	return out
}

// integer decodes a raw number that is whole and from 0 to maxInteger.
func integer(raw []byte) (int64, bool) {
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		f, err := strconv.ParseFloat(string(raw), 64)
		if err != nil || f != math.Trunc(f) || math.Abs(f) > maxInteger {
			return 0, false
		}
		n = int64(f)
	}
	return n, n >= 0 && n <= maxInteger
}

// moment decodes a raw time; what is none is the zero time.
func moment(raw []byte) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text(raw))
	if err != nil {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Millisecond)
}

func appendKey(b []byte, key string) []byte {
	if len(b) > 0 && b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	return append(appendText(b, key), ':')
}

func appendMember(b []byte, key, value string) []byte {
	return appendText(appendKey(b, key), value)
}

func appendTexts(b []byte, key string, list []string) []byte {
	b = append(appendKey(b, key), '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, s)
	}
	return append(b, ']')
}

// appendTime writes a time that RFC 3339 can express, any other as zero.
func appendTime(b []byte, t time.Time) []byte {
	t = t.UTC()
	if t.Year() < 0 || t.Year() > 9999 {
		t = time.Time{}
	}
	b = append(appendKey(b, "ts"), '"')
	return append(t.AppendFormat(b, isoMillis), '"')
}

// appendOther writes the keys that others gave, sorted, without those that
// skip names or whose value is no JSON.
func appendOther(b []byte, other map[string][]byte, skip func(key string) bool) []byte {
	var keys []string
	for k := range other {
		if !skip(k) {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		var value bytes.Buffer
		if json.Compact(&value, bytes.ToValidUTF8(other[k], []byte("\uFFFD"))) == nil {
			b = append(appendKey(b, k), value.Bytes()...)
		}
	}
	return b
}

// appendText writes s as a JSON string of one line, also for those who take
// U+2028 and U+2029 for the end of a line. What is not UTF-8 becomes U+FFFD.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\t':
			b = append(b, '\\', 't')
		case r < 0x20 || r == 0x7f || r == '\u2028' || r == '\u2029':
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

// keep adds a key that this package does not know; the value is copied.
func keep(other map[string][]byte, key string, raw []byte) map[string][]byte {
	if other == nil {
		other = map[string][]byte{}
	}
	other[key] = bytes.Clone(raw)
	return other
}
