package schema

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"
)

// coerce brings a decoded JSON value to the shape where its meaning is plain.
// Other values come back as they are, for the validator to refuse.
func (s *shape) coerce(v any) any {
	if s.kind == text {
		switch v := v.(type) {
		case json.Number:
			return v.String() // as spelled: exact at any size
		case bool:
			return strconv.FormatBool(v)
		}
		return v
	}
	if n, ok := v.(json.Number); ok {
		v = tame(n)
	}
	switch s.kind {
	case whole, number, truth:
		return s.coerceScalar(v)
	case list:
		return s.coerceList(v)
	}
	if encoded, ok := v.(string); ok {
		if m, ok := parse([]byte(encoded)).(map[string]any); ok {
			v = m
		}
	}
	if m, ok := v.(map[string]any); ok {
		s.coerceObject(m)
	}
	return v
}

func (s *shape) coerceScalar(v any) any {
	inner := v
	if encoded, ok := v.(string); ok {
		inner = parse([]byte(encoded))
	}
	switch inner := inner.(type) {
	case json.Number:
		if s.kind == truth {
			return v
		}
		n, ok := tame(inner).(json.Number)
		if ok && s.kind == whole {
			n, ok = asWhole(n)
		}
		if ok {
			return n
		}
	case bool:
		if s.kind == truth {
			return inner
		}
	}
	return v
}

func (s *shape) coerceList(v any) any {
	items, ok := v.([]any)
	if encoded, is := v.(string); is && !ok {
		items, ok = parse([]byte(encoded)).([]any)
		ok = ok || strings.TrimSpace(encoded) == "" // nothing: an empty list
	}
	if !ok {
		items = []any{v} // a bare value is a list of one
	}
	if items == nil {
		items = []any{}
	}
	if most := s.schema.MaxItems; most != nil && uint64(len(items)) > *most {
		items = items[:*most+1] // enough to be refused, however long it is
	}
	for i, item := range items {
		items[i] = s.item.coerce(item)
	}
	return items
}

// coerceObject rewrites aliases, drops what counts as absent and coerces the
// rest.
func (s *shape) coerceObject(m map[string]any) {
	for _, f := range s.fields {
		for _, name := range f.names {
			v := m[name]
			delete(m, name)
			if _, taken := m[f.name]; v == nil || taken {
				continue
			}
			m[f.name] = v
		}
	}
	for _, f := range s.fields {
		v, ok := m[f.name]
		if blank, is := v.(string); is && f.required && strings.TrimSpace(blank) == "" {
			delete(m, f.name)
		} else if ok {
			m[f.name] = f.shape.coerce(v)
		}
	}
}

// parse decodes JSON text, numbers verbatim. Anything else gives nil.
func parse(raw []byte) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	if _, err := d.Token(); err != io.EOF {
		return nil
	}
	return v
}

// tame spells a number so that exact arithmetic on it is cheap: 1e999999999 is
// eleven bytes that would need a gigabyte. What no float can hold becomes text,
// which no validator takes for a number.
func tame(n json.Number) any {
	if len(n) < 40 && !strings.ContainsAny(n.String(), "eE") {
		return n
	}
	f, err := n.Float64()
	if err != nil {
		return n.String()
	}
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return json.Number(strconv.FormatFloat(f, 'f', 0, 64))
	}
	return json.Number(strconv.FormatFloat(f, 'f', -1, 64))
}

// asWhole drops a fraction of zero.
func asWhole(n json.Number) (json.Number, bool) {
	before, after, _ := strings.Cut(n.String(), ".")
	return json.Number(before), strings.Trim(after, "0") == ""
}

func isWhole(n json.Number) bool {
	_, ok := asWhole(n)
	return ok
}
