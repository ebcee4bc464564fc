package memstore

import (
	"context"
	"errors"
	"iter"
)

// ErrNotFound says that no record has the key that was asked for.
var ErrNotFound = errors.New("no such record")

// ErrConflict says that the stored record is not the one the caller last saw.
var ErrConflict = errors.New("changed by another writer")

// Backend keeps records. Its methods are safe for concurrent use, also by
// other processes on the same store where the medium allows that, and a write
// is durable when it returns nil. Package storetest tells whether an
// implementation is right.
type Backend interface {
	// Get returns one record; the error is ErrNotFound when there is none.
	Get(ctx context.Context, kind Kind, key string) (Record, error)
	// Put stores rec in the place of the stored record of its key, provided
	// that one still has rec.Version; an empty Version means that there must
	// be none. Otherwise the error is ErrConflict and nothing is written.
	Put(ctx context.Context, rec Record) error
	// Delete removes one record; the error is ErrNotFound when there is none.
	Delete(ctx context.Context, kind Kind, key string) error
	// Scan yields the records of a kind in the order of their keys. What
	// cannot be read as a record is left out; an error ends the sequence.
	Scan(ctx context.Context, kind Kind) iter.Seq2[Record, error]
}

// Searcher is a Backend that answers queries from an index of its own. A
// Store ranks the records of any other Backend itself, reading all of them.
type Searcher interface {
	// Search returns the records of a kind that match the query, best first
	// in the order of package rank, at most limit.
	Search(ctx context.Context, kind Kind, query string, limit int) ([]Record, error)
}

// Inspector is a Backend that can tell what is wrong with what it keeps.
type Inspector interface {
	// Problems returns what is there but cannot be used, sorted by path.
	Problems(ctx context.Context) ([]Problem, error)
}

// Problem is something in a store that is left out of its answers.
type Problem struct {
	// Path is the file's, or what else names the place.
	Path string
	// Reason says what is wrong and, where there is one, the way out.
	Reason string
}
