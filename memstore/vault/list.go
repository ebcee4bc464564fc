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
		if r := v.rows[id]; r != nil {
			t, ok = v.whole(root, r)
		}
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
		order = func(a, b *row) int { return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID)) }
	case Updated:
		order = func(a, b *row) int { return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(b.ID, a.ID)) }
	default:
		return nil, 0, fmt.Errorf("sort %q is none of %s, %s, %s", by, Newest, Oldest, Updated)
	}
	err = v.read(ctx, func(root *os.Root) error {
		var rows []*row
		for _, r := range v.rows {
			if f.Match(&r.Thought) {
				rows = append(rows, r)
			}
		}
		slices.SortFunc(rows, order)
		total = len(rows)
		from := min(max(0, offset), total)
		for _, r := range rows[from : from+min(max(0, limit), total-from)] {
			if t, ok := v.whole(root, r); ok {
				list = append(list, t)
			}
		}
		return nil
	})
	return list, total, err
}

// Stats counts a vault's thoughts.
type Stats struct {
	Total                                                int
	ByPrefix, ByPortability, BySource, ByVault, ByStatus map[string]int
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
		for _, r := range v.rows {
			s.Total++
			s.ByPrefix[r.Prefix]++
			s.ByPortability[r.Portability]++
			s.BySource[r.Source]++
			s.ByVault[r.Vault]++
			s.ByStatus[r.EmbeddingStatus]++
			if s.Oldest.IsZero() || r.CreatedAt.Before(s.Oldest) {
				s.Oldest = r.CreatedAt
			}
			if r.CreatedAt.After(s.Newest) {
				s.Newest = r.CreatedAt
			}
		}
		return nil
	})
	return s, err
}

// Problems returns what is wrong with files, in order of their paths.
func (v *Vault) Problems(ctx context.Context) (list []Problem, err error) {
	err = v.read(ctx, func(*os.Root) error {
		for _, name := range slices.Sorted(maps.Keys(v.files)) {
			r := v.files[name]
			if r.broken != "" {
				list = append(list, Problem{name, r.broken, true})
			}
			if r.copyOf != "" {
				list = append(list, Problem{name, fmt.Sprintf("its id %s is that of %s; give it another one or remove it", r.ID, r.copyOf), true})
			}
			if r.note != "" {
				list = append(list, Problem{name, r.note, false})
			}
		}
		return nil
	})
	return list, err
}
