// Package frontmatter reads and writes the block of YAML at the top of a
// Markdown file.
//
// It reads YAML as people and programs write it, but for anchors and aliases,
// which are refused. It writes each value in the one form that js-yaml 3 gives
// it, since files are shared with programs built on that library, and it
// leaves alone what it was not asked to change: unknown keys, comments and the
// order of keys stay byte for byte.
package frontmatter

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// MaxHead is the longest head that is parsed, in bytes.
const MaxHead = 64 << 10

// Doc is a Markdown file in two parts. The zero Doc is an empty one.
type Doc struct {
	entries []entry
	// Body is what follows the head, as it is but for line ends, which are
	// LF, what is not UTF-8, which is U+FFFD, and the empty line after the head, which is not part of it.
	Body string
}

// entry is one key with its value, or, with an empty key, lines that hold none.
type entry struct {
	key    string
	raw    string // whole lines
	values []string
	list   bool
	other  bool // neither a scalar nor a list of scalars
}

// Parse reads a file. Errors say what is wrong and in which line of the file.
func Parse(src []byte) (Doc, error) {
	head, body, err := Split(src)
	if err != nil {
		return Doc{}, err
	}
	d, err := ParseHead(head)
	d.Body = strings.TrimPrefix(body, "\n")
	return d, err
}

// Split returns the lines between the two that are ---, and all that follows
// them; line ends are LF and what is not UTF-8 is U+FFFD in both.
func Split(src []byte) (head, body string, err error) {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(string(src), "\ufffd"))
	first, rest, ok := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \t") != "---" {
		return "", "", errors.New("line 1: no frontmatter, which begins with ---")
	}
	for at := 0; ok && at < len(rest); {
		line, _, _ := strings.Cut(rest[at:], "\n")
		if strings.TrimRight(line, " \t") == "---" {
			return rest[:at], strings.TrimPrefix(rest[at+len(line):], "\n"), nil
		}
		at += len(line) + 1
	}
	return "", "", errors.New("line 1: the frontmatter has no end, a line with ---")
}

// ParseHead reads the lines of a head alone; the Doc has no body.
func ParseHead(head string) (Doc, error) {
	entries, ok := simple(head)
	if !ok {
		var err error
		if entries, err = parseHead(head); err != nil {
			return Doc{}, err
		}
	}
	return Doc{entries: entries}, nil
}

func parseHead(head string) ([]entry, error) {
	if len(head) > MaxHead {
		return nil, fmt.Errorf("line 1: the frontmatter is longer than %d KiB", MaxHead>>10)
	}
	if strings.ContainsRune(head, 0) {
		return nil, errors.New("the frontmatter holds a NUL")
	}
	file, err := parser.ParseBytes([]byte(head), 0)
	if err != nil {
		return nil, yamlError(err)
	}
	var body ast.Node
	for _, d := range file.Docs {
		if d.Body == nil {
			continue
		}
		if body != nil {
			return nil, errors.New("line 1: the frontmatter is more than one YAML document")
		}
		body = d.Body
	}
	var pairs []*ast.MappingValueNode
	flow := false
	switch n := body.(type) {
	case nil, *ast.CommentGroupNode:
		return entriesOf(head, nil, false)
	case *ast.MappingNode:
		pairs, flow = n.Values, n.IsFlowStyle
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	default:
		return nil, fmt.Errorf("line %d: the frontmatter is no list of keys", line(body))
	}
	return entriesOf(head, pairs, flow)
}

