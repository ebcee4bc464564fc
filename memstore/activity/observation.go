package activity

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// ParseObservation reads one line of an observation file. A line needs an id
// from 1 to 1<<53 and a summary; whatever else is missing or of another type
// is the zero value, a kind that is none of Kinds a Note. The vector that
// older programs keep is dropped, other unknown keys are kept. The error says
// what the line lacks.
func ParseObservation(line []byte) (Observation, error) {
	if err := object(line); err != nil {
		return Observation{}, fmt.Errorf("observation: %w", err)
	}
	o := Observation{Kind: Note, Last: -1}
	summary := false
	for key, raw := range members(line) {
		switch key {
		case "id":
			o.ID, _ = integer(raw)
		case "session":
			o.Session = text(raw)
		case "ts":
			o.Time = moment(raw)
		case "kind":
			o.Kind = Note
			if k := Kind(text(raw)); slices.Contains(Kinds(), k) {
				o.Kind = k
			}
		case "summary":
			o.Summary, summary = text(raw), isText(raw)
		case "detail":
			o.Detail = text(raw)
		case "files":
			o.Files = texts(raw)
		case "tags":
			o.Tags = texts(raw)
		case "events":
			o.First, o.Last = eventRange(raw)
		case "vector":
		default:
			o.Other = keep(o.Other, key, raw)
		}
	}
	switch {
	case o.ID < 1:
		return Observation{}, errors.New("observation: no id from 1 to 1<<53")
	case !summary:
		return Observation{}, errors.New("observation: no summary")
	}
	return o, nil
}

// eventRange decodes [first,last]; what is no such range is 0, -1.
func eventRange(raw []byte) (first, last int64) {
	if raw[0] != '[' {
		return 0, -1
	}
	var n []int64
	b := space(raw[1:])
	for b[0] != ']' {
		size := valueLen(b)
		v, ok := integer(b[:size])
		if !ok {
			return 0, -1
		}
		n = append(n, v)
		if b = space(b[size:]); b[0] == ',' {
			b = space(b[1:])
		}
	}
	if len(n) != 2 || n[1] < n[0] {
		return 0, -1
	}
	return n[0], n[1]
}

func isObservationKey(key string) bool {
	switch key {
	case "id", "session", "ts", "kind", "summary", "detail", "files", "tags", "events", "vector":
		return true
	}
	return false
}

// AppendObservation appends the line of an observation, without a newline. A
// key of o.Other is written after the known ones, unless it is one of them or
// its value is no JSON.
func AppendObservation(b []byte, o Observation) []byte {
	b = append(b, '{')
	b = strconv.AppendInt(appendKey(b, "id"), o.ID, 10)
	b = appendMember(b, "session", o.Session)
	b = appendTime(b, o.Time)
	b = appendMember(b, "kind", string(o.Kind))
	b = appendMember(b, "summary", o.Summary)
	b = appendMember(b, "detail", o.Detail)
	b = appendTexts(b, "files", o.Files)
	b = appendTexts(b, "tags", o.Tags)
	if o.First >= 0 && o.Last >= o.First {
		b = fmt.Appendf(appendKey(b, "events"), "[%d,%d]", o.First, o.Last)
	}
	b = appendOther(b, o.Other, isObservationKey)
	return append(b, '}')
}
