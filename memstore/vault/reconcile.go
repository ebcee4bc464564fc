package vault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"
	"unique"

	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
	"github.com/slipstream-mcp/slipstream/memstore/thought"
)

// maxFile is the size in bytes above which a file is taken for no thought.
const maxFile = 2*thought.MaxContent + 1<<17

// maxQuiet is how long a quiet watch is believed before all files are looked at
// again: a folder can have been moved away with the watch on it.
const maxQuiet = 2 * time.Second

// row is what is known of a file: its thought without the body.
type row struct {
	thought.Thought
	stamp folder.Stamp
	// sure says that a later change would show in the stamp.
	sure bool
	// broken says why no thought could be read from the file.
	broken string
	// copyOf is the path of the file that has the same id and counts.
	copyOf string
	// note says what is odd about the file.
	note string
}

// repeat is what makes two captures the same.
type repeat struct{ fingerprint, prefix, portability, source string }

func repeatOf(t *thought.Thought) repeat {
	return repeat{t.Fingerprint, t.Prefix, t.Portability, t.Source}
}

// reconcile brings the rows up to the files; root is nil when there are none.
func (v *Vault) reconcile(ctx context.Context, root *os.Root) error {
	if v.watch == nil {
		v.watch = newWatch()
	}
	now := time.Now()
	if v.watch.quiet() && root != nil && v.watched && now.Sub(v.walked) < maxQuiet {
		return nil
	}
	seen := make(map[string]bool, len(v.files))
	changed := false
	v.watched, v.walked = root != nil, now
	if root != nil {
		err := v.walk(ctx, root, v.thoughts, func(name string, info fs.FileInfo) {
			seen[name] = true
			if old := v.files[name]; old == nil || !old.sure || old.stamp != folder.StampOf(info) {
				changed = v.load(root, name) || changed
			}
		})
		if err != nil {
			v.watched = false
			return err
		}
	}
	for name := range v.files {
		if !seen[name] {
			v.forget(name)
			changed = true
		}
	}
	if changed {
		v.derive()
	}
	return nil
}

// forget takes a file that is gone out of what is known.
func (v *Vault) forget(name string) {
	v.index.remove(v.files[name])
	delete(v.files, name)
}

// walk calls f with every file below dir that may hold a thought, by its path
// below the folder of thoughts.
func (v *Vault) walk(ctx context.Context, root *os.Root, dir string, f func(string, fs.FileInfo)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	// The watch begins before the look, so that it misses nothing after it.
	v.watched = v.watch.add(filepath.Join(v.folder.Dir, filepath.FromSlash(dir))) && v.watched
	entries, err := fs.ReadDir(root.FS(), dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return v.explain("reading", err)
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			if err := v.walk(ctx, root, name, f); err != nil {
				return err
			}
		case e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".md"):
			if info, err := e.Info(); err == nil { // else it is gone meanwhile
				f(strings.TrimPrefix(name, v.thoughts+"/"), info)
			}
		}
	}
	return nil
}

// load reads one file anew and reports whether it differs from what is known.
func (v *Vault) load(root *os.Root, name string) bool {
	old := v.files[name]
	src, info, err := v.source(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		v.forget(name)
		return old != nil
	}
	r := &row{}
	if info != nil {
		r.stamp, r.sure = folder.StampOf(info), !folder.Young(info, v.now())
	}
	if err == nil {
		var notes []string
		r.Thought, notes, err = thought.Decode(src, name, info.ModTime())
		r.note = strings.Join(notes, "; ")
	}
	if err != nil {
		r.broken = err.Error()
	}
	if r.Source == "" {
		r.Source = v.user
	}
	body := r.Body
	r.detach()
	if old != nil && old.broken == r.broken && old.note == r.note && reflect.DeepEqual(old.Thought, r.Thought) {
		old.stamp, old.sure = r.stamp, r.sure
		return false
	}
	v.index.remove(old)
	if r.broken == "" {
		v.index.add(r, body)
	}
	v.files[name] = r
	return true
}

// detach lets go of the file's text, of which the thought's fields are parts.
func (r *row) detach() {
	r.Body, r.EmbeddingStatus = "", "ok"
	for _, s := range []*string{&r.Prefix, &r.Portability, &r.Source, &r.Vault, &r.LegacyID, &r.CapturedBy} {
		*s = unique.Make(*s).Value()
	}
	for i, tag := range r.Tags {
		r.Tags[i] = unique.Make(tag).Value()
	}
	for i, f := range r.Extra {
		r.Extra[i].Key = unique.Make(f.Key).Value()
	}
}

// source returns the content of a thought's file.
func (v *Vault) source(root *os.Root, name string) ([]byte, fs.FileInfo, error) {
	f, info, err := folder.OpenFile(root, path.Join(v.thoughts, name))
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	src, err := readAll(f, maxFile)
	return src, info, err
}

// readFile reads a file that has at most limit bytes.
func readFile(root *os.Root, name string, limit int64) ([]byte, error) {
	f, _, err := folder.OpenFile(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, limit)
}

func readAll(r io.Reader, limit int64) ([]byte, error) {
	src, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(src)) > limit {
		return nil, fmt.Errorf("it has more than %d bytes", limit)
	}
	return src, err
}

// derive makes anew what follows from the files: of two with one id the first
// by path counts.
func (v *Vault) derive() {
	clear(v.rows)
	clear(v.dupes)
	for _, name := range slices.Sorted(maps.Keys(v.files)) {
		r := v.files[name]
		if r.broken != "" {
			continue
		}
		r.copyOf = ""
		if first := v.rows[r.ID]; first != nil {
			r.copyOf = first.FilePath
			continue
		}
		v.rows[r.ID] = r
		key := repeatOf(&r.Thought)
		if first := v.dupes[key]; first == nil || r.CreatedAt.Before(first.CreatedAt) {
			v.dupes[key] = r
		}
	}
}

// whole returns a row's thought with its body, as the file has it now; ok is
// false when the file is gone or changed its id.
func (v *Vault) whole(root *os.Root, r *row) (t thought.Thought, ok bool) {
	if root == nil {
		return thought.Thought{}, false
	}
	src, info, err := v.source(root, r.FilePath)
	if err != nil {
		return thought.Thought{}, false
	}
	t, _, err = thought.Decode(src, r.FilePath, info.ModTime())
	if err != nil || t.ID != r.ID {
		return thought.Thought{}, false
	}
	if t.Source == "" {
		t.Source = v.user
	}
	t.EmbeddingStatus = r.EmbeddingStatus
	return t, true
}
