package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
	"github.com/slipstream-mcp/slipstream/memstore/redact"
)

// MaxLabel is the length of an event's label in UTF-16 units; what is longer is
// cut.
const MaxLabel = 500

// Record appends events, all of one session, to its log: numbered from where
// the log ends, and redacted. A zero Time is now, an empty Agent is "main".
func (j *Journal) Record(ctx context.Context, events ...activity.Event) error {
	if len(events) == 0 {
		return nil
	}
	if err := checkSession(events[0].Session); err != nil {
		return err
	}
	session := j.SafeSession(events[0].Session)
	clean := make([]activity.Event, len(events))
	for i, e := range events {
		if e.Session != events[0].Session {
			return fmt.Errorf("events of two sessions, %q and %q, cannot be recorded as one", events[0].Session, e.Session)
		}
		clean[i] = j.clean(e)
		clean[i].Session = session
	}
	root, h, err := j.lock(ctx)
	if err != nil {
		return j.explain("writing", eventFile(session), err)
	}
	defer root.Close()
	defer h.Unlock()
	if err := appendEvents(root, h, session, clean); err != nil {
		return j.explain("writing", eventFile(session), err)
	}
	return nil
}

func appendEvents(root *os.Root, h *lockedfile.Held, session string, events []activity.Event) error {
	next, err := nextSeq(root, h, session)
	if err != nil {
		return err
	}
	lines := make([][]byte, len(events))
	for i, e := range events {
		e.Seq = next + int64(i)
		lines[i] = activity.AppendEvent(nil, e)
	}
	return h.Append(eventFile(session), lines...)
}

// clean returns an event as it may be written.
func (j *Journal) clean(e activity.Event) activity.Event {
	if e.Agent == "" {
		e.Agent = "main"
	}
	if e.Time.IsZero() {
		e.Time = j.o.Now()
	}
	e.Time = e.Time.UTC().Truncate(time.Millisecond)
	e.Agent = j.o.Redact(e.Agent)
	e.Label = cutUnits(j.mask(e.Label), MaxLabel)
	e.Data.Prompt = j.mask(e.Data.Prompt)
	e.Data.Outcome = j.mask(e.Data.Outcome)
	e.Data.Error = j.mask(e.Data.Error)
	e.Data.Files = j.redactAll(e.Data.Files)
	e.Data.Plan = j.redactAll(e.Data.Plan)
	e.Data.Other = j.redactOther(e.Data.Other)
	return e
}

// mask takes the secrets out of a text, also one that shows only when its lines
// are read as one, as they will be in a summary. Then it is one line.
func (j *Journal) mask(text string) string {
	out := j.o.Redact(text)
	if !strings.Contains(out, "\n") {
		return out
	}
	line := strings.Join(strings.Fields(out), " ")
	if safe := j.o.Redact(line); safe != line {
		return safe
	}
	return out
}

func (j *Journal) redactAll(texts []string) []string {
	if texts == nil {
		return nil
	}
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = j.o.Redact(t)
	}
	return out
}

// redactJSON masks the texts of a JSON value and the names of its keys.
func redactJSON(v []byte, mask func(string) string) []byte {
	d := json.NewDecoder(bytes.NewReader(v))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil {
		return []byte(`"` + redact.Mark + `"`)
	}
	changed := false
	clean := maskAll(value, func(s string) string {
		out := mask(s)
		changed = changed || out != s
		return out
	})
	if whole := mask(string(v)); !changed && whole == string(v) {
		return v // as it was written
	} else if !changed {
		return []byte(`"` + redact.Mark + `"`) // only the whole shows it
	}
	out, err := json.Marshal(clean)
	if err != nil {
		return []byte(`"` + redact.Mark + `"`)
	}
	return out
}

func maskAll(v any, mask func(string) string) any {
	switch v := v.(type) {
	case string:
		return mask(v)
	case []any:
		for i, element := range v {
			v[i] = maskAll(element, mask)
		}
	case map[string]any:
		for key, element := range v {
			if safe := mask(key); safe != key {
				delete(v, key)
				key = safe
			}
			v[key] = maskAll(element, mask)
		}
	}
	return v
}