func entriesOf(head string, pairs []*ast.MappingValueNode, flow bool) ([]entry, error) {
	lines := strings.SplitAfter(head, "\n")
	var entries []entry
	done := 0 // lines that belong to an entry
	for i, p := range pairs {
		e, err := read(p)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(entries, func(o entry) bool { return o.key == e.key }) {
			return nil, fmt.Errorf("line %d: the key %q is there twice", line(p.Key), e.key)
		}
		if flow {
			e.raw = doubleQuoted(e.key) + ": " + strings.TrimSpace(p.Value.String()) + "\n"
			if !e.other {
				e.raw = e.text()
			}
			if !alone(e) {
				return nil, fmt.Errorf("line %d: the key %q is written in a way that is not accepted", line(p.Key), e.key)
			}
			entries = append(entries, e)
			continue
		}
		if p.Key.GetToken().Position.Column != 1 {
			return nil, fmt.Errorf("line %d: the key %q is indented", line(p.Key), e.key)
		}
		start := p.Key.GetToken().Position.Line - 1
		end := len(lines)
		if i+1 < len(pairs) {
			end = pairs[i+1].Key.GetToken().Position.Line - 1
		}
		if start < done || end <= start || end > len(lines) {
			return nil, fmt.Errorf("line %d: each key needs a line of its own", line(p.Key))
		}
		if at := slices.IndexFunc(lines[done:start], func(l string) bool { return !loose(l) }); at >= 0 {
			return nil, fmt.Errorf("line %d: this belongs to no key", done+at+2)
		}
		if start > done {
			entries = append(entries, entry{raw: between(lines[done:start])})
		}
		// Comments that follow a value stand before the next key. Empty lines
		// may be part of the value.
		done = end
		for at := end; at > start+1 && loose(lines[at-1]); at-- {
			if strings.HasPrefix(lines[at-1], "#") {
				done = at - 1
			}
		}
		e.raw = strings.Join(lines[start:done], "")
		if !alone(e) {
			return nil, fmt.Errorf("line %d: the key %q is written in a way that is not accepted", line(p.Key), e.key)
		}
		entries = append(entries, e)
	}
	if !flow && done < len(lines) {
		if at := slices.IndexFunc(lines[done:], func(l string) bool { return !loose(l) }); at >= 0 {
			return nil, fmt.Errorf("line %d: this belongs to no key", done+at+2)
		}
		entries = append(entries, entry{raw: between(lines[done:])})
	}
	return slices.DeleteFunc(entries, func(e entry) bool { return e.raw == "" }), nil
}

// alone reports whether the lines of an entry mean the same without the others,
// so that those can be changed.
func alone(e entry) bool {
	file, err := parser.ParseBytes([]byte(e.raw), 0)
	if err != nil || len(file.Docs) != 1 || strings.ContainsRune("!&*?|>@`%", rune(e.raw[0])) {
		return false
	}
	p, ok := file.Docs[0].Body.(*ast.MappingValueNode)
	if m, is := file.Docs[0].Body.(*ast.MappingNode); is && len(m.Values) == 1 && !m.IsFlowStyle {
		p, ok = m.Values[0], true
	}
	if !ok {
		return false
	}
	got, err := read(p)
	got.raw = e.raw
	return err == nil && reflect.DeepEqual(got, e)
}

// between joins lines that stand between keys. A tab that one begins with is a
// mistake as soon as a key is put before it, and goes.
func between(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		text := strings.TrimLeft(l, " \t\v\f")
		if strings.ContainsRune(l[:len(l)-len(text)], '\t') {
			l = text
		}
		b.WriteString(l)
	}
	return b.String()
}

// loose reports whether a line holds nothing but, perhaps, a comment.
func loose(line string) bool {
	line = strings.TrimLeft(line, " \t\n")
	return line == "" || line[0] == '#'
}

// read takes the value out of one pair.
func read(p *ast.MappingValueNode) (entry, error) {
	if n := forbidden(p); n != nil {
		return entry{}, fmt.Errorf("line %d: anchors, aliases and merges are not accepted", line(n))
	}
	key, ok := scalar(p.Key)
	if !ok || key == "" {
		return entry{}, fmt.Errorf("line %d: a key is no text", line(p.Key))
	}
	e := entry{key: key}
	if v, ok := scalar(p.Value); ok {
		e.values = []string{v}
		return e, nil
	}
	seq, ok := bare(p.Value).(*ast.SequenceNode)
	if !ok {
		e.other = true
		return e, nil
	}
	e.list = true
	for _, item := range seq.Values {
		v, ok := scalar(item)
		if !ok {
			return entry{key: key, other: true}, nil
		}
		e.values = append(e.values, v)
	}
	return e, nil
}

// scalar returns the text of a value; that of null is empty.
func scalar(n ast.Node) (string, bool) {
	switch n := bare(n).(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.NullNode:
		return "", true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	}
	return "", false
}

func bare(n ast.Node) ast.Node {
	if t, ok := n.(*ast.TagNode); ok {
		return t.Value
	}
	return n
}

// forbidden returns the first node below p that makes values depend on others.
func forbidden(p ast.Node) ast.Node {
	f := &finder{}
	ast.Walk(f, p)
	return f.found
}

type finder struct{ found ast.Node }

func (f *finder) Visit(n ast.Node) ast.Visitor {
	switch n.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		f.found = n
	}
	if f.found != nil {
		return nil
	}
	return f
}

