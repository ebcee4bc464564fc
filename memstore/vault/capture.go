package vault

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
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
	var captured Captured
	err = v.write(ctx, func(root *os.Root, held *lockedfile.Held) error {
		var err error
		t, captured, err = v.keep(root, held, t)
		return err
	})
	if err != nil {
		return thought.Thought{}, Captured{}, err
	}
	v.embedOne(ctx, t.ID)
	v.mu.Lock()
	defer v.mu.Unlock()
	if r := v.known.thought(t.ID); r != nil {
		t.EmbeddingStatus = v.index.status(r)
	}
	v.kick()
	return t, captured, nil
}

// keep writes a thought that was prepared, or finds the one it repeats.
func (v *Vault) keep(root *os.Root, held *lockedfile.Held, t thought.Thought) (thought.Thought, Captured, error) {
	if first := v.known.first(repeatOf(&t)); first != nil {
		merged, err := v.merge(root, held, first, t)
		if err == nil {
			if kept, ok := v.whole(root, v.known.files[first.FilePath]); ok {
				return kept, Captured{Duplicate: true, Merged: merged}, nil
			}
			err = fs.ErrNotExist
		}
		if !errors.Is(err, fs.ErrNotExist) { // else it went away just now
			return thought.Thought{}, Captured{}, v.explain("writing", err)
		}
		v.takeIn(root, []string{first.FilePath}, time.Now())
	}
	v.name(&t)
	src, err := thought.Encode(t)
	if err != nil {
		return thought.Thought{}, Captured{}, err
	}
	name := v.inVault(t.FilePath)
	if _, err := root.Lstat(name); err == nil {
		return thought.Thought{}, Captured{}, fmt.Errorf("%q is there already; try again", name)
	}
	if err := held.WriteFile(name, src); err != nil {
		return thought.Thought{}, Captured{}, v.explain("writing", err)
	}
	v.refresh(root, t.FilePath)
	t.EmbeddingStatus = v.index.status(v.known.files[t.FilePath])
	return t, Captured{}, nil
}

// merge puts the tags and keys of a repeat into the first thought's file and
// reports whether any are new.
func (v *Vault) merge(root *os.Root, held *lockedfile.Held, first *row, t thought.Thought) (merged bool, err error) {
	err = held.Update(v.inVault(first.FilePath), func(old []byte) (out []byte, err error) {
		if old == nil {
			return nil, fs.ErrNotExist
		}
		out, merged, err = thought.Merge(old, t.Tags, t.Extra, v.now())
		return out, err
	})
	if err == nil && merged {
		v.refresh(root, first.FilePath)
	}
	return merged, err
}

// name gives a thought an id that no other has, and the path that goes with it.
func (v *Vault) name(t *thought.Thought) {
	for {
		t.ID = thought.NewID(t.CreatedAt, v.random())
		if v.known.byID[t.ID] == nil {
			break
		}
	}
	t.FilePath = t.FileName()
}

// refresh brings what is known up to files that were just written.
func (v *Vault) refresh(root *os.Root, names ...string) {
	fresh := v.takeIn(root, names, time.Now())
	v.vectors.recall(context.Background(), v.cache, &v.index, fresh)
}

// prepare makes a thought of what was said, without an id.
func (v *Vault) prepare(content string, m Metadata) (thought.Thought, error) {
	if len(content) > thought.MaxContent {
		return thought.Thought{}, fmt.Errorf("content has %d bytes; the most is %d, split it", len(content), thought.MaxContent)
	}
	if strings.TrimSpace(content) == "" {
		return thought.Thought{}, errors.New("content is empty; say what is to be kept")
	}
	return v.complete(thought.Thought{
		Body: content, Prefix: m.Prefix, Portability: m.Portability, Source: m.Source, Tags: m.Tags, Vault: m.Vault, Extra: m.Extra,
	})
}

// complete takes the secrets out of a thought and derives what it leaves out,
// but for the id.
func (v *Vault) complete(t thought.Thought) (thought.Thought, error) {
	t, err := v.masked(t)
	if err != nil {
		return thought.Thought{}, err
	}
	t.SchemaVersion, t.Body, t.Prefix = max(1, t.SchemaVersion), thought.Body(t.Body), thought.CleanPrefix(t.Prefix)
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
	if t.CreatedAt.IsZero() {
		t.CreatedAt = v.now()
	}
	if t.UpdatedAt.IsZero() {
		t.UpdatedAt = t.CreatedAt
	}
	t.CreatedAt, t.UpdatedAt = t.CreatedAt.UTC().Truncate(time.Microsecond), t.UpdatedAt.UTC().Truncate(time.Microsecond)
	t.Fingerprint = thought.Fingerprint(t.Body)
	return t, thought.Check(t)
}

// masked returns a thought without the secrets in it; the error names a key
// whose value is no JSON.
func (v *Vault) masked(t thought.Thought) (thought.Thought, error) {
	for _, s := range []*string{&t.Body, &t.Prefix, &t.Source, &t.Vault, &t.LegacyID} {
		*s = v.redact.Text(*s)
	}
	t.Tags, t.Extra = slices.Clone(t.Tags), slices.Clone(t.Extra)
	for i := range t.Tags {
		t.Tags[i] = v.redact.Text(t.Tags[i])
	}
	for i, f := range t.Extra {
		value, err := v.clean(f)
		if err != nil {
			return thought.Thought{}, err
		}
		t.Extra[i].Value = value
	}
	return t, nil
}

// holdsSecret reports whether masked would change a thought.
func (v *Vault) holdsSecret(t thought.Thought) bool {
	clean, err := v.masked(t)
	return err != nil || clean.Body != t.Body || clean.Prefix != t.Prefix || clean.Source != t.Source || clean.Vault != t.Vault ||
		clean.LegacyID != t.LegacyID || !slices.Equal(clean.Tags, t.Tags) ||
		!slices.EqualFunc(clean.Extra, t.Extra, func(a, b thought.Field) bool { return string(a.Value) == string(b.Value) })
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
func (v *Vault) Delete(ctx context.Context, id string) (deleted bool, err error) {
	err = v.write(ctx, func(root *os.Root, held *lockedfile.Held) error {
		r := v.known.thought(id)
		if r == nil {
			return nil
		}
		if err := held.Remove(v.inVault(r.FilePath)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return v.explain("writing", err)
		}
		v.takeIn(root, []string{r.FilePath}, time.Now())
		deleted = true
		return nil
	})
	return deleted, err
}
