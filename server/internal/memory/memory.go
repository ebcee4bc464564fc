// Package memory opens what a project remembers: it finds where the memory of a root is kept, keeps one store open for
// each place, and holds the rules by which secrets are taken out before anything is written.
package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/filestore"
	"github.com/slipstream-mcp/slipstream/memstore/redact"
	"github.com/slipstream-mcp/slipstream/memstore/vault"
	"github.com/slipstream-mcp/slipstream/server/internal/project"
	"github.com/slipstream-mcp/slipstream/server/internal/state"
)

// Options says where memories are.
type Options struct {
	Projects *project.Projects
	Root     string           // the folder that holds .claude/slipstream, whatever root a call names; "" finds it from that root
	Vault    string           // the folder of the thoughts; "" is none
	User     string           // whose thoughts they are when nobody says; "" is unknown
	Embedder vault.Embedder   // makes the vectors of the thoughts; nil goes by spelling
	Trusted  bool             // the Embedder may read every thought
	Retry    time.Duration    // after which pending thoughts are tried again in the background; 0 never
	CacheDir string           // where indexes are kept; "" keeps none
	Now      func() time.Time // nil is time.Now
	Wait     time.Duration    // how long a write of the journal waits for its turn; 0 is the journal's default
}

// Memories opens the memory of a root. It is safe for concurrent use.
type Memories struct {
	o Options

	mu       sync.Mutex
	open     map[string]*Memory  // by the folder of the facts
	journals map[string]*Journal // by the state folder
	vault    *vault.Vault        // nil before it is asked for
}

// New returns Memories; nothing is read yet.
func New(o Options) *Memories {
	return &Memories{o: o, open: map[string]*Memory{}, journals: map[string]*Journal{}}
}

// Memory is what one project remembers.
type Memory struct {
	*memstore.Store
	Files *filestore.Dir
	Dir   string // the state folder of the facts

	rules rules
}

// Locate returns where the memory of a root, as a call names it, is kept. A root inside the default root shares its
// memory unless it is a repository of its own.
func (m *Memories) Locate(root string) (state.Location, error) {
	dir, err := m.o.Projects.Dir(root)
	if err != nil {
		return state.Location{}, err
	}
	if m.o.Root != "" {
		return state.Location{Root: m.o.Root}, nil
	}
	home := m.o.Projects.Root()
	if rel, err := filepath.Rel(home, dir); home != "" && err == nil && filepath.IsLocal(rel) && state.SameRepository(home, dir) {
		dir = home
	}
	return state.Find(dir), nil
}

// Open returns the memory of a root. It stays open: Close closes all.
func (m *Memories) Open(root string) (*Memory, error) {
	at, err := m.Locate(root)
	if err != nil {
		return nil, err
	}
	facts := at.Facts()
	dir := facts.Dir()
	m.mu.Lock()
	defer m.mu.Unlock()
	if open := m.open[dir]; open != nil {
		return open, nil
	}
	one := &Memory{Dir: dir, rules: rules{at: at}}
	if one.Files, err = filestore.Open(dir, filestore.Options{CacheDir: m.o.CacheDir, Redact: one.rules.text, Within: facts.Root}); err != nil {
		return nil, err
	}
	if one.Store, err = memstore.New(one.Files, memstore.Options{Now: m.o.Now, Redact: one.rules.text}); err != nil {
		return nil, err
	}
	m.open[dir] = one
	return one, nil
}

// Prepare makes a state folder with its .gitignore, so that what is kept in it stays out of git.
func (m *Memories) Prepare(ctx context.Context, at state.Location) error {
	files, err := filestore.Open(at.Dir(), filestore.Options{Within: at.Root})
	if err != nil {
		return err
	}
	return files.Prepare(ctx)
}

// Close closes every memory that was opened.
func (m *Memories) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var errs []error
	for dir, one := range m.open {
		errs = append(errs, one.Close())
		delete(m.open, dir)
	}
	if m.vault != nil {
		errs = append(errs, m.vault.Close())
		m.vault = nil
	}
	for dir, one := range m.journals {
		errs = append(errs, one.Close())
		delete(m.journals, dir)
	}
	return errors.Join(errs...)
}

// CheckRules returns what is wrong with the project's own patterns, with the way out. Nothing should be written until
// they are mended: what they were to keep out would be kept.
func (m *Memory) CheckRules() error { return checkRules(&m.rules) }

func checkRules(r *rules) error {
	_, err := r.current()
	if err != nil {
		return fmt.Errorf("%w; mend or remove %s first", err, state.Folder+"/"+rulesFile)
	}
	return nil
}

// Redact takes secrets out of s.
func (m *Memory) Redact(s string) string { return m.rules.text(s) }

// rulesFile holds a project's own patterns.
const rulesFile = "redact.json"

// rules are the built-in rules and those of redact.json, read again when the file changes.
type rules struct {
	at state.Location

	mu      sync.Mutex
	looked  time.Time // at the file, last
	seen    bool
	size    int64
	changed time.Time
	rules   *redact.Rules
	err     error
}

// oneAnswer is for how long the file is not looked at again: an answer masks many texts.
const oneAnswer = 5 * time.Millisecond

func (r *rules) text(s string) string {
	r.mu.Lock()
	rules, fresh := r.rules, r.seen && time.Since(r.looked) < oneAnswer
	r.mu.Unlock()
	if !fresh {
		rules, _ = r.current() // a broken pattern is told by CheckRules; the others hold
	}
	return rules.Text(s)
}

func (r *rules) current() (*redact.Rules, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.looked = time.Now()
	var size int64
	var changed time.Time
	info, err := os.Stat(filepath.Join(r.at.Dir(), rulesFile))
	if err == nil {
		size, changed = info.Size(), info.ModTime()
	}
	if r.seen && size == r.size && changed.Equal(r.changed) {
		return r.rules, r.err
	}
	r.seen, r.size, r.changed, r.err = true, size, changed, nil
	var user []redact.Pattern
	if text, err := r.at.ReadFile(rulesFile); err == nil {
		if user, err = parseRules(text); err != nil {
			r.err = fmt.Errorf("%s: %w", rulesFile, err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		r.err = err
	}
	rules, err := redact.New(user)
	r.rules = rules
	r.err = errors.Join(r.err, err)
	return r.rules, r.err
}

// parseRules reads the patterns of a redact.json file. One without any was meant to hold some: it is an error.
func parseRules(text []byte) ([]redact.Pattern, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		return nil, errors.New("is not JSON of the form {\"patterns\": [{\"pattern\": \"…\"}]}")
	}
	if _, ok := keys["patterns"]; !ok {
		return nil, errors.New("holds no \"patterns\"")
	}
	return redact.ParseUser(text)
}
