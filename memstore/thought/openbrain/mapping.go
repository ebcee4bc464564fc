package openbrain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/slipstream-mcp/slipstream/memstore/thought"
)

// own stands before a key that has a meaning of its own in a vault.
const own = "open_brain_"

// thought returns what a row says; the error says why it is none.
func (r *row) thought() (thought.Thought, error) {
	if strings.TrimSpace(r.content) == "" {
		return thought.Thought{}, errors.New("it has no content")
	}
	t := thought.Thought{SchemaVersion: 1, Body: thought.Body(strings.ReplaceAll(r.content, "\x00", "")), Vault: thought.DefaultVault, LegacyID: label(r.id)}
	fields, err := fieldsOf(r.metadata)
	if err != nil {
		return t, fmt.Errorf("its metadata is no object of JSON: %.40q", r.metadata)
	}
	for _, at := range []struct {
		key, text string
		into      *time.Time
	}{{"created_at", r.created, &t.CreatedAt}, {"updated_at", r.updated, &t.UpdatedAt}} {
		var ok bool
		if *at.into, ok = moment(at.text); !ok {
			fields = append(fields, thought.Field{Key: own + at.key, Value: quoted(at.text)})
		}
	}
	for _, f := range slices.Concat(fields, r.rest) {
		take(&t, f)
	}
	if t.Prefix == "" {
		t.Prefix = thought.ParsePrefix(t.Body)
	}
	if t.Portability == "" {
		t.Portability = thought.Portability(t.Prefix)
	}
	t.Fingerprint = thought.Fingerprint(t.Body)
	sample := t
	sample.ID, sample.CreatedAt, sample.UpdatedAt = "00000000-0000-7000-8000-000000000000", time.Unix(0, 0), time.Unix(0, 0)
	if sample.Source == "" {
		sample.Source = "unknown"
	}
	_, err = thought.Encode(sample)
	return t, err
}

// take puts a key of metadata, or another column, where it belongs.
func take(t *thought.Thought, f thought.Field) {
	var text string
	isText := json.Unmarshal(f.Value, &text) == nil && f.Value[0] == '"'
	switch key := strings.ToLower(strings.TrimSpace(f.Key)); {
	case key == "" || string(f.Value) == "null":
		return
	case key == "prefix" && isText && t.Prefix == "":
		if t.Prefix = thought.CleanPrefix(text); len([]rune(t.Prefix)) <= thought.MaxPrefix && t.Prefix != "" {
			return
		}
		t.Prefix = ""
	case key == "portability" && slices.Contains([]string{"portable", "sensitive", "block"}, text):
		t.Portability = text
		return
	case key == "source" && isText && t.Source == "" && text == label(text) && !strings.Contains(text, "..") && len([]rune(text)) <= thought.MaxSource:
		t.Source = text
		return
	case key == "vault" && isText && text == label(text) && text != "":
		t.Vault = text
		return
	case key == "tags":
		if tags, ok := texts(f.Value); ok {
			t.Tags = append(t.Tags, tags...)
			return
		}
	}
	f.Key = strings.TrimSpace(f.Key)
	if thought.Reserved(f.Key) {
		f.Key = own + f.Key
	}
	if slices.ContainsFunc(t.Extra, func(have thought.Field) bool { return have.Key == f.Key }) {
		return // metadata comes before columns
	}
	t.Extra = append(t.Extra, f)
}

// texts returns the items of a list of texts, or of a text with commas.
func texts(value json.RawMessage) (list []string, ok bool) {
	var text string
	switch {
	case json.Unmarshal(value, &list) == nil:
	case json.Unmarshal(value, &text) == nil:
		list = strings.Split(text, ",")
	default:
		return nil, false
	}
	var kept []string
	for _, s := range list {
		if s = strings.TrimSpace(s); s != "" && !slices.Contains(kept, s) {
			kept = append(kept, s)
		}
	}
	return kept, true
}

// fieldsOf returns the keys of an object of JSON in their order.
func fieldsOf(metadata json.RawMessage) (fields []thought.Field, err error) {
	text := bytes.TrimSpace(metadata)
	if len(text) == 0 || string(text) == "null" || string(text) == `\N` {
		return nil, nil
	}
	bad := errors.New("it is no object of JSON")
	dec := json.NewDecoder(bytes.NewReader(text))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, bad
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, bad
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, bad
		}
		name, _ := key.(string)
		fields = append(fields, thought.Field{Key: name, Value: value})
	}
	if _, err := dec.Token(); err != nil {
		return nil, bad
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, bad
	}
	return fields, nil
}

// moment reads a time as databases and programs write it, the zero time for
// none; ok is false when it is something else.
func moment(text string) (at time.Time, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" || text == `\N` {
		return time.Time{}, true
	}
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		const milliseconds = 1e11 // from there on
		if seconds >= milliseconds {
			seconds /= 1000
		}
		if seconds > 0 && seconds < 253402300800 { // the year 10000
			return time.UnixMicro(int64(seconds * 1e6)).UTC(), true
		}
		return time.Time{}, false
	}
	at, err := thought.ParseTime(text)
	return at, err == nil && at.Year() > 0 && at.Year() < 10000
}

// label is a text in one line, without what no label may hold.
func label(s string) string {
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "")))
	if r := []rune(s); len(r) > thought.MaxSource {
		s = string(r[:thought.MaxSource])
	}
	return s
}

func quoted(s string) json.RawMessage {
	b, _ := json.Marshal(s)
	return b
}
