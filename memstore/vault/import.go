package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
	"github.com/slipstream-mcp/slipstream/memstore/thought"
)

// ImportOptions are those of Import and Copy; the zero value works.
type ImportOptions struct {
	// DryRun writes nothing and only counts.
	DryRun bool
	// Progress, unless nil, is called now and then with the number of thoughts
	// that were looked at.
	Progress func(done int)
	// Failed, unless nil, is called with what is wrong with each thought that
	// cannot be taken in.
	Failed func(error)
}

// Counts says what became of thoughts that were to be taken in.
type Counts struct {
	// Added are new. Known were there; Merged, too, and their tags or keys were
	// added to those that are there. Failed cannot be kept.
	Added, Known, Merged, Failed int
}

// batch is how many thoughts are written under one lock.
const batch = 256

// Import takes in thoughts that come from elsewhere, without an id, and without
// the secrets in them; what they leave out is derived as by Capture. One that
// came before, as its LegacyID tells, or that repeats another, is not added once
// more, so that an import that was cut short can be done again. An error among
// the thoughts ends it.
func (v *Vault) Import(ctx context.Context, thoughts iter.Seq2[thought.Thought, error], o ImportOptions) (Counts, error) {
	in := v.newIntake(o)
	for t, err := range thoughts {
		if err != nil {
			return in.counts, errors.Join(in.flush(ctx), err)
		}
		if t, err = v.complete(t); err != nil {
			in.looked++
			in.fail(err)
			continue
		}
		if err := in.put(ctx, arrival{thought: t}); err != nil {
			return in.counts, err
		}
	}
	return in.counts, in.flush(ctx)
}

