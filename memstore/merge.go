package memstore

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"
)

// Merged is what became of a fact that another store holds.
type Merged int

// The ways a fact is merged: it was there already, in these words or in newer
// ones; it is new here; it took the place of an older one.
const (
	MergedKept Merged = iota
	MergedAdded
	MergedReplaced
)

// Merge stores a fact of another store with its times, and returns when it is
// durable. A fact of the same description is replaced when it is older; any
// other stays as it is, and when it has the name, the new one gets a number.
// A repeated call changes nothing.
func (s *Store) Merge(ctx context.Context, f Fact) (Merged, error) {
	created, updated := f.Created, f.Updated
	f, _, err := s.prepare(f)
	if err != nil {
		return MergedKept, err
	}
	if !created.IsZero() {
		f.Created = created.UTC().Truncate(time.Millisecond)
	}
	if !updated.IsZero() {
		f.Updated = updated.UTC().Truncate(time.Millisecond)
	}
	inTheWay := map[string]bool{}
	for {
		recs, err := s.scan(ctx)
		if err != nil {
			return MergedKept, err
		}
		rec, merged := merge(f, recs, inTheWay)
		if merged == MergedKept {
			return merged, nil
		}
		err = s.backend.Put(ctx, rec)
		if !errors.Is(err, ErrConflict) {
			return merged, err
		}
		if merged == MergedAdded {
			inTheWay[strings.ToLower(rec.Key)] = true
		}
		if err := ctx.Err(); err != nil {
			return MergedKept, err
		}
	}
}

// merge returns the record to store f in and what that does.
func merge(f Fact, recs []Record, inTheWay map[string]bool) (Record, Merged) {
	taken := map[string]bool{}
	same := -1
	for i, r := range recs {
		taken[strings.ToLower(r.Key)], taken[strings.ToLower(r.Fact.Name)] = true, true
		if r.Fact.Description != f.Description {
			continue
		}
		if r.Fact.Body == f.Body && r.Fact.Type == f.Type && slices.Equal(r.Fact.Tags, f.Tags) {
			return r, MergedKept
		}
		if same < 0 || r.Fact.Name == f.Name {
			same = i
		}
	}
	if same < 0 {
		f.Name = freeName(Slug(cmp.Or(f.Name, f.Description)), func(lower string) bool { return taken[lower] || inTheWay[lower] })
		return Record{Kind: KindFact, Key: f.Name, Fact: &f}, MergedAdded
	}
	rec := recs[same]
	if !f.Updated.After(rec.Fact.Updated) {
		return rec, MergedKept
	}
	f.Name = rec.Fact.Name
	if !rec.Fact.Created.IsZero() && rec.Fact.Created.Before(f.Created) {
		f.Created = rec.Fact.Created
	}
	rec.Fact = &f
	return rec, MergedReplaced
}
