// Package openbrain reads an export of Open Brain's table of thoughts: JSON,
// JSON Lines or CSV, told apart by how the file begins.
//
//	for t, err := range openbrain.Rows(file) {
//		var bad *openbrain.RowError
//		switch {
//		case errors.As(err, &bad): // one row is no thought; the next ones follow
//		case err != nil: // the file cannot be read on
//		default: // t, without an id of its own
//		}
//	}
//
// Content, times and metadata come along: type, topics, people and whatever
// else a row holds become keys of the thought, the old id its LegacyID. A file
// of any size is read in little memory.
package openbrain

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/slipstream-mcp/slipstream/memstore/thought"
)

// maxRow is the most bytes of one row of JSON.
const maxRow = 16 << 20

// RowError says that a row is no thought.
type RowError struct {
	// Row counts from 1, without a head line.
	Row int
	Err error
}

func (e *RowError) Error() string { return fmt.Sprintf("row %d: %v", e.Row, e.Err) }

// Unwrap returns what is wrong with the row.
func (e *RowError) Unwrap() error { return e.Err }

// Rows iterates over the thoughts of an export. They have no ID and no
// FilePath; Source is "" and CreatedAt zero where the export does not tell. An
// error that is not a *RowError is the last element.
func Rows(r io.Reader) iter.Seq2[thought.Thought, error] {
	return func(yield func(thought.Thought, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		if head, _ := in.Peek(3); bytes.Equal(head, []byte("\xef\xbb\xbf")) {
			_, _ = in.Discard(3)
		}
		n := 0
		each := func(row row, err error) bool {
			n++
			var t thought.Thought
			if err == nil {
				t, err = row.thought()
			}
			if err != nil {
				return yield(thought.Thought{}, &RowError{n, err})
			}
			return yield(t, nil)
		}
		first, err := firstByte(in)
		switch {
		case err == io.EOF:
			err = errors.New("the file is empty; an export of the table thoughts is wanted")
		case err != nil:
		case first == '[':
			err = readJSON(in, each)
		case first == '{':
			err = readObjects(in, each)
		case first == '<' || first == 0 || first >= 0xfe:
			err = errors.New("the file is neither JSON nor JSON Lines nor CSV in UTF-8; an export of the table thoughts is wanted")
		default:
			err = readCSV(in, each)
		}
		if err != nil && err != errStop {
			yield(thought.Thought{}, err)
		}
	}
}

// errStop says that nobody wants more.
var errStop = errors.New("stopped")

// firstByte returns the first byte that is no space, without taking it.
func firstByte(in *bufio.Reader) (byte, error) {
	for {
		b, err := in.ReadByte()
		if err != nil {
			return 0, err
		}
		if !strings.ContainsRune(" \t\r\n", rune(b)) {
			return b, in.UnreadByte()
		}
	}
}

// readObjects reads a row a line, or what readJSON reads when the first line is
// none.
func readObjects(in *bufio.Reader, each func(row, error) bool) error {
	var line []byte
	var err error
	for len(line) < maxRow {
		var part []byte
		if part, err = in.ReadSlice('\n'); err != bufio.ErrBufferFull {
			line = append(line, part...)
			break
		}
		line = append(line, part...)
	}
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return err
	}
	if first, bad := jsonRow(line); bad != nil || first.content == "" && first.list {
		return readJSON(bufio.NewReader(io.MultiReader(bytes.NewReader(line), in)), each)
	}
	for {
		if text := bytes.TrimSpace(line); len(text) > 0 && !each(jsonRow(text)) {
			return errStop
		}
		if err == io.EOF {
			return nil
		}
		line = line[:0]
		for {
			var part []byte
			part, err = in.ReadSlice('\n')
			if line = append(line, part...); err != bufio.ErrBufferFull {
				break
			}
			if len(line) > maxRow {
				return errLong
			}
		}
		if err != nil && err != io.EOF {
			return err
		}
	}
}

var errLong = fmt.Errorf("a row has more than %d bytes", maxRow)

// readJSON reads an array of rows, rows one after another, or an object that
// holds an array of rows.
func readJSON(in *bufio.Reader, each func(row, error) bool) error {
	limited := &limit{r: in}
	dec := json.NewDecoder(limited)
	limited.consumed = dec.InputOffset
	if first, _ := in.Peek(1); string(first) == "[" {
		return readArray(dec, each)
	}
	if holder, err := readHolder(dec, each); holder || err != nil {
		return brokenJSON(dec, err)
	}
	for {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err == io.EOF {
			return nil
		} else if err != nil {
			return brokenJSON(dec, err)
		}
		if !each(jsonRow(raw)) {
			return errStop
		}
	}
}

// readHolder reads the first object. It is a row unless one of its values is an
// array of rows: those are read one by one, and what follows is not looked at.
func readHolder(dec *json.Decoder, each func(row, error) bool) (holder bool, err error) {
	if _, err := dec.Token(); err != nil {
		return false, err
	}
	var r row
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return false, err
		}
		name, _ := key.(string)
		if r.content == "" && slices.Contains(holders(), strings.ToLower(name)) {
			return true, readArray(dec, each)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return false, err
		}
		r.set(name, value)
	}
	if _, err := dec.Token(); err != nil {
		return false, err
	}
	if !each(r, nil) {
		return false, errStop
	}
	return false, nil
}

