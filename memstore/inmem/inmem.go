// Package inmem keeps records in memory: a memstore.Backend for tests and for
// programs whose memory need not outlast them.
//
//	store, err := memstore.New(inmem.New(), memstore.Options{})
//
// It writes nothing and has no index: each search reads all records.
package inmem

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/slipstream-mcp/slipstream/memstore"
)

// Backend is a memstore.Backend in memory; make one with New.
type Backend struct {
	mu      sync.Mutex
	records map[id]memstore.Record
	writes  int
}

type id struct {
	kind memstore.Kind
	key  string
}

// New returns an empty backend.
func New() *Backend { return &Backend{records: map[id]memstore.Record{}} }

// Get implements memstore.Backend.
func (b *Backend) Get(_ context.Context, kind memstore.Kind, key string) (memstore.Record, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	rec, ok := b.records[id{kind, key}]
	if !ok {
		return memstore.Record{}, fmt.Errorf("%s %q: %w", kind, key, memstore.ErrNotFound)
	}
	return clone(rec), nil
}

// Put implements memstore.Backend.
func (b *Backend) Put(_ context.Context, rec memstore.Record) error {
	if rec.Kind != memstore.KindFact || rec.Fact == nil || rec.Key == "" {
		return fmt.Errorf("record %q of kind %q holds no fact", rec.Key, rec.Kind)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	at := id{rec.Kind, rec.Key}
	if b.records[at].Version != rec.Version {
		return fmt.Errorf("%s %q: %w", rec.Kind, rec.Key, memstore.ErrConflict)
	}
	b.writes++
	rec = clone(rec)
	rec.Version = strconv.Itoa(b.writes)
	b.records[at] = rec
	return nil
}

// Delete implements memstore.Backend.
func (b *Backend) Delete(_ context.Context, kind memstore.Kind, key string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.records[id{kind, key}]; !ok {
		return fmt.Errorf("%s %q: %w", kind, key, memstore.ErrNotFound)
	}
	delete(b.records, id{kind, key})
	return nil
}

// Scan implements memstore.Backend. It yields what was there when it began.
func (b *Backend) Scan(ctx context.Context, kind memstore.Kind) iter.Seq2[memstore.Record, error] {
	return func(yield func(memstore.Record, error) bool) {
		b.mu.Lock()
		records := maps.Clone(b.records)
		b.mu.Unlock()
		var keys []string
		for at := range records {
			if at.kind == kind {
				keys = append(keys, at.key)
			}
		}
		slices.Sort(keys)
		for _, key := range keys {
			if err := ctx.Err(); err != nil {
				yield(memstore.Record{}, err)
				return
			}
			if !yield(clone(records[id{kind, key}]), nil) {
				return
			}
		}
	}
}

// clone keeps callers from changing what is stored.
func clone(rec memstore.Record) memstore.Record {
	f := *rec.Fact
	f.Tags = slices.Clone(f.Tags)
	rec.Fact = &f
	return rec
}

var _ memstore.Backend = (*Backend)(nil)
