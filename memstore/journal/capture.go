package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
)

// Capture makes observations of the turns of a session that are over and were
// not captured yet, and returns how many. A repeated call, or one after a
// process was killed in the middle of it, captures nothing twice.
func (j *Journal) Capture(ctx context.Context, session string, o activity.FoldOptions) (int, error) {
	if err := checkSession(session); err != nil {
		return 0, err
	}
	session = j.SafeSession(session)
	// Looked for first, so that capturing nothing creates nothing.
	root, err := j.folder.Open()
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err == nil {
		_, err = root.Lstat(eventFile(session))
		root.Close()
		if errors.Is(err, fs.ErrNotExist) {
			return 0, nil
		}
	}
	if err != nil {
		return 0, j.explain("reading", eventFile(session), err)
	}
	root, h, err := j.lock(ctx)
	if err != nil {
		return 0, j.explain("writing", observationFile(session), err)
	}
	defer root.Close()
	defer h.Unlock()
	return j.capture(root, h, session, o)
}

// capture is Capture with the lock held.
func (j *Journal) capture(root *os.Root, h *lockedfile.Held, session string, o activity.FoldOptions) (int, error) {
	file := observationFile(session)
	cursor, err := cursorOf(root, session)
	if err != nil {
		return 0, j.explain("reading", file, err)
	}
	events, err := eventsFrom(root, session, cursor+1)
	if err != nil {
		return 0, j.explain("reading", eventFile(session), err)
	}
	if o.Redact == nil {
		o.Redact = j.o.Redact
	}
	found, next := activity.Fold(events, cursor, o)
	if next == cursor {
		return 0, nil
	}
	if len(found) > 0 {
		for i := range found {
			found[i] = j.cleanObservation(found[i]) // what was harmless apart may be a secret together
		}
		if _, err := j.append(root, h, session, found); err != nil {
			return 0, err
		}
	}
	// Observations tell themselves how far the log is captured; the cursor is
	// for turns that came to none, and for other programs.
	err = h.WriteFile(cursorFile(session), strconv.AppendInt(nil, next, 10))
	if err != nil && len(found) == 0 {
		return 0, j.explain("writing", cursorFile(session), err)
	}
	if last := events[len(events)-1].Seq; err == nil && next < last {
		// By its time Uncaptured knows that there is more.
		_ = root.Chtimes(cursorFile(session), time.Unix(1, 0), time.Unix(1, 0))
	}
	return len(found), nil
}

// Add appends observations, all of one session, numbers them and returns the
// numbers. They are redacted; an ID that is set is not kept, a zero Time is now,
// and zero First and Last are those of no events.
func (j *Journal) Add(ctx context.Context, observations ...activity.Observation) ([]int64, error) {
	if len(observations) == 0 {
		return nil, nil
	}
	if err := checkSession(observations[0].Session); err != nil {
		return nil, err
	}
	session := j.SafeSession(observations[0].Session)
	clean := slices.Clone(observations)
	for i, o := range clean {
		if o.Session != observations[0].Session {
			return nil, fmt.Errorf("observations of two sessions, %q and %q, cannot be added as one", observations[0].Session, o.Session)
		}
		if o.Time.IsZero() {
			o.Time = j.o.Now()
		}
		if o.First == 0 && o.Last == 0 { // the zero value is of no events
			o.Last = -1
		}
		clean[i] = j.cleanObservation(o)
	}
	root, h, err := j.lock(ctx)
	if err != nil {
		return nil, j.explain("writing", observationFile(session), err)
	}
	defer root.Close()
	defer h.Unlock()
	return j.append(root, h, session, clean)
}

func (j *Journal) cleanObservation(o activity.Observation) activity.Observation {
	if !o.Time.IsZero() {
		o.Time = o.Time.UTC().Truncate(time.Millisecond)
	}
	if !slices.Contains(activity.Kinds(), o.Kind) {
		o.Kind = activity.Note // as it is read again
	}
	o.Summary, o.Detail = j.mask(o.Summary), j.mask(o.Detail)
	o.Files, o.Tags = j.redactAll(o.Files), j.redactAll(o.Tags)
	o.Other = j.redactOther(o.Other)
	return o
}

// append writes observations with the next numbers. The counter goes first: a
// number that no record bears is harmless, one that two bear is not.
func (j *Journal) append(root *os.Root, h *lockedfile.Held, session string, observations []activity.Observation) ([]int64, error) {
	last, err := j.lastID(root, session)
	if err != nil {
		return nil, j.explain("reading", path.Join(observationFolder, counterName), err)
	}
	ids := make([]int64, len(observations))
	lines := make([][]byte, len(observations))
	for i, o := range observations {
		o.ID, o.Session = last+int64(i)+1, session
		ids[i] = o.ID
		lines[i] = activity.AppendObservation(nil, o)
		if len(lines[i]) > maxLine {
			return nil, fmt.Errorf("observation: %d bytes are more than the limit of %d", len(lines[i]), maxLine)
		}
	}
	counter := path.Join(observationFolder, counterName)
	if err := h.WriteFile(counter, strconv.AppendInt(nil, last+int64(len(ids)), 10)); err != nil {
		return nil, j.explain("writing", counter, err)
	}
	if err := h.Append(observationFile(session), lines...); err != nil {
		return nil, j.explain("writing", observationFile(session), err)
	}
	j.known.Store(last + int64(len(ids)))
	return ids, nil
}

