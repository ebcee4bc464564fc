package journal

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
)

// All yields every observation in the order of their numbers, as it is when it
// is reached. An error is the last element.
func (j *Journal) All(ctx context.Context) iter.Seq2[activity.Observation, error] {
	return j.after(ctx, 0)
}

// after is All of those above a number.
func (j *Journal) after(ctx context.Context, above int64) iter.Seq2[activity.Observation, error] {
	return func(yield func(activity.Observation, error) bool) {
		var entries []hybrid.Entry
		err := j.read(ctx, func(x *hybrid.Index, _ *reader) error {
			entries = entries[:0]
			x.Each(func(e hybrid.Entry) bool {
				if e.ID > above {
					entries = append(entries, e)
				}
				return true
			})
			return nil
		})
		r := &reader{j: j}
		defer r.close()
		for _, e := range entries {
			if err = errors.Join(err, ctx.Err()); err != nil {
				break
			}
			o, recordErr := r.record(e)
			if errors.Is(recordErr, errMoved) {
				var got []activity.Observation
				if got, recordErr = j.Get(ctx, e.ID); recordErr == nil && len(got) == 0 {
					continue // removed since
				} else if recordErr == nil {
					o = got[0]
				}
			}
			if recordErr != nil {
				err = recordErr
				break
			}
			if !yield(o, nil) {
				return
			}
		}
		if err != nil {
			yield(activity.Observation{}, err)
		}
	}
}

// Merge adds observations that another journal holds, of any number of sessions,
// under numbers of this one, and returns the new number of each in their order;
// one that is there already keeps the number it has here, so that a second
// merge adds nothing.
func (j *Journal) Merge(ctx context.Context, observations []activity.Observation) (ids []int64, added int, err error) {
	observations = slices.Clone(observations)
	for i := range observations {
		observations[i].Session = j.SafeSession(observations[i].Session)
		if err := checkSession(observations[i].Session); err != nil {
			return nil, 0, err
		}
	}
	known := map[[16]byte]int64{}
	seen, err := j.identities(ctx, 0, known)
	if err != nil {
		return nil, 0, err
	}
	clean := make([]activity.Observation, len(observations))
	fresh := map[[16]byte]bool{}
	for i, o := range observations {
		clean[i] = j.cleanObservation(o)
		clean[i].First, clean[i].Last = -1, -1 // its events are not here
		if key := identity(clean[i]); known[key] == 0 {
			fresh[key] = true
		}
	}
	if len(fresh) > 0 {
		if added, err = j.merge(ctx, clean, known, seen); err != nil {
			return nil, added, err
		}
	}
	ids = make([]int64, len(clean))
	for i, o := range clean {
		ids[i] = known[identity(o)]
	}
	return ids, added, nil
}

// identities adds the identities of the observations above a number to known and
// returns the largest number.
func (j *Journal) identities(ctx context.Context, above int64, known map[[16]byte]int64) (largest int64, err error) {
	largest = above
	for o, err := range j.after(ctx, above) {
		if err != nil {
			return 0, err
		}
		known[identity(o)] = o.ID
		largest = max(largest, o.ID)
	}
	return largest, nil
}

// merge adds those of the observations that are not known, also not since.
func (j *Journal) merge(ctx context.Context, observations []activity.Observation, known map[[16]byte]int64, seen int64) (added int, err error) {
	turn := &turns{j: j}
	defer turn.end()
	batches := map[string][]activity.Observation{}
	for _, o := range observations {
		batches[o.Session] = append(batches[o.Session], o)
	}
	for _, session := range slices.Sorted(maps.Keys(batches)) {
		root, h, anew, err := turn.take(ctx)
		if err == nil && anew { // others may have written meanwhile
			seen, err = j.identities(ctx, seen, known)
		}
		if err != nil {
			return added, err
		}
		var batch []activity.Observation
		for _, o := range batches[session] {
			if key := identity(o); known[key] == 0 {
				known[key] = -1 // of two alike one is enough
				batch = append(batch, o)
			}
		}
		if len(batch) == 0 {
			continue
		}
		slices.SortStableFunc(batch, func(a, b activity.Observation) int { return a.Time.Compare(b.Time) })
		ids, err := j.append(root, h, session, batch)
		if err != nil {
			return added, err
		}
		for i, o := range batch {
			known[identity(o)] = ids[i]
		}
		added += len(ids)
	}
	return added, nil
}

