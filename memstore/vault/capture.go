package vault

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/slipstream-mcp/slipstream/memstore/thought"
)

// Metadata is what a caller says about a thought besides its content; what is
// zero is derived.
type Metadata struct {
	// Prefix is the category in the caller's own words; it is cleaned of what
	// no file may hold, and never makes a capture fail unless it is too long.
	Prefix string
	// Portability is portable, sensitive or block.
	Portability string
	Source      string
	Tags        []string
	// Vault is a label.
	Vault string
	// Extra are keys of the caller's own.
	Extra []thought.Field
}

// Captured says what became of a capture.
type Captured struct {
	// Duplicate says that the thought was there already.
	Duplicate bool
	// Merged says that a duplicate's file got new tags or keys.
	Merged bool
}

// Capture keeps a thought, without the secrets in its content, tags and keys.
// Equal content, prefix, portability and source is a repeat: the first thought
// comes back, with new tags and keys merged into its file. When Capture returns
// nil the thought is on the disk. The error is lockedfile.ErrLocked's kind when
// the vault was not free in time.
func (v *Vault) Capture(ctx context.Context, content string, m Metadata) (thought.Thought, Captured, error) {
	t, err := v.prepare(content, m)
	if err != nil {
		return thought.Thought{}, Captured{}, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	root, held, _, err := v.folder.Lock(ctx)
	if err != nil {
		return thought.Thought{}, Captured{}, v.explain("writing", err)
	}
	defer root.Close()
	defer held.Unlock()
	if err := v.reconcile(ctx, root); err != nil {
		return thought.Thought{}, Captured{}, err
	}
	if first := v.dupes[repeatOf(&t)]; first != nil {
		merged := false
		name := path.Join(v.thoughts, first.FilePath)
		err := held.Update(name, func(old []byte) (out []byte, err error) {
			if old == nil {
				return nil, fs.ErrNotExist
			}
			out, merged, err = thought.Merge(old, t.Tags, t.Extra, v.now())
			return out, err
		})
		if err == nil {
			v.refresh(root, first.FilePath)
			if kept, ok := v.whole(root, v.files[first.FilePath]); ok {
				return kept, Captured{Duplicate: true, Merged: merged}, nil
			}
			err = fs.ErrNotExist
		}
		if !errors.Is(err, fs.ErrNotExist) { // else it went away just now
			return thought.Thought{}, Captured{}, v.explain("writing", err)
		}
		v.forget(first.FilePath)
		v.derive()
	}
	for {
		t.ID = thought.NewID(t.CreatedAt, v.random())
		if v.rows[t.ID] == nil {
			break
		}
	}
	t.FilePath = t.FileName()
	src, err := thought.Encode(t)
	if err != nil {
		return thought.Thought{}, Captured{}, err
	}
	name := path.Join(v.thoughts, t.FilePath)
	if _, err := root.Lstat(name); err == nil {
		return thought.Thought{}, Captured{}, fmt.Errorf("%q is there already; try again", name)
	}
	if err := held.WriteFile(name, src); err != nil {
		return thought.Thought{}, Captured{}, v.explain("writing", err)
	}
	v.refresh(root, t.FilePath)
	t.EmbeddingStatus = "ok"
	return t, Captured{}, nil
}

// refresh brings the rows up to one file that was written, without a look at
// the others.
func (v *Vault) refresh(root *os.Root, name string) {
	if v.load(root, name) {
		if r := v.files[name]; r != nil && r.broken == "" {
			v.rows[r.ID], v.dupes[repeatOf(&r.Thought)] = r, r
		}
	}
}

// prepare makes a thought of what was said, without an id.
func (v *Vault) prepare(content string, m Metadata) (thought.Thought, error) {
	if len(content) > thought.MaxContent {
		return thought.Thought{}, fmt.Errorf("content has %d bytes; the most is %d, split it", len(content), thought.MaxContent)
	}
	if strings.TrimSpace(content) == "" {
		return thought.Thought{}, errors.New("content is empty; say what is to be kept")
	}
	now := v.now().UTC().Truncate(1000) // microseconds
	t := thought.Thought{
		SchemaVersion: 1, Body: thought.Body(v.redact.Text(content)), CreatedAt: now, UpdatedAt: now,
		Prefix: thought.CleanPrefix(v.redact.Text(m.Prefix)), Portability: m.Portability, Source: v.redact.Text(m.Source), Vault: v.redact.Text(m.Vault),
	}
	if t.Prefix == "" {
		t.Prefix = thought.ParsePrefix(t.Body)
	}
	if t.Portability == "" {
		t.Portability = thought.Portability(t.Prefix)
	}
	if t.Source == "" {
		t.Source = v.user
	}
	if t.Vault == "" {
		t.Vault = thought.DefaultVault
	}
	t.Fingerprint = thought.Fingerprint(t.Body)
	for _, tag := range m.Tags {
		t.Tags = append(t.Tags, v.redact.Text(tag))
	}
	for _, f := range m.Extra {
		value, err := v.clean(f)
		if err != nil {
			return thought.Thought{}, err
		}
		t.Extra = append(t.Extra, thought.Field{Key: f.Key, Value: value})
	}
	return t, thought.Check(t)
}

// clean returns the value of a key without the secrets in it; one without any
// stays as it was written.
func (v *Vault) clean(f thought.Field) (json.RawMessage, error) {
	dec := json.NewDecoder(strings.NewReader(string(f.Value)))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil, fmt.Errorf("metadata key %q: %w", f.Key, err)
	}
	before, err := json.Marshal(map[string]any{f.Key: value})
	if err != nil {
		return nil, err
	}
	cleaned, _ := v.redact.Value(map[string]any{f.Key: value}).(map[string]any)
	after, err := json.Marshal(cleaned)
	if err != nil || string(before) == string(after) {
		return f.Value, err
	}
	return json.Marshal(cleaned[f.Key])
}

// Delete removes a thought's file and reports whether there was one.
func (v *Vault) Delete(ctx context.Context, id string) (bool, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	root, held, _, err := v.folder.Lock(ctx)
	if err != nil {
		return false, v.explain("writing", err)
	}
	defer root.Close()
	defer held.Unlock()
	if err := v.reconcile(ctx, root); err != nil {
		return false, err
	}
	r := v.rows[id]
	if r == nil {
		return false, nil
	}
	if err := held.Remove(path.Join(v.thoughts, r.FilePath)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, v.explain("writing", err)
	}
	v.forget(r.FilePath)
	v.derive()
	return true, nil
}
