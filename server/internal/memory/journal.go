package memory

import (
	"context"

	"github.com/slipstream-mcp/slipstream/memstore/journal"
	"github.com/slipstream-mcp/slipstream/server/internal/state"
)

// Journal is what happened in the sessions of a project.
type Journal struct {
	*journal.Journal
	At state.Location

	rules *rules
}

// Journal returns the journal of a root, as a call names it. It stays open: Close closes all.
func (m *Memories) Journal(root string) (*Journal, error) {
	at, err := m.Locate(root)
	if err != nil {
		return nil, err
	}
	return m.JournalAt(at)
}

// JournalAt returns the journal that is kept at a place.
func (m *Memories) JournalAt(at state.Location) (*Journal, error) {
	dir := at.Dir()
	m.mu.Lock()
	defer m.mu.Unlock()
	if open := m.journals[dir]; open != nil {
		return open, nil
	}
	one := &Journal{At: at, rules: &rules{at: at}}
	var err error
	one.Journal, err = journal.Open(dir, journal.Options{
		CacheDir: m.o.CacheDir,
		Within:   at.Root,
		Redact:   one.rules.text,
		Now:      m.o.Now,
		Wait:     m.o.Wait,
		Prepare:  func() error { return m.Prepare(context.Background(), at) },
	})
	if err != nil {
		return nil, err
	}
	m.journals[dir] = one
	return one, nil
}

// CheckRules returns what is wrong with the project's own patterns; nothing should be written until they are mended.
func (j *Journal) CheckRules() error { return checkRules(j.rules) }

// Redact takes secrets out of s.
func (j *Journal) Redact(s string) string { return j.rules.text(s) }
