package activity

import (
	"errors"
	"fmt"
	"strconv"
)

// maxLabel is how many UTF-16 units of a label are written.
const maxLabel = 500

// ParseEvent reads one line of an event log. A line needs a session, a kind
// and a seq from 0 to 1<<53; the agent of a line without one is "main", and
// whatever else is missing or of another type is the zero value. Kinds that
// this package does not know are kept. The error says what the line lacks.
func ParseEvent(line []byte) (Event, error) {
	if err := object(line); err != nil {
		return Event{}, fmt.Errorf("event: %w", err)
	}
	e := Event{Agent: "main", Seq: -1}
	for key, raw := range members(line) {
		switch key {
		case "session":
			e.Session = text(raw)
		case "agent":
			if a := text(raw); a != "" {
				e.Agent = a
			}
		case "kind":
			e.Kind = EventKind(text(raw))
		case "label":
			e.Label = text(raw)
		case "data":
			e.Data = Data{}
			if raw[0] == '{' {
				e.Data = parseData(raw)
			}
		case "seq":
			e.Seq = -1
			if n, ok := integer(raw); ok {
				e.Seq = n
			}
		case "ts":
			e.Time = moment(raw)
		}
	}
	switch {
	case e.Session == "":
		return Event{}, errors.New("event: no session")
	case e.Kind == "":
		return Event{}, errors.New("event: no kind")
	case e.Seq < 0:
		return Event{}, errors.New("event: no seq from 0 to 1<<53")
	}
	return e, nil
}

func parseData(object []byte) Data {
	var d Data
	for key, raw := range members(object) {
		switch key {
		case "bytes":
			d.Bytes, _ = integer(raw)
		case "source":
			d.Source = text(raw)
		case "prompt":
			d.Prompt = text(raw)
		case "outcome":
			d.Outcome = text(raw)
		case "files":
			d.Files = texts(raw)
		case "failed":
			d.Failed = string(raw) == "true"
		case "error":
			d.Error = text(raw)
		case "plan":
			d.Plan = texts(raw)
		default:
			d.Other = keep(d.Other, key, raw)
		}
	}
	return d
}

func isDataKey(key string) bool {
	switch key {
	case "bytes", "source", "plan", "failed", "prompt", "outcome", "files", "error":
		return true
	}
	return false
}

// AppendEvent appends the line of an event, without a newline. The label is
// cut to the format's 500 UTF-16 units and an empty agent is "main"; a key of
// e.Data.Other is written after the known ones, unless it is one of them or
// its value is no JSON.
func AppendEvent(b []byte, e Event) []byte {
	b = append(b, '{')
	b = appendMember(b, "session", e.Session)
	if e.Agent == "" {
		e.Agent = "main"
	}
	b = appendMember(b, "agent", e.Agent)
	b = appendMember(b, "kind", string(e.Kind))
	b = appendMember(b, "label", clip(e.Label, maxLabel))

	before := len(b)
	b = append(appendKey(b, "data"), '{')
	empty := len(b)
	b = appendData(b, e.Data)
	if len(b) == empty {
		b = b[:before]
	} else {
		b = append(b, '}')
	}

	b = strconv.AppendInt(appendKey(b, "seq"), e.Seq, 10)
	return append(appendTime(b, e.Time), '}')
}

func appendData(b []byte, d Data) []byte {
	if d.Bytes > 0 {
		b = strconv.AppendInt(appendKey(b, "bytes"), d.Bytes, 10)
	}
	if d.Source != "" {
		b = appendMember(b, "source", d.Source)
	}
	if len(d.Plan) > 0 {
		b = appendTexts(b, "plan", d.Plan)
	}
	if d.Failed {
		b = append(appendKey(b, "failed"), "true"...)
	}
	if d.Prompt != "" {
		b = appendMember(b, "prompt", d.Prompt)
	}
	if d.Outcome != "" {
		b = appendMember(b, "outcome", d.Outcome)
	}
	if len(d.Files) > 0 {
		b = appendTexts(b, "files", d.Files)
	}
	if d.Error != "" {
		b = appendMember(b, "error", d.Error)
	}
	return appendOther(b, d.Other, isDataKey)
}