// redactOther masks keys that this package does not know, and their names.
func (j *Journal) redactOther(other map[string][]byte) map[string][]byte {
	if len(other) == 0 {
		return other
	}
	clean := make(map[string][]byte, len(other))
	for key, v := range other {
		clean[j.o.Redact(key)] = redactJSON(v, j.o.Redact)
	}
	return clean
}

// lock takes the journal's lock, making its folder when it is missing.
func (j *Journal) lock(ctx context.Context) (*os.Root, *lockedfile.Held, error) {
	root, h, made, err := j.folder.Lock(ctx)
	if err != nil || !made || j.o.Prepare == nil {
		return root, h, err
	}
	// What Prepare writes is written under the same lock.
	h.Unlock()
	root.Close()
	if err := j.o.Prepare(); err != nil {
		return nil, nil, err
	}
	root, h, _, err = j.folder.Lock(ctx)
	return root, h, err
}

// nextSeq returns the number of a session's next event, beyond all that was
// captured: where the log is gone or its end is damaged, it goes on from there.
// A cursor that is beyond both is taken back, or the next events would be taken
// for captured.
func nextSeq(root *os.Root, h *lockedfile.Held, session string) (int64, error) {
	last, err := lastSeq(root, session)
	if err != nil {
		return 0, err
	}
	cursor, err := cursorOf(root, session)
	if err != nil {
		return 0, err
	}
	last = max(last, cursor)
	read, err := readNumber(root, cursorFile(session))
	switch {
	case err != nil || read <= last:
	case cursor < 0:
		err = h.Remove(cursorFile(session))
	default:
		err = h.WriteFile(cursorFile(session), strconv.AppendInt(nil, cursor, 10))
	}
	return last + 1, err
}

// lastSeq returns the number of a session's last event; -1 when there is none.
func lastSeq(root *os.Root, session string) (int64, error) {
	last := int64(-1)
	err := backwards(root, eventFile(session), func(text []byte) bool {
		n := 0
		for _, e := range activity.Events(text) {
			if e.Seq <= mostNumber {
				last = max(last, e.Seq)
			}
			n++
		}
		return n < 2 // the number of one may be damaged
	})
	return last, err
}

// Events returns the events of a session with a number of at least from, in the
// order of its log; none when there is no such session.
func (j *Journal) Events(ctx context.Context, session string, from int64) ([]activity.Event, error) {
	if err := checkSession(session); err != nil {
		return nil, err
	}
	session = j.SafeSession(session)
	root, err := j.folder.Open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, j.explain("reading", eventFile(session), err)
	}
	defer root.Close()
	events, err := eventsFrom(root, session, from)
	if err != nil {
		return nil, j.explain("reading", eventFile(session), err)
	}
	return events, ctx.Err()
}

// eventsFrom reads the end of a log alone, as far back as it has to.
func eventsFrom(root *os.Root, session string, from int64) ([]activity.Event, error) {
	var events []activity.Event
	err := backwards(root, eventFile(session), func(text []byte) bool {
		events = events[:0]
		n, before := 0, 0
		for _, e := range activity.Events(text) {
			if n++; e.Seq >= from {
				if e.Seq <= mostNumber {
					events = append(events, e)
				}
			} else if n <= 2 {
				before++
			}
		}
		return before < 2 // the number of one may be damaged
	})
	return events, err
}

// backwards calls more with the last whole lines of a file, then with more of
// them, until it returns false or has been given all. A missing file has no
// lines.
func backwards(root *os.Root, name string, more func(text []byte) bool) error {
	f, info, err := folder.OpenFile(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	size := info.Size()
	for chunk := int64(4 << 10); ; chunk *= 8 {
		from := max(0, size-chunk)
		text := make([]byte, size-from)
		n, err := f.ReadAt(text, from)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		text = text[:n]
		if from > 0 {
			text = afterNewline(text)
		}
		if !more(text) || from == 0 {
			return nil
		}
	}
}