// turns is the lock of a long piece of work, given back now and then: others, a
// host's hooks among them, do not wait for it long.
type turns struct {
	j     *Journal
	root  *os.Root
	held  *lockedfile.Held
	since time.Time
}

// take returns the lock; anew says that others may have had it in between.
func (t *turns) take(ctx context.Context) (root *os.Root, h *lockedfile.Held, anew bool, err error) {
	const atOnce, pause = 100 * time.Millisecond, 15 * time.Millisecond
	if err := ctx.Err(); err != nil {
		return nil, nil, false, err
	}
	if t.held != nil && time.Since(t.since) < atOnce {
		return t.root, t.held, false, nil
	}
	if t.held != nil {
		t.end()
		time.Sleep(pause)
	}
	if t.root, t.held, err = t.j.lock(ctx); err != nil {
		t.root, t.held = nil, nil
		return nil, nil, false, t.j.explain("writing", observationFolder, err)
	}
	t.since = time.Now()
	return t.root, t.held, true, nil
}

func (t *turns) end() {
	if t.held != nil {
		_ = t.held.Unlock()
		t.root.Close()
		t.root, t.held = nil, nil
	}
}

// identity tells an observation from others by what it says, not by its number.
func identity(o activity.Observation) [16]byte {
	h := sha256.New()
	for _, s := range []string{o.Session, string(o.Kind), o.Summary, o.Detail} {
		h.Write(binary.AppendUvarint(nil, uint64(len(s))))
		h.Write([]byte(s))
	}
	h.Write(binary.AppendVarint(nil, o.Time.UnixMilli()))
	return [16]byte(h.Sum(nil)[:16])
}

// Stats are the sizes of a journal.
type Stats struct {
	Sessions, Observations  int
	EventBytes, RecordBytes int64 // of the two kinds of logs
	IndexBytes              int64
	// Problems say which files are left out of the answers, and why.
	Problems []string
}

// Stats returns the sizes of the journal.
func (j *Journal) Stats(ctx context.Context) (s Stats, err error) {
	err = j.read(ctx, func(x *hybrid.Index, _ *reader) error {
		s = Stats{Observations: x.Len()}
		return nil
	})
	if err != nil {
		return s, err
	}
	root, err := j.folder.Open()
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, j.explain("reading", observationFolder, err)
	}
	defer root.Close()
	sessions := map[string]bool{}
	for dir, size := range map[string]*int64{eventFolder: &s.EventBytes, observationFolder: &s.RecordBytes} {
		files, err := sessionFiles(root, dir)
		if err != nil {
			return s, j.explain("reading", dir, err)
		}
		for _, f := range files {
			sessions[f.session] = true
			*size += f.size
		}
	}
	s.Sessions, s.IndexBytes = len(sessions), j.indexSize()
	j.mu.Lock()
	s.Problems = slices.Sorted(maps.Values(j.problems))
	j.mu.Unlock()
	return s, nil
}

// Session is what is kept of one.
type Session struct {
	Name         string
	Observations int
	First, Last  time.Time // of its observations
}

// Sessions returns the sessions that have observations, the latest first.
func (j *Journal) Sessions(ctx context.Context) (sessions []Session, err error) {
	err = j.read(ctx, func(x *hybrid.Index, _ *reader) error {
		sessions = sessions[:0]
		place := map[string]int{}
		x.Each(func(e hybrid.Entry) bool {
			i, ok := place[e.Session]
			if !ok {
				i = len(sessions)
				place[e.Session] = i
				sessions = append(sessions, Session{Name: e.Session, First: e.Time, Last: e.Time})
			}
			s := &sessions[i]
			s.Observations++
			if e.Time.Before(s.First) {
				s.First = e.Time
			}
			if e.Time.After(s.Last) {
				s.Last = e.Time
			}
			return true
		})
		slices.SortStableFunc(sessions, func(a, b Session) int { return b.Last.Compare(a.Last) })
		return nil
	})
	return sessions, err
}
