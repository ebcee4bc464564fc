package vault

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/thought"
)

// Sort is an order of thoughts; those of one time stand in order of ids, in the
// same direction.
type Sort string

// The orders that List knows; "" means Newest.
const (
	Newest  Sort = "created_at_desc"
	Oldest  Sort = "created_at_asc"
	Updated Sort = "updated_at_desc"
)

// Get returns the thought of an id as thought.ParseID writes it; ok is false
// when there is none.
func (v *Vault) Get(ctx context.Context, id string) (t thought.Thought, ok bool, err error) {
	err = v.read(ctx, func(root *os.Root) error {
		t, ok = v.whole(root, v.known.thought(id))
		return nil
	})
	return t, ok, err
}

// List returns the thoughts that pass the filter, in order, at most limit from
// the one at offset on, and how many pass in all.
func (v *Vault) List(ctx context.Context, f thought.Filter, by Sort, limit, offset int) (list []thought.Thought, total int, err error) {
	var order func(a, b *row) int
	switch by {
	case Newest, "":
		order = func(a, b *row) int { return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID)) }
	case Oldest:
		order = byAge
	case Updated:
		order = func(a, b *row) int { return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(b.ID, a.ID)) }
	default:
		return nil, 0, fmt.Errorf("sort %q is none of %s, %s, %s", by, Newest, Oldest, Updated)
	}
	err = v.read(ctx, func(root *os.Root) error {
		var rows []*row
		v.known.each(func(r *row) {
			if f.Match(&r.Thought) {
				rows = append(rows, r)
			}
		})
		total = len(rows)
		from := min(max(0, offset), total)
		to := from + min(max(0, limit), total-from)
		for _, r := range firstOf(rows, to, order)[from:] {
			if t, ok := v.whole(root, r); ok {
				list = append(list, t)
			}
		}
		return nil
	})
	return list, total, err
}

// byAge orders rows, the oldest first.
func byAge(a, b *row) int {
	return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
}

// firstOf returns the first n rows in order; where they are few, without
// ordering the others.
func firstOf(rows []*row, n int, order func(a, b *row) int) []*row {
	if n > len(rows)/16 {
		slices.SortFunc(rows, order)
		return rows[:n]
	}
	first := make([]*row, 0, n+1)
	for _, r := range rows {
		if len(first) == n {
			if n == 0 || order(r, first[n-1]) > 0 {
				continue
			}
			first = first[:n-1]
		}
		at, _ := slices.BinarySearchFunc(first, r, order)
		first = slices.Insert(first, at, r)
	}
	return first
}

// Stats counts a vault's thoughts.
type Stats struct {
	Total                                                int
	ByPrefix, ByPortability, BySource, ByVault, ByStatus map[string]int
	// IndexBytes is what the index takes on the disk.
	IndexBytes int64
	// Oldest and Newest are the first and last time of creation, zero when
	// there is no thought.
	Oldest, Newest time.Time
}

// Stats returns the counts; ByPortability and ByStatus have all their keys.
func (v *Vault) Stats(ctx context.Context) (Stats, error) {
	s := Stats{
		ByPrefix: map[string]int{}, BySource: map[string]int{}, ByVault: map[string]int{},
		ByPortability: map[string]int{"portable": 0, "sensitive": 0, "block": 0},
		ByStatus:      map[string]int{"ok": 0, "pending": 0, "failed": 0},
	}
	err := v.read(ctx, func(*os.Root) error {
		if v.cache != nil {
			s.IndexBytes = v.cache.Size()
		}
		v.known.each(func(r *row) {
			s.Total++
			s.ByPrefix[r.Prefix]++
			s.ByPortability[r.Portability]++
			s.BySource[r.Source]++
			s.ByVault[r.Vault]++
			s.ByStatus[v.index.status(r)]++
			if s.Oldest.IsZero() || r.CreatedAt.Before(s.Oldest) {
				s.Oldest = r.CreatedAt
			}
			if r.CreatedAt.After(s.Newest) {
				s.Newest = r.CreatedAt
			}
		})
		return nil
	})
	return s, err
}

// Problems returns what is wrong with folders and with files, each in order of
// their paths.
func (v *Vault) Problems(ctx context.Context) (list []Problem, err error) {
	err = v.read(ctx, func(*os.Root) error {
		for _, name := range slices.Sorted(maps.Keys(v.closed)) {
			list = append(list, Problem{name, fmt.Sprintf("the folder cannot be read: %v", v.closed[name]), true})
		}
		for _, name := range slices.Sorted(maps.Keys(v.known.files)) {
			r := v.known.files[name]
			if r.broken != "" {
				list = append(list, Problem{name, r.broken, true})
			}
			if r.copyOf != "" {
				list = append(list, Problem{name, fmt.Sprintf("its id %s is that of %s; give it another one or remove it", r.ID, r.copyOf), true})
			}
			if r.note != "" {
				list = append(list, Problem{name, r.note, false})
			}
			if why := v.vectors.refused[r]; why != "" {
				list = append(list, Problem{name, "it is left out of searches, for no vector is made of it: " + why, false})
			}
		}
		return nil
	})
	return list, err
}
