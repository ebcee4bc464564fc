package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path"
	"slices"
	"strconv"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
)

// Removed counts what was taken away.
type Removed struct{ Observations, Events int }

// Prune removes what happened before a time: observations and events. What is of
// no time stays.
func (j *Journal) Prune(ctx context.Context, before time.Time) (Removed, error) {
	old := func(t time.Time) bool { return !t.IsZero() && t.Before(before) }
	return j.remove(ctx, "", func(o activity.Observation) bool { return old(o.Time) }, func(e activity.Event) bool { return old(e.Time) })
}

// Delete removes an observation with the events it was made of, and reports
// whether there was one. Its number is not given again.
func (j *Journal) Delete(ctx context.Context, id int64) (bool, error) {
	found, err := j.Get(ctx, id)
	if err != nil || len(found) == 0 {
		return false, err
	}
	o := found[0]
	removed, err := j.remove(ctx, o.Session, func(x activity.Observation) bool { return x.ID == id }, func(e activity.Event) bool {
		return o.Last >= 0 && e.Seq >= o.First && e.Seq <= o.Last
	})
	return removed.Observations > 0, err
}

// DeleteSession removes all that is kept of a session.
func (j *Journal) DeleteSession(ctx context.Context, session string) (Removed, error) {
	if err := checkSession(session); err != nil {
		return Removed{}, err
	}
	return j.remove(ctx, j.SafeSession(session), func(activity.Observation) bool { return true }, func(activity.Event) bool { return true })
}

// remove takes away the records of a session, of all for "", that the functions
// pick. Events go first: what is left of a turn must not be captured again.
func (j *Journal) remove(ctx context.Context, session string, observation func(activity.Observation) bool, event func(activity.Event) bool) (removed Removed, err error) {
	root, err := j.folder.Open()
	if errors.Is(err, fs.ErrNotExist) {
		return removed, nil // looking creates nothing
	}
	if err != nil {
		return removed, j.explain("reading", observationFolder, err)
	}
	root.Close()
	turn := &turns{j: j}
	defer turn.end()
	err = j.removeAll(ctx, turn, session, observation, event, &removed)
	return removed, err
}

func (j *Journal) removeAll(ctx context.Context, turn *turns, session string,
	observation func(activity.Observation) bool, event func(activity.Event) bool, removed *Removed) error {
	root, h, _, err := turn.take(ctx)
	if err != nil {
		return err
	}
	sessions := []string{session}
	if session == "" {
		var err error
		if sessions, err = allSessions(root); err != nil {
			return j.explain("reading", observationFolder, err)
		}
	}
	// What goes must not take the last number that was given with it.
	counter := path.Join(observationFolder, counterName)
	last, err := j.lastID(root, session)
	if err != nil {
		return j.explain("reading", counter, err)
	}
	if counted, err := readNumber(root, counter); err != nil || counted < last {
		if err := errors.Join(err, h.WriteFile(counter, strconv.AppendInt(nil, last, 10))); err != nil {
			return j.explain("writing", counter, err)
		}
	}
	for _, session := range sessions {
		root, h, _, err := turn.take(ctx)
		if err != nil {
			return err
		}
		before := *removed
		latest := time.Time{}
		seen := func(t time.Time) {
			if t.After(latest) {
				latest = t
			}
		}
		err = j.removeFrom(root, h, session,
			func(o activity.Observation) bool {
				gone := observation(o)
				if gone {
					seen(o.Time)
				}
				return gone
			},
			func(e activity.Event) bool {
				gone := event(e)
				if gone {
					seen(e.Time)
				}
				return gone
			}, removed)
		if err != nil {
			return err
		}
		if *removed == before || latest.IsZero() {
			continue
		}
		line, _ := json.Marshal(removal{session, latest.UTC()})
		if err := h.Append(removalFile(), line); err != nil {
			return j.explain("writing", removalFile(), err)
		}
	}
	return nil
}

// removal says until when what happened in a session was removed, so that no
// import brings it back.
type removal struct {
	Session string    `json:"session"`
	Until   time.Time `json:"until"`
}

func removalFile() string { return path.Join(observationFolder, ".removed") }

// RemovedUntil returns until when what happened in a session was removed by
// somebody; zero when nothing was.
func (j *Journal) RemovedUntil(session string) (until time.Time, err error) {
	root, err := j.folder.Open()
	if errors.Is(err, fs.ErrNotExist) {
		return until, nil
	}
	if err != nil {
		return until, j.explain("reading", removalFile(), err)
	}
	defer root.Close()
	text, err := readWhole(root, removalFile())
	if errors.Is(err, fs.ErrNotExist) {
		return until, nil
	}
	if err != nil {
		return until, j.explain("reading", removalFile(), err)
	}
	for line := range bytes.Lines(text) {
		var r removal
		if json.Unmarshal(line, &r) == nil && r.Session == session && r.Until.After(until) {
			until = r.Until
		}
	}
	return until, nil
}

func (j *Journal) removeFrom(root *os.Root, h *lockedfile.Held, session string,
	observation func(activity.Observation) bool, event func(activity.Event) bool, removed *Removed) error {
	// What was captured stays captured, also when the records that tell so go.
	cursor, err := cursorOf(root, session)
	if err != nil {
		return j.explain("reading", observationFile(session), err)
	}
	events, gone, err := rewrite(root, h, eventFile(session), activity.Events, event)
	removed.Events += gone
	if err != nil {
		return j.explain("writing", eventFile(session), err)
	}
	observations, gone, err := rewrite(root, h, observationFile(session), activity.Observations, observation)
	removed.Observations += gone
	if err != nil {
		return j.explain("writing", observationFile(session), err)
	}
	switch {
	case events == 0 && observations == 0:
		err = h.Remove(cursorFile(session))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	case cursor >= 0:
		// The log may end earlier now, and goes on numbering from there.
		var next int64
		if next, err = lastSeq(root, session); err == nil {
			err = h.WriteFile(cursorFile(session), strconv.AppendInt(nil, min(cursor, next), 10))
		}
	}
	if err != nil {
		return j.explain("writing", cursorFile(session), err)
	}
	return nil
}

// rewrite takes the records that drop picks out of a file, and the file away
// when none is left. What is damaged stays as it is. It returns how many are
// left and how many went.
func rewrite[T any](root *os.Root, h *lockedfile.Held, name string, records func([]byte) iter.Seq2[activity.Span, T], drop func(T) bool) (left, gone int, err error) {
	text, err := readWhole(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, err
	}
	kept := make([]byte, 0, len(text))
	at := 0
	for span, record := range records(text) {
		if !drop(record) {
			left++
			continue
		}
		gone++
		kept = append(kept, text[at:span.Offset]...)
		at = span.Offset + span.Length
		if span.Offset == 0 || text[span.Offset-1] == '\n' { // a line of its own
			at += len(text[at:]) - len(bytes.TrimPrefix(text[at:], []byte("\r")))
			at += len(text[at:]) - len(bytes.TrimPrefix(text[at:], []byte("\n")))
		}
	}
	if gone == 0 {
		return left, 0, nil
	}
	kept = append(kept, text[at:]...)
	if len(bytes.TrimSpace(kept)) == 0 {
		return 0, gone, h.Remove(name)
	}
	return left, gone, h.WriteFile(name, kept)
}

// allSessions lists the sessions there are, by name.
func allSessions(root *os.Root) ([]string, error) {
	var names []string
	for _, dir := range []string{observationFolder, eventFolder} {
		files, err := sessionFiles(root, dir)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			names = append(names, f.session)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