// Copy takes in the thoughts of another vault with their ids, their files as
// they are but for secrets. Those that are there, by their id or as a repeat,
// are not added once more. What stands beside the thoughts, such as an archive,
// is not copied.
func (v *Vault) Copy(ctx context.Context, from *Vault, o ImportOptions) (Counts, error) {
	in := v.newIntake(o)
	var names []string
	err := from.read(ctx, func(root *os.Root) error {
		if root == nil {
			return fmt.Errorf("there is no vault %q", from.Dir())
		}
		if _, err := root.Stat(from.thoughts); err != nil {
			return fmt.Errorf("there are no thoughts in %q: %w", from.Dir(), err)
		}
		for name := range from.known.files {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return in.counts, err
	}
	root, err := from.folder.Open()
	if err != nil {
		return in.counts, from.explain("reading", err)
	}
	defer root.Close()
	slices.Sort(names)
	for _, name := range names {
		a, err := v.arrivalOf(from, root, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // gone meanwhile
		}
		if err != nil {
			in.looked++
			in.fail(fmt.Errorf("%s: %w", name, err))
			continue
		}
		if err := in.put(ctx, a); err != nil {
			return in.counts, err
		}
	}
	return in.counts, in.flush(ctx)
}

// arrivalOf reads a file of another vault.
func (v *Vault) arrivalOf(from *Vault, root *os.Root, name string) (arrival, error) {
	src, info, err := from.source(root, name)
	if err != nil {
		return arrival{}, err
	}
	t, notes, err := thought.Decode(src, name, info.ModTime())
	if err != nil {
		return arrival{}, err
	}
	if t.Source == "" {
		t.Source = v.user
	}
	clean, err := v.masked(t)
	if err != nil {
		return arrival{}, err
	}
	if reflect.DeepEqual(clean, t) {
		// What follows from the file's path or its times would change with them.
		later, _, err := thought.Decode(src, "x/"+name, info.ModTime().Add(time.Hour))
		if err == nil && len(notes) == 0 && (later.ID != t.ID || !later.CreatedAt.Equal(t.CreatedAt) || !later.UpdatedAt.Equal(t.UpdatedAt)) {
			src, err = thought.Encode(t)
		}
		return arrival{t, src}, err
	}
	clean.Fingerprint = thought.Fingerprint(clean.Body)
	src, err = thought.Encode(clean)
	return arrival{clean, src}, err
}

// arrival is a thought that is to be taken in, with its file when it has one.
type arrival struct {
	thought thought.Thought
	src     []byte
}

// intake takes in thoughts, many at a time.
type intake struct {
	v       *Vault
	o       ImportOptions
	counts  Counts
	looked  int
	waiting []arrival
	seen    map[string]bool // of a dry run: what would be there
}

func (v *Vault) newIntake(o ImportOptions) *intake {
	return &intake{v: v, o: o, seen: map[string]bool{}}
}

func (in *intake) fail(err error) {
	in.counts.Failed++
	if in.o.Failed != nil {
		in.o.Failed(err)
	}
}

func (in *intake) put(ctx context.Context, a arrival) error {
	in.looked++
	in.waiting = append(in.waiting, a)
	if len(in.waiting) < batch {
		return nil
	}
	return in.flush(ctx)
}

func (in *intake) flush(ctx context.Context) error {
	some := in.waiting
	in.waiting = nil
	var err error
	switch {
	case len(some) == 0:
	case in.o.DryRun:
		err = in.v.read(ctx, func(*os.Root) error {
			for _, a := range some {
				in.count(&a.thought)
			}
			return nil
		})
	default:
		err = in.v.write(ctx, func(root *os.Root, held *lockedfile.Held) error { return in.write(root, held, some) })
	}
	if err == nil && in.o.Progress != nil {
		in.o.Progress(in.looked)
	}
	return err
}

// keys are what tells a thought from others: each alone makes it known.
func keys(t *thought.Thought) (list []string) {
	if t.ID != "" {
		list = append(list, "id "+t.ID)
	}
	if key := legacyOf(t); key != "" {
		list = append(list, "from "+key)
	}
	return append(list, fmt.Sprint("text ", repeatOf(t)))
}

// count does what write does, without writing.
func (in *intake) count(t *thought.Thought) {
	first, untouched := in.v.find(t)
	known := first != nil
	for _, key := range keys(t) {
		known = known || in.seen[key]
		in.seen[key] = true
	}
	switch {
	case !known:
		in.counts.Added++
	case first != nil && !untouched && first.lacks(t):
		in.counts.Merged++
	default:
		in.counts.Known++
	}
}

// find returns the thought that another one is, or repeats. untouched says that
// it is the very same and not to be changed.
func (v *Vault) find(t *thought.Thought) (r *row, untouched bool) {
	if t.ID != "" {
		if r := v.known.thought(t.ID); r != nil {
			return r, true
		}
	}
	if key := legacyOf(t); key != "" {
		if r := v.known.legacy[key]; r != nil {
			return r, true
		}
	}
	return v.known.first(repeatOf(t)), false
}

// lacks reports whether another one has tags or keys that a row has not.
func (r *row) lacks(t *thought.Thought) bool {
	for _, tag := range t.Tags {
		if !slices.Contains(r.Tags, tag) {
			return true
		}
	}
	for _, f := range t.Extra {
		if !slices.ContainsFunc(r.Extra, func(have thought.Field) bool { return have.Key == f.Key && bytes.Equal(have.Value, f.Value) }) {
			return true
		}
	}
	return false
}

// write takes in some thoughts.
func (in *intake) write(root *os.Root, held *lockedfile.Held, some []arrival) error {
	v := in.v
	var files []lockedfile.Content
	paths, taken := map[string]bool{}, map[string]bool{}
	flush := func() error {
		if err := held.WriteFiles(files); err != nil {
			return v.explain("writing", err)
		}
		var names []string
		for name := range paths {
			names = append(names, name)
		}
		slices.Sort(names)
		for part := range slices.Chunk(names, together) {
			v.refresh(root, part...)
		}
		in.counts.Added += len(files)
		files = nil
		clear(paths)
		clear(taken)
		return nil
	}
	for _, a := range some {
		t := a.thought
		if slices.ContainsFunc(keys(&t), func(key string) bool { return taken[key] }) {
			if err := flush(); err != nil {
				return err
			}
		}
		first, untouched := v.find(&t)
		if first != nil {
			merged := false
			if !untouched && first.lacks(&t) {
				var err error
				if merged, err = v.merge(root, held, first, t); err != nil {
					in.fail(err)
					continue
				}
			}
			if merged {
				in.counts.Merged++
			} else {
				in.counts.Known++
			}
			continue
		}
		if t.ID == "" {
			v.name(&t)
		}
		free, err := v.freePath(root, t.FilePath, paths)
		if err == nil && a.src == nil {
			t.FilePath = free
			a.src, err = thought.Encode(t)
		}
		if err != nil {
			in.fail(err)
			continue
		}
		paths[free] = true
		for _, key := range keys(&t) {
			taken[key] = true
		}
		files = append(files, lockedfile.Content{Path: v.inVault(free), Data: a.src})
	}
	return flush()
}

// freePath returns a path that no file has, like the one that is wanted.
func (v *Vault) freePath(root *os.Root, wanted string, taken map[string]bool) (string, error) {
	base := strings.TrimSuffix(wanted, ".md")
	for n := 2; n < 1000; n++ {
		if _, err := root.Lstat(v.inVault(wanted)); errors.Is(err, fs.ErrNotExist) && !taken[wanted] {
			return wanted, nil
		}
		wanted = fmt.Sprintf("%s-%d.md", base, n)
	}
	return "", fmt.Errorf("%q and many names like it are there already", path.Base(wanted))
}

// All iterates over all thoughts, the oldest first. What changes meanwhile may
// be left out; an error ends it.
func (v *Vault) All(ctx context.Context) iter.Seq2[thought.Thought, error] {
	return func(yield func(thought.Thought, error) bool) {
		var rows []*row
		err := v.read(ctx, func(*os.Root) error {
			v.known.each(func(r *row) { rows = append(rows, r) })
			slices.SortFunc(rows, byAge)
			return nil
		})
		for some := range slices.Chunk(rows, together) {
			var list []thought.Thought
			if err == nil {
				err = v.read(ctx, func(root *os.Root) error {
					for _, r := range some {
						if t, ok := v.whole(root, r); ok {
							list = append(list, t)
						}
					}
					return nil
				})
			}
			for _, t := range list {
				if !yield(t, nil) {
					return
				}
			}
			if err != nil {
				break
			}
		}
		if err != nil {
			yield(thought.Thought{}, err)
		}
	}
}
