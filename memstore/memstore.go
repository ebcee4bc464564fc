// Package memstore keeps what should outlast a session: facts that a person or
// an agent wrote down once and needs again later.
//
//	backend, err := filestore.Open(".claude/slipstream", filestore.Options{})
//	…
//	store, err := memstore.New(backend, memstore.Options{})
//	…
//	_, err = store.Remember(ctx, memstore.Fact{Body: "Deploys run from main only."})
//	facts, err := store.Recall(ctx, "how do we deploy", 5)
//
// A [Store] decides what is kept under which name; a [Backend] keeps it:
// package filestore in plain files that people can read and edit, package
// inmem in memory. Secrets are masked before a backend sees them.
//
// The package refuses to store what it was not asked to, to overwrite a fact
// by one that is not the same fact, and to talk to any network.
package memstore

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/redact"
)

// Options are the knobs of a Store; the zero value is right for most.
type Options struct {
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Redact masks secrets in every text before it is stored; nil means
	// redact.Text.
	Redact func(string) string
}

// Store remembers facts and finds them again. It is safe for concurrent use.
type Store struct {
	backend Backend
	now     func() time.Time
	redact  func(string) string
}

// New returns a store over the backend, which must not be nil.
func New(b Backend, o Options) (*Store, error) {
	if b == nil {
		return nil, errors.New("a store needs a backend")
	}
	s := &Store{backend: b, now: o.Now, redact: o.Redact}
	if s.now == nil {
		s.now = time.Now
	}
	if s.redact == nil {
		s.redact = redact.Text
	}
	return s, nil
}

// Problems returns what the backend holds but cannot use, such as files that
// do not parse, sorted by path; nil when it does not tell.
func (s *Store) Problems(ctx context.Context) ([]Problem, error) {
	if b, ok := s.backend.(Inspector); ok {
		return b.Problems(ctx)
	}
	return nil, nil
}

// Close closes the backend when it can be closed.
func (s *Store) Close() error {
	if c, ok := s.backend.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
