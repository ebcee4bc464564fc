// Package ledger keeps what scoped reads saved: what this process served, and savings.json of each project, where all
// processes add up. An answer does not wait for the disk: the sums are written a moment later, and when the ledger closes.
package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/slipstream-mcp/slipstream/budget"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
	"github.com/slipstream-mcp/slipstream/server/internal/state"
)

// File is the name of the ledger's file in the state folder.
const File = "savings.json"

// delay is how long a sum waits for more before it is written.
const delay = 200 * time.Millisecond

// patience is how long a write waits for other processes. Nobody waits for the write.
const patience = 10 * time.Second

// Ledger is the ledger of one process. It is safe for concurrent use.
type Ledger struct {
	// Prepare makes a state folder; nil writes only where there is one.
	Prepare func(ctx context.Context, at state.Location) error

	mu      sync.Mutex
	pending map[state.Location]budget.Ledger
	seen    map[string]bool // files read of
	served  int             // tokens of all answers
	timer   *time.Timer
	writing sync.Mutex
}

// Served returns the tokens of all answers of this process.
func (l *Ledger) Served() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.served
}

// Answer counts an answer that reads nothing of the project.
func (l *Ledger) Answer(tokens int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.served += tokens
}

// Add counts an answer for the project whose state is kept at; file is the file it is a part of, if any.
func (l *Ledger) Add(at state.Location, file string, s budget.Saving) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pending == nil {
		l.pending = map[state.Location]budget.Ledger{}
	}
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	key := at.Root + "\x00" + file
	s.Again = l.seen[key]
	l.seen[key] = true
	l.served += s.Answer
	l.pending[at] = l.pending[at].Add(s)
	if l.timer == nil {
		l.timer = time.AfterFunc(delay, func() { l.Flush(context.Background()) })
	}
}

// Flush writes what is not yet written. What cannot be written stays and is tried again with the next answer.
func (l *Ledger) Flush(ctx context.Context) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	l.mu.Lock()
	pending := l.pending
	l.pending = nil
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
	l.mu.Unlock()
	var errs []error
	for at, sums := range pending {
		if err := l.write(ctx, at, sums); err != nil {
			errs = append(errs, err)
			l.mu.Lock()
			if l.pending == nil {
				l.pending = map[state.Location]budget.Ledger{}
			}
			l.pending[at] = l.pending[at].Plus(sums)
			l.mu.Unlock()
		}
	}
	return errors.Join(errs...)
}

// Read returns the sums of the project whose state is kept at, with what this process has not written yet. A file that
// cannot be read as a ledger is an error; the next write sets it aside.
func (l *Ledger) Read(ctx context.Context, at state.Location) (budget.Ledger, error) {
	flushed := l.Flush(ctx)
	text, err := at.ReadFile(File)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = nil, nil
	}
	if err != nil {
		return budget.Ledger{}, err
	}
	sums, _, err := decode(text)
	if err != nil {
		err = fmt.Errorf("%s/%s: %w", state.Folder, File, err)
	}
	if flushed != nil {
		l.mu.Lock()
		sums = sums.Plus(l.pending[at])
		l.mu.Unlock()
	}
	return sums, err
}

// write adds sums to the file of a project.
func (l *Ledger) write(ctx context.Context, at state.Location, sums budget.Ledger) error {
	root, err := at.OpenRoot()
	if errors.Is(err, fs.ErrNotExist) && l.Prepare != nil {
		if err = l.Prepare(ctx, at); err == nil {
			root, err = at.OpenRoot()
		}
	}
	if err != nil {
		return err
	}
	defer root.Close()
	store := lockedfile.Store{LockPath: lockedfile.LockName, Wait: patience, FS: lockedfile.Rooted(root)}
	held, err := store.Lock(ctx)
	if err != nil {
		return err
	}
	defer held.Unlock()
	text, err := held.ReadFile(File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	old, others, err := decode(text)
	if err != nil {
		if err := held.WriteFile(File+".damaged", text); err != nil {
			return err
		}
	}
	return held.WriteFile(File, encode(old.Plus(sums), others))
}

// decode reads a ledger file and the keys in it that are not ours.
func decode(text []byte) (budget.Ledger, map[string]json.RawMessage, error) {
	var l budget.Ledger
	others := map[string]json.RawMessage{}
	if len(text) == 0 {
		return l, others, nil
	}
	if err := json.Unmarshal(text, &others); err != nil {
		return l, map[string]json.RawMessage{}, err
	}
	if err := json.Unmarshal(text, &l); err != nil {
		return budget.Ledger{}, map[string]json.RawMessage{}, err
	}
	if l.ScopedReads < 0 || l.ServedBytes < 0 || l.FullBytes < 0 || l.ServedTokens < 0 || l.FullTokens < 0 {
		return budget.Ledger{}, map[string]json.RawMessage{}, errors.New("a sum is negative")
	}
	for _, own := range []string{"scopedReads", "servedBytes", "fullBytes", "servedTokens", "fullTokens"} {
		delete(others, own)
	}
	return l, others, nil
}

// encode writes a ledger file: compact, our keys first, without a newline.
func encode(l budget.Ledger, others map[string]json.RawMessage) []byte {
	text, _ := json.Marshal(l) // numbers have no way to fail
	for _, key := range slices.Sorted(maps.Keys(others)) {
		name, _ := json.Marshal(key)
		text = fmt.Appendf(text[:len(text)-1], ",%s:%s}", name, others[key])
	}
	return text
}
