package mcpproto

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"
)

// The functions below walk JSON that json.Valid has accepted. They exist
// because encoding/json matches keys without regard to case and would copy a
// large argument once a level.

const space = " \t\r\n"

func trim(raw []byte) []byte { return bytes.Trim(raw, space) }

// members yields the keys and values of a valid object, in order, duplicates
// included.
func members(obj json.RawMessage) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		for i := next(obj, 1); obj[i] != '}'; {
			end := valueEnd(obj, i)
			key := decodeKey(obj[i:end])
			i = next(obj, next(obj, end)+1) // past the colon
			end = valueEnd(obj, i)
			if !yield(key, obj[i:end:end]) {
				return
			}
			if i = next(obj, end); obj[i] == ',' {
				i = next(obj, i+1)
			}
		}
	}
}

// elements yields the items of a valid array.
func elements(arr json.RawMessage) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		for i := next(arr, 1); arr[i] != ']'; {
			end := valueEnd(arr, i)
			if !yield(arr[i:end:end]) {
				return
			}
			if i = next(arr, end); arr[i] == ',' {
				i = next(arr, i+1)
			}
		}
	}
}

// next skips white space from i.
func next(b []byte, i int) int {
	for b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n' {
		i++
	}
	return i
}

// valueEnd returns the index after the value that starts at i.
func valueEnd(b []byte, i int) int {
	switch b[i] {
	case '"':
		return stringEnd(b, i)
	case '{', '[':
		for depth := 0; ; i++ {
			switch b[i] {
			case '"':
				i = stringEnd(b, i) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	}
	for i < len(b) && strings.IndexByte(",]}"+space, b[i]) < 0 {
		i++
	}
	return i
}

func stringEnd(b []byte, i int) int {
	for i++; b[i] != '"'; i++ {
		if b[i] == '\\' {
			i++
		}
	}
	return i + 1
}

func decodeKey(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	return decodeString(quoted)
}

// decodeString returns the text of a JSON string, or nothing when raw is no
// string.
func decodeString(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

func isString(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '"' }

func isNull(raw json.RawMessage) bool { return string(raw) == "null" }

// isInteger reports whether raw is spelled as a whole number.
func isInteger(raw json.RawMessage) bool {
	digits := bytes.TrimPrefix(raw, []byte("-"))
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(digits) > 0
}
