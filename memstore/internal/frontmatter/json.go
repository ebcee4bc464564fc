package frontmatter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// maxDepth is how deep lists and objects of a value may lie in one another.
const maxDepth = 20

// SetQuoted sets a value in double quotes, whatever it is, in the way of
// SetScalar.
func (d *Doc) SetQuoted(key, text, after string) {
	if old, ok := d.Scalar(key); ok && old == text {
		return
	}
	d.put(entry{key: key, values: []string{text}, raw: keyText(key) + ": " + doubleQuoted(text) + "\n"}, after)
}

// SetJSON adds a value of JSON at the end, or sets it, in a form that JSON
// gives back equal: texts plain or in double quotes, lists of texts as blocks,
// all else in one line.
func (d *Doc) SetJSON(key string, value json.RawMessage) error {
	dec := json.NewDecoder(bytes.NewReader(value))
	dec.UseNumber()
	text, err := flow(dec, 0)
	if err != nil {
		return fmt.Errorf("the value of %q: %w", key, err)
	}
	raw := keyText(key) + ": " + text + "\n"
	var items []string
	if bytes.HasPrefix(value, []byte("[")) && json.Unmarshal(value, &items) == nil && len(items) > 0 && !slices.Contains(items, "") {
		var b strings.Builder
		b.WriteString(keyText(key) + ":\n")
		for _, item := range items {
			b.WriteString("  - " + flowText(item) + "\n")
		}
		raw = b.String()
	}
	entries, err := parseHead(raw)
	if err != nil || len(entries) != 1 || entries[0].key != key {
		return fmt.Errorf("the key %q cannot be kept with its value in YAML; write it as a text", key)
	}
	d.put(entries[0], d.lastKey())
	return nil
}

func (d *Doc) lastKey() string {
	for _, e := range slices.Backward(d.entries) {
		if e.key != "" {
			return e.key
		}
	}
	return ""
}

func keyText(key string) string {
	if simpleKey(key) {
		return key
	}
	return flowText(key)
}

// flow writes the next value of dec as YAML in one line.
func flow(dec *json.Decoder, depth int) (string, error) {
	if depth > maxDepth {
		return "", fmt.Errorf("it is nested deeper than %d", maxDepth)
	}
	t, err := dec.Token()
	if err != nil {
		return "", err
	}
	switch t := t.(type) {
	case json.Delim:
		var parts []string
		for dec.More() {
			part, err := flow(dec, depth+1)
			if err == nil && t == '{' {
				var value string
				value, err = flow(dec, depth+1)
				part += ": " + value
			}
			if err != nil {
				return "", err
			}
			parts = append(parts, part)
		}
		if _, err := dec.Token(); err != nil {
			return "", err
		}
		if t == '{' {
			return "{" + strings.Join(parts, ", ") + "}", nil
		}
		return "[" + strings.Join(parts, ", ") + "]", nil
	case string:
		if depth > 0 {
			return doubleQuoted(t), nil
		}
		return flowText(t), nil
	case json.Number:
		return t.String(), nil
	case bool:
		return fmt.Sprint(t), nil
	}
	return "null", nil
}

// flowText returns a text plain when nothing can mistake it.
func flowText(s string) string {
	if v, ok := simpleValue(s); ok && s[0] > '9' && s[0] != '"' && v == s {
		return s
	}
	return doubleQuoted(s)
}

// JSON returns a value as JSON. Dates and times are texts.
func (d *Doc) JSON(key string) (json.RawMessage, bool) {
	e := d.find(key)
	if e == nil {
		return nil, false
	}
	file, err := parser.ParseBytes([]byte(e.raw), 0)
	if err != nil || len(file.Docs) != 1 {
		return nil, false
	}
	p, ok := file.Docs[0].Body.(*ast.MappingValueNode)
	if m, is := file.Docs[0].Body.(*ast.MappingNode); is && len(m.Values) == 1 {
		p, ok = m.Values[0], true
	}
	if !ok {
		return nil, false
	}
	b, err := appendJSON(nil, p.Value, 0)
	return b, err == nil
}

var errDeep = errors.New("nested too deep")

func appendJSON(b []byte, n ast.Node, depth int) ([]byte, error) {
	if depth > 2*maxDepth {
		return nil, errDeep
	}
	var pairs []*ast.MappingValueNode
	switch n := bare(n).(type) {
	case *ast.NullNode:
		return append(b, "null"...), nil
	case *ast.BoolNode:
		return fmt.Append(b, n.Value), nil
	case *ast.IntegerNode:
		if s := n.GetToken().Value; jsonNumber().MatchString(s) {
			return append(b, s...), nil
		}
		return fmt.Append(b, n.Value), nil
	case *ast.FloatNode:
		if s := n.GetToken().Value; jsonNumber().MatchString(s) {
			return append(b, s...), nil
		}
		return appendText(b, n.GetToken().Value), nil
	case *ast.SequenceNode:
		b = append(b, '[')
		for i, v := range n.Values {
			if i > 0 {
				b = append(b, ',')
			}
			var err error
			if b, err = appendJSON(b, v, depth+1); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	case *ast.StringNode:
		if s := n.Value; n.GetToken().Type == token.StringType && jsonNumber().MatchString(s) {
			return append(b, s...), nil // one that YAML has no type for
		}
		return appendText(b, n.Value), nil
	default:
		s, _ := scalar(n)
		return appendText(b, s), nil
	}
	b = append(b, '{')
	for i, p := range pairs {
		if i > 0 {
			b = append(b, ',')
		}
		key, _ := scalar(p.Key)
		b = append(appendText(b, key), ':')
		var err error
		if b, err = appendJSON(b, p.Value, depth+1); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func appendText(b []byte, s string) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a text always can be
	return append(b, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}

var jsonNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$`)
})
