package journal

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"slices"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
)

// All yields every observation in the order of their numbers, as it is when it
// is reached. An error is the last element.
func (j *Journal) All(ctx context.Context) iter.Seq2[activity.Observation, error] {
	return func(yield func(activity.Observation, error) bool) {
		var entries []hybrid.Entry
		err := j.read(ctx, func(x *hybrid.Index, _ *reader) error {
			entries = entries[:0]
			x.Each(func(e hybrid.Entry) bool { entries = append(entries, e); return true })
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
	for _, o := range observations {
		if err := checkSession(o.Session); err != nil {
			return nil, 0, err
		}
	}
	known := map[[16]byte]int64{}
	for o, err := range j.All(ctx) {
		if err != nil {
			return nil, 0, err
		}
		known[identity(o)] = o.ID
	}
	ids = make([]int64, len(observations))
	sessions := map[string][]int{} // indexes of what is new
	var order []string
	fresh := map[[16]byte]int{}
	for i, o := range observations {
		o = j.cleanObservation(o)
		key := identity(o)
		if id, ok := known[key]; ok {
			ids[i] = id
			continue
		}
		if _, ok := fresh[key]; ok {
			continue
		}
		fresh[key] = i
		if sessions[o.Session] == nil {
			order = append(order, o.Session)
		}
		sessions[o.Session] = append(sessions[o.Session], i)
	}
	if len(fresh) == 0 {
		return ids, 0, nil
	}
	slices.Sort(order)
	root, h, err := j.lock(ctx)
	if err != nil {
		return nil, 0, j.explain("writing", observationFolder, err)
	}
	defer root.Close()
	defer h.Unlock()
	for _, session := range order {
		if err := ctx.Err(); err != nil {
			return ids, added, err
		}
		batch := make([]activity.Observation, len(sessions[session]))
		for k, i := range sessions[session] {
			batch[k] = j.cleanObservation(observations[i])
			batch[k].First, batch[k].Last = -1, -1 // its events are not here
		}
		slices.SortStableFunc(batch, func(a, b activity.Observation) int { return a.Time.Compare(b.Time) })
		got, err := j.append(root, h, session, batch)
		if err != nil {
			return ids, added, err
		}
		for k, o := range batch {
			known[identity(o)] = got[k]
		}
		added += len(got)
	}
	for i, o := range observations {
		if ids[i] == 0 {
			ids[i] = known[identity(j.cleanObservation(o))]
		}
	}
	return ids, added, nil
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
