package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
)

// Found is an observation that matches a query.
type Found struct {
	activity.Observation
	Score float64
	// Others are the numbers of the observations that restate this one.
	Others []int64
}

// Search returns the observations that match a query, best first.
func (j *Journal) Search(ctx context.Context, q hybrid.Query) (found []Found, err error) {
	err = j.read(ctx, func(x *hybrid.Index, r *reader) error {
		found = found[:0]
		for _, hit := range x.Search(q) {
			o, err := r.record(hit.Entry)
			if err != nil {
				return err
			}
			found = append(found, Found{o, hit.Score, hit.Others})
		}
		return nil
	})
	return found, err
}

// Around returns the observation with a number and its at most n neighbours on
// each side in order of time, of its own session alone when one is given; none when there is no such observation, or it is of another session.
func (j *Journal) Around(ctx context.Context, id int64, n int, session string) (around []activity.Observation, err error) {
	err = j.read(ctx, func(x *hybrid.Index, r *reader) error {
		around = around[:0]
		anchor, ok := x.Entry(id)
		if !ok || session != "" && anchor.Session != session {
			return nil
		}
		before, after := x.Around(id, n, session)
		for _, e := range slices.Concat(before, []hybrid.Entry{anchor}, after) {
			o, err := r.record(e)
			if err != nil {
				return err
			}
			around = append(around, o)
		}
		return nil
	})
	return around, err
}

// Get returns the observations with these numbers in the order they are given,
// each once; numbers that no observation has are left out.
func (j *Journal) Get(ctx context.Context, ids ...int64) (got []activity.Observation, err error) {
	err = j.read(ctx, func(x *hybrid.Index, r *reader) error {
		got = got[:0]
		seen := map[int64]bool{}
		for _, id := range ids {
			e, ok := x.Entry(id)
			if !ok || seen[id] {
				continue
			}
			seen[id] = true
			o, err := r.record(e)
			if err != nil {
				return err
			}
			got = append(got, o)
		}
		return nil
	})
	return got, err
}

// Latest returns the n observations of the latest times but those of one session,
// newest first.
func (j *Journal) Latest(ctx context.Context, n int, but string) (latest []activity.Observation, err error) {
	err = j.read(ctx, func(x *hybrid.Index, r *reader) error {
		latest = latest[:0]
		for of := 4 * n; ; of *= 4 {
			before, _ := x.Around(x.MaxID()+1, of, "")
			kept := slices.DeleteFunc(slices.Clone(before), func(e hybrid.Entry) bool { return e.Session == but })
			if len(kept) < n && len(before) == of {
				continue
			}
			for _, e := range slices.Backward(kept[max(0, len(kept)-n):]) {
				o, err := r.record(e)
				if err != nil {
					return err
				}
				latest = append(latest, o)
			}
			return nil
		}
	})
	return latest, err
}

// Last returns the last observation of a session, by the end of its file alone;
// false when it has none.
func (j *Journal) Last(ctx context.Context, session string) (last activity.Observation, ok bool, err error) {
	if err := errors.Join(checkSession(session), ctx.Err()); err != nil {
		return last, false, err
	}
	session = j.SafeSession(session)
	root, err := j.folder.Open()
	if errors.Is(err, fs.ErrNotExist) {
		return last, false, nil
	}
	if err == nil {
		defer root.Close()
		last, err = lastObservation(root, session)
	}
	if err != nil {
		return last, false, j.explain("reading", observationFile(session), err)
	}
	last.Session = session
	return j.masked(last), last.ID > 0, nil
}

// errMoved says that a record is not where the index has it: its file changed
// since.
var errMoved = errors.New("the file changed while it was read; try again")

// read calls f with the index as the files are now, and again when they change
// under it.
func (j *Journal) read(ctx context.Context, f func(*hybrid.Index, *reader) error) error {
	for try := 0; ; try++ {
		j.mu.Lock()
		if try > 0 {
			j.unwatch()
		}
		err := j.refresh(ctx)
		index := j.index
		j.mu.Unlock()
		if err != nil {
			return err
		}
		r := &reader{j: j}
		err = f(index, r)
		r.close()
		if errors.Is(err, errMoved) && try < 5 {
			continue
		}
		return err
	}
}

// reader reads records where the index says they stand. It keeps the last file
// open, for neighbours often share one.
type reader struct {
	j       *Journal
	root    *os.Root
	session string
	file    *os.File
}

func (r *reader) close() {
	if r.file != nil {
		r.file.Close()
	}
	if r.root != nil {
		r.root.Close()
	}
}

func (r *reader) record(e hybrid.Entry) (activity.Observation, error) {
	o, err := r.readRecord(e)
	if errors.Is(err, fs.ErrNotExist) {
		err = errMoved
	}
	if err != nil && !errors.Is(err, errMoved) {
		err = r.j.explain("reading", observationFile(e.Session), err)
	}
	if errors.Is(err, errMoved) {
		err = fmt.Errorf("observation %d: %w", e.ID, err)
	}
	return o, err
}

func (r *reader) readRecord(e hybrid.Entry) (o activity.Observation, err error) {
	if r.root == nil {
		if r.root, err = r.j.folder.Open(); err != nil {
			return o, err
		}
	}
	if r.file == nil || r.session != e.Session {
		if r.file != nil {
			r.file.Close()
			r.file = nil
		}
		file, _, err := folder.OpenFile(r.root, observationFile(e.Session))
		if err != nil {
			return o, err
		}
		r.file, r.session = file, e.Session
	}
	line := make([]byte, e.Length)
	if n, err := r.file.ReadAt(line, e.Offset); n < e.Length {
		if err == nil || n >= 0 {
			return o, errMoved
		}
	}
	for _, o := range activity.Observations(line) { // as the index read it: it may be damaged
		if o.ID == e.ID {
			o.Session = e.Session
			// What was written by hand or by another program spreads no further.
			return r.j.masked(o), nil
		}
	}
	return o, errMoved
}

// masked returns an observation without the secrets in it.
func (j *Journal) masked(o activity.Observation) activity.Observation {
	o.Summary, o.Detail = j.o.Redact(o.Summary), j.o.Redact(o.Detail)
	o.Files, o.Tags = j.redactAll(o.Files), j.redactAll(o.Tags)
	return o
}