// line returns the line of the file a node is in; the head begins in the second.
func line(n ast.Node) int {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 1
	}
	return n.GetToken().Position.Line + 1
}

// yamlError makes one line of the parser's error, which shows the source.
func yamlError(err error) error {
	text, _, _ := strings.Cut(err.Error(), "\n")
	var at, col int
	if n, _ := fmt.Sscanf(text, "[%d:%d]", &at, &col); n == 2 {
		_, text, _ = strings.Cut(text, "] ")
		return fmt.Errorf("line %d: %s", at+1, text)
	}
	return errors.New(text)
}

// Scalar returns the text of a value as it is written, without quotes; ok is
// false when there is no such key or its value is a list or a mapping. A null
// is an empty text.
func (d *Doc) Scalar(key string) (text string, ok bool) {
	e := d.find(key)
	if e == nil || e.list || e.other {
		return "", false
	}
	return e.values[0], true
}

// List returns the items of a list of texts; a single text is a list of one.
func (d *Doc) List(key string) (items []string, ok bool) {
	e := d.find(key)
	if e == nil || e.other {
		return nil, false
	}
	if !e.list && e.values[0] == "" {
		return nil, true
	}
	return slices.Clone(e.values), true
}

// Keys returns the keys of the head in order.
func (d *Doc) Keys() []string {
	var keys []string
	for _, e := range d.entries {
		if e.key != "" {
			keys = append(keys, e.key)
		}
	}
	return keys
}

func (d *Doc) find(key string) *entry {
	for i := range d.entries {
		if d.entries[i].key == key {
			return &d.entries[i]
		}
	}
	return nil
}

// SetScalar sets a value. The lines of a value that is the same already stay
// as they are; a new key goes after the one called after, to the front when that
// is empty and to the end when there is no such key.
func (d *Doc) SetScalar(key, text, after string) {
	if old, ok := d.Scalar(key); ok && old == text {
		return
	}
	d.set(entry{key: key, values: []string{text}}, after)
}

// SetList sets a list, in the way of SetScalar.
func (d *Doc) SetList(key string, items []string, after string) {
	if e := d.find(key); e != nil && e.list && slices.Equal(e.values, items) {
		return
	}
	d.set(entry{key: key, values: slices.Clone(items), list: true}, after)
}

// text returns the lines of an entry anew.
func (e *entry) text() string {
	key := Scalar(e.key, 1)
	if strings.Contains(key, "\n") {
		key = doubleQuoted(e.key)
	}
	if !e.list {
		return key + ": " + Scalar(e.values[0], 1) + "\n"
	}
	if len(e.values) == 0 {
		return key + ": []\n"
	}
	var b strings.Builder
	b.WriteString(key + ":\n")
	for _, item := range e.values {
		b.WriteString("  - " + Scalar(item, 2) + "\n")
	}
	return b.String()
}

func (d *Doc) set(e entry, after string) {
	e.raw = e.text()
	d.put(e, after)
}

func (d *Doc) put(e entry, after string) {
	at := len(d.entries)
	if after == "" {
		at = 0
	}
	for i, o := range d.entries {
		if o.key == e.key {
			d.entries[i] = e
			return
		}
		if o.key != "" && o.key == after {
			at = i + 1
		}
	}
	d.entries = slices.Insert(d.entries, at, e)
}

// Size returns the length of the head in bytes, and which of its keys takes most
// of it.
func (d *Doc) Size() (longest string, size, all int) {
	for _, e := range d.entries {
		n := len(strings.TrimSuffix(e.raw, "\n")) + 1
		all += n
		if n > size && e.key != "" {
			longest, size = e.key, n
		}
	}
	return longest, size, all
}

// Head returns the head with the lines around it.
func (d *Doc) Head() []byte {
	var b bytes.Buffer
	b.WriteString("---\n")
	for _, e := range d.entries {
		b.WriteString(e.raw)
		if !strings.HasSuffix(e.raw, "\n") {
			b.WriteByte('\n')
		}
	}
	b.WriteString("---\n")
	return b.Bytes()
}

// Bytes returns the file: head, an empty line, the body and a newline.
func (d *Doc) Bytes() []byte {
	var b bytes.Buffer
	b.Write(d.Head())
	b.WriteByte('\n')
	b.WriteString(d.Body)
	if !strings.HasSuffix(d.Body, "\n") {
		b.WriteByte('\n')
	}
	return b.Bytes()
}