// holders are the names under which exports keep their rows.
func holders() []string { return []string{"thoughts", "data", "rows", "items", "results"} }

func readArray(dec *json.Decoder, each func(row, error) bool) error {
	open, err := dec.Token()
	if err != nil {
		return brokenJSON(dec, err)
	}
	if open != json.Delim('[') {
		return errors.New("there is no list of rows in the file; an export of the table thoughts is wanted")
	}
	for dec.More() {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return brokenJSON(dec, err)
		}
		if !each(jsonRow(raw)) {
			return errStop
		}
	}
	if _, err := dec.Token(); err != nil {
		return brokenJSON(dec, err)
	}
	return nil
}

func brokenJSON(dec *json.Decoder, err error) error {
	var broken *json.SyntaxError
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errors.New("the file ends in the middle of a row")
	}
	if errors.As(err, &broken) {
		return fmt.Errorf("after %d bytes: %w", dec.InputOffset(), err)
	}
	return err
}

// limit ends a reader when more than maxRow bytes were not consumed.
type limit struct {
	r        io.Reader
	read     int64
	consumed func() int64
}

func (l *limit) Read(b []byte) (int, error) {
	if l.read-l.consumed() > maxRow {
		return 0, errLong
	}
	n, err := l.r.Read(b)
	l.read += int64(n)
	return n, err
}

func jsonRow(raw json.RawMessage) (row, error) {
	var r row
	fields, err := fieldsOf(raw)
	if err != nil || len(fields) == 0 {
		return r, fmt.Errorf("it is no object of JSON: %.40q", bytes.TrimSpace(raw))
	}
	for _, f := range fields {
		r.set(f.Key, f.Value)
	}
	return r, nil
}

// readCSV reads a head line and a row a record.
func readCSV(in *bufio.Reader, each func(row, error) bool) error {
	head, _ := in.Peek(in.Size())
	line, _, _ := bytes.Cut(head, []byte("\n"))
	limited := &limit{r: in}
	r := csv.NewReader(limited)
	limited.consumed = r.InputOffset
	r.FieldsPerRecord = -1 // told row by row
	for _, sep := range []rune{',', ';', '\t'} {
		if bytes.ContainsRune(line, sep) {
			r.Comma = sep
			break
		}
	}
	names, err := r.Read()
	if err != nil {
		return brokenCSV(err)
	}
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	if !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, "content") }) {
		return errors.New("the first line names no column content; an export of the table thoughts is wanted")
	}
	for {
		record, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return brokenCSV(err)
		}
		var one row
		if len(record) != len(names) {
			err = fmt.Errorf("it has %d fields, the first line has %d", len(record), len(names))
		}
		for i := range min(len(record), len(names)) {
			one.setText(names[i], record[i])
		}
		if !each(one, err) {
			return errStop
		}
	}
}

func brokenCSV(err error) error {
	var at *csv.ParseError
	if errors.As(err, &at) {
		return fmt.Errorf("line %d: %w", at.Line, at.Err)
	}
	return err
}

// row is what an export says of a thought.
type row struct {
	id, content      string
	created, updated string
	metadata         json.RawMessage
	list             bool // one of its columns has the name of a list of rows
	rest             []thought.Field
}

// set takes in a column of JSON.
func (r *row) set(name string, value json.RawMessage) {
	text, isText := "", false
	switch {
	case string(value) == "null":
		return
	case len(value) > 0 && value[0] == '"':
		isText = json.Unmarshal(value, &text) == nil
	case len(value) > 0 && value[0] != '{' && value[0] != '[':
		text = string(value)
	}
	lower := strings.ToLower(name)
	r.list = r.list || slices.Contains(holders(), lower)
	switch lower {
	case "id":
		r.id = text
	case "content":
		if isText {
			r.content = text
		}
	case "created_at":
		r.created = text
	case "updated_at":
		r.updated = text
	case "metadata":
		if r.metadata = value; isText {
			r.metadata = json.RawMessage(text)
		}
	case "embedding", "content_fingerprint", "fingerprint", "embedding_status", "schema_version", "file_path":
	default:
		if !isText || text != "" {
			r.rest = append(r.rest, thought.Field{Key: name, Value: value})
		}
	}
}

// setText takes in a column of CSV.
func (r *row) setText(name, text string) {
	switch strings.ToLower(name) {
	case "content":
		r.content = text
	case "metadata":
		r.metadata = json.RawMessage(text)
	case "id", "created_at", "updated_at":
		value, _ := json.Marshal(text) // so that a number stays a text
		r.set(name, value)
	default:
		if text == "" || text == "null" || text == `\N` {
			return
		}
		value := json.RawMessage(text)
		if !json.Valid(value) || value[0] != '{' && value[0] != '[' {
			value, _ = json.Marshal(text)
		}
		r.set(name, value)
	}
}