// cursorOf returns the number of the last event of a session that was captured,
// -1 for none. The last observation tells it, and the cursor where the turns
// since came to none; of two that disagree, one that is beyond the log's end is
// damaged and would swallow turns.
func cursorOf(root *os.Root, session string) (int64, error) {
	last, err := lastObservation(root, session)
	if err != nil {
		return 0, err
	}
	read, err := readNumber(root, cursorFile(session))
	if err != nil || read == last.Last && (read >= 0 || last.ID == 0) {
		return read, err
	}
	end, err := lastSeq(root, session)
	if err != nil {
		return 0, err
	}
	switch {
	case end < 0:
		return max(read, last.Last), nil
	case read > last.Last && read <= end:
		return read, nil
	case read >= 0 && read <= end && (last.Last > end || last.First <= read):
		return read, nil // a turn begins behind what was captured: its range is damaged
	case last.Last >= 0 || last.ID == 0:
		return last.Last, nil
	}
	// The records are another program's and its cursor is gone: what happened
	// up to the last of them is captured.
	cursor := int64(-1)
	events, err := eventsFrom(root, session, 0)
	for _, e := range events {
		if !e.Time.After(last.Time) {
			cursor = max(cursor, e.Seq)
		}
	}
	return cursor, err
}

// lastObservation returns the last record of a session; its Last is -1 when
// there is none.
func lastObservation(root *os.Root, session string) (activity.Observation, error) {
	last := activity.Observation{Last: -1}
	err := backwards(root, observationFile(session), func(text []byte) bool {
		for _, o := range activity.Observations(text) {
			last = o
		}
		return last.ID == 0
	})
	return last, err
}

// fewSessions is up to how many sessions the files of all are looked at for the
// last number: a look at thousands takes longer than all the rest of a capture.
const fewSessions = 200

// lastID returns the last number that was given. The counter can be behind the
// records when another program was killed between them, or damaged: what was
// written last is asked too, and all there is when there is no counter.
func (j *Journal) lastID(root *os.Root, session string) (int64, error) {
	counted, err := readNumber(root, path.Join(observationFolder, counterName))
	if err != nil {
		return 0, err
	}
	last := max(0, counted, j.known.Load())
	if session != "" {
		o, err := lastObservation(root, session)
		if err != nil {
			return 0, err
		}
		last = max(last, plausible(o.ID))
	}
	sessions, err := sessionNames(root, observationFolder)
	if err != nil {
		return 0, err
	}
	if counted < 0 {
		for _, name := range sessions {
			text, err := readWhole(root, observationFile(name))
			if err != nil {
				continue // Stats tells of it, and it must not stop all others
			}
			for _, o := range activity.Observations(text) {
				last = max(last, plausible(o.ID))
			}
		}
		return last, nil
	}
	if len(sessions) > fewSessions {
		return last, nil
	}
	files, err := sessionFiles(root, observationFolder)
	if err != nil || len(files) == 0 {
		return last, err
	}
	newest := slices.MaxFunc(files, func(a, b sessionFile) int { return a.modified.Compare(b.modified) })
	if o, err := lastObservation(root, newest.session); err == nil {
		last = max(last, plausible(o.ID))
	}
	return last, nil
}

// mostNumber is the largest number that was counted up to.
const mostNumber = 1 << 52

// plausible is a number that was counted up to, else 0: one that somebody wrote
// by hand must not use the numbers up.
func plausible(id int64) int64 {
	if id > mostNumber {
		return 0
	}
	return id
}

// readNumber reads a file that holds a number; -1 when it is missing or holds
// none.
func readNumber(root *os.Root, name string) (int64, error) {
	f, _, err := folder.OpenFile(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return -1, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	text := make([]byte, 32)
	n, _ := f.Read(text)
	v, err := strconv.ParseInt(strings.TrimSpace(string(text[:n])), 10, 64)
	if err != nil || v < 0 || v >= 1<<53 {
		return -1, nil
	}
	return v, nil
}

// Uncaptured returns the sessions whose log has events that were written before
// a time and not captured, by name. It looks at the files' times alone, so that
// it may name one too many.
func (j *Journal) Uncaptured(ctx context.Context, before time.Time) ([]string, error) {
	root, err := j.folder.Open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, j.explain("reading", eventFolder, err)
	}
	defer root.Close()
	logs, err := sessionFiles(root, eventFolder)
	if err != nil {
		return nil, j.explain("reading", eventFolder, err)
	}
	var sessions []string
	for _, f := range logs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !f.modified.Before(before) {
			continue
		}
		info, err := root.Lstat(cursorFile(f.session))
		if err == nil && !info.ModTime().Before(f.modified) {
			continue
		}
		sessions = append(sessions, f.session)
	}
	slices.Sort(sessions)
	return sessions, nil
}
