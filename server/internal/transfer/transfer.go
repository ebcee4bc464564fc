// Package transfer writes and reads what is carried from one machine's memory to another's: JSON Lines, an object a line,
// whose key "record" says what it is. A line that another program added, or that is broken, costs that line alone.
//
// It refuses lines over 8 MiB.
package transfer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/activity"
)

// maxLine is the length of the longest line that is read, in bytes.
const maxLine = 8 << 20

// Item is one line: a fact or an observation.
type Item struct {
	Fact        *memstore.Fact
	Observation *activity.Observation
}

type fact struct {
	Record      string     `json:"record"`
	Name        string     `json:"name"`
	Type        string     `json:"type"`
	Description string     `json:"description"`
	Tags        []string   `json:"tags,omitempty"`
	Created     *time.Time `json:"created,omitempty"`
	Updated     *time.Time `json:"updated,omitempty"`
	Body        string     `json:"body"`
}

// The values of "record".
const (
	factRecord        = "fact"
	observationRecord = "observation"
)

// WriteFact writes a fact's line.
func WriteFact(w io.Writer, f memstore.Fact) error {
	line := fact{factRecord, f.Name, string(f.Type), f.Description, f.Tags, moment(f.Created), moment(f.Updated), f.Body}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(line)
}

func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// WriteObservation writes an observation's line: that of its file, with the key in front.
func WriteObservation(w io.Writer, o activity.Observation) error {
	line := fmt.Appendf(nil, `{"record":%q,`, observationRecord)
	line = append(line, activity.AppendObservation(nil, o)[1:]...)
	_, err := w.Write(append(line, '\n'))
	return err
}

// Read yields the items of r in their order. An error is that of one line, which it names, and reading goes on behind it;
// but one of r itself is the last.
func Read(r io.Reader) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		lines := bufio.NewReaderSize(r, 64<<10)
		for n := 1; ; n++ {
			line, err := readLine(lines)
			if text := bytes.TrimSpace(line); len(text) > 0 {
				item, bad := parse(text)
				if bad != nil {
					bad = fmt.Errorf("line %d: %w", n, bad)
				}
				if !yield(item, bad) {
					return
				}
			}
			switch {
			case errors.Is(err, io.EOF):
				return
			case errors.Is(err, errTooLong):
				if !yield(Item{}, fmt.Errorf("line %d: %w", n, err)) {
					return
				}
			case err != nil:
				yield(Item{}, err)
				return
			}
		}
	}
}

var errTooLong = fmt.Errorf("over %d bytes", maxLine)

// readLine returns a line with its end; of one that is too long, nothing.
func readLine(r *bufio.Reader) (line []byte, err error) {
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long && (err == nil || errors.Is(err, io.EOF)) {
			return nil, errTooLong
		}
		return line, err
	}
}

func parse(line []byte) (Item, error) {
	line = bytes.TrimPrefix(line, []byte("\uFEFF"))
	var head struct{ Record string }
	if err := json.Unmarshal(line, &head); err != nil {
		return Item{}, fmt.Errorf("not a JSON object: %w", err)
	}
	switch head.Record {
	case factRecord:
		var in fact
		if err := json.Unmarshal(line, &in); err != nil {
			return Item{}, err
		}
		f := memstore.Fact{Name: in.Name, Type: memstore.FactType(in.Type), Description: in.Description, Tags: in.Tags, Body: in.Body}
		if in.Created != nil {
			f.Created = *in.Created
		}
		if in.Updated != nil {
			f.Updated = *in.Updated
		}
		return Item{Fact: &f}, nil
	case observationRecord:
		o, err := activity.ParseObservation(line)
		if err != nil {
			return Item{}, err
		}
		delete(o.Other, "record")
		return Item{Observation: &o}, nil
	}
	return Item{}, fmt.Errorf(`"record" is %q, neither %q nor %q`, head.Record, factRecord, observationRecord)
}
