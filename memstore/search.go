package memstore

import (
	"context"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/rank"
)

// search asks the backend's own index where it has one.
func (s *Store) search(ctx context.Context, kind Kind, query string, limit int) ([]Record, error) {
	if b, ok := s.backend.(Searcher); ok {
		return b.Search(ctx, kind, query, limit)
	}
	var corpus rank.Corpus
	byKey := map[string]Record{}
	for rec, err := range s.backend.Scan(ctx, kind) {
		if err != nil {
			return nil, err
		}
		corpus.Put(rec.Key, Doc(rec))
		byKey[rec.Key] = rec
	}
	var recs []Record
	for _, hit := range corpus.Search(query, limit) {
		recs = append(recs, byKey[hit.Key])
	}
	return recs, nil
}

// Doc returns a record as package rank sees it, for backends with an index.
func Doc(rec Record) rank.Doc {
	f := rec.Fact
	head := []string{rec.Key, f.Description}
	if f.Name != rec.Key {
		head = append(head, f.Name)
	}
	return rank.NewDoc(strings.Join(append(head, f.Tags...), "\n"), f.Body, newest(f.Updated, f.Created))
}

func newest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
