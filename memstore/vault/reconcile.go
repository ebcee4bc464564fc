package vault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unique"

	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
	"github.com/slipstream-mcp/slipstream/memstore/thought"
)

// maxFile is the size in bytes above which a file is taken for no thought.
const maxFile = 2*thought.MaxContent + 1<<17

// maxQuiet is how long a watch is believed before all files are looked at
// again. What it tells is exact; this is for what nobody thought of.
const maxQuiet = 30 * time.Second

// together is how many files are read and taken in at once.
const together = 512

// reconcile brings what is known up to the files; root is nil when there are
// none. v.mu is held.
func (v *Vault) reconcile(ctx context.Context, root *os.Root) error {
	if !v.loaded {
		v.load()
	}
	now := time.Now() // of the file system's stamps, not of the thoughts
	changed, ok := v.told(root, now)
	if !ok {
		var err error
		if changed, err = v.walk(ctx, root, now); err != nil {
			v.unwatch() // what it told may not have been taken in
			return err
		}
	}
	if len(changed) == 0 {
		return nil
	}
	slices.Sort(changed)
	var fresh []*row
	for some := range slices.Chunk(slices.Compact(changed), together) {
		if err := ctx.Err(); err != nil {
			v.unwatch()
			return err
		}
		fresh = append(fresh, v.takeIn(root, some, now)...)
	}
	v.vectors.recall(ctx, v.cache, &v.index, fresh)
	v.kick()
	v.save(max(1000, len(v.known.files)/10))
	return nil
}

// told returns the paths of the files that changed, when that is known without
// a look at all.
func (v *Vault) told(root *os.Root, now time.Time) (names []string, ok bool) {
	if v.watch == nil || root == nil || v.walked.IsZero() || now.Sub(v.walked) > maxQuiet {
		return nil, false
	}
	info, err := root.Stat(v.thoughts)
	if err != nil {
		return nil, false
	}
	touched, ok := v.watch.Changed(info)
	if !ok {
		return nil, false
	}
	for name := range v.linked {
		touched = append(touched, name)
	}
	for _, name := range touched {
		r := v.known.files[name]
		if v.folders[name] {
			return nil, false
		}
		info, err := root.Lstat(path.Join(v.thoughts, name))
		switch {
		case err != nil:
			if r != nil {
				names = append(names, name)
			}
		case info.IsDir():
			return nil, false
		case !isThought(path.Base(name), info.Mode()):
		case r == nil || !r.sure || r.stamp != folder.StampOf(info):
			names = append(names, name)
		}
	}
	return names, true
}

func (v *Vault) unwatch() {
	if v.watch != nil {
		v.watch.Close()
	}
	v.watch, v.folders, v.closed, v.linked, v.walked = nil, nil, nil, nil, time.Time{}
}

// isThought reports whether a file of that name is to be read.
func isThought(name string, mode fs.FileMode) bool {
	return mode.IsRegular() && strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, ".")
}

// walk looks at all files and returns the paths of those that are new, changed
// or gone.
func (v *Vault) walk(ctx context.Context, root *os.Root, now time.Time) (changed []string, err error) {
	v.unwatch()
	v.known.walk++
	if root != nil {
		v.folders, v.closed, v.linked = map[string]bool{}, map[string]error{}, map[string]bool{}
		whole, err := v.walkFolder(ctx, root, v.thoughts, "", &changed)
		if err != nil {
			return nil, v.explain("reading", err)
		}
		if whole && v.watch != nil {
			v.walked = now
		}
	}
	for name, r := range v.known.files {
		if r.seen != v.known.walk {
			changed = append(changed, name)
		}
	}
	return changed, nil
}

// walkFolder looks at the files of a folder, by its path in root and by that
// below the folder of thoughts. whole says that all of it is watched.
func (v *Vault) walkFolder(ctx context.Context, root *os.Root, dir, below string, changed *[]string) (whole bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	sub, err := folder.OpenRoot(root, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer sub.Close()
	open, err := sub.Open(".")
	if err != nil {
		return false, err
	}
	defer open.Close()
	// The watch begins before the look, so that it misses nothing after it.
	if below == "" {
		v.watch = folder.NewWatch(open)
		whole = v.watch != nil
	} else {
		whole = v.watch != nil && v.watch.Add(open, below)
		v.folders[below] = true
	}
	names, err := open.Readdirnames(-1) // ReadDir would stat each, one by one
	if err != nil {
		return false, err
	}
	folders := v.look(sub, below, names, changed)
	for _, name := range folders {
		inner, err := v.walkFolder(ctx, sub, name, path.Join(below, name), changed)
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if err != nil { // it hides no other
			v.closed[path.Join(below, name)] = err
		}
		whole = whole && inner
	}
	return whole, nil
}

// look compares the files of one folder with what is known of them, side by
// side, and returns the names of its folders.
func (v *Vault) look(dir *os.Root, below string, names []string, changed *[]string) (folders []string) {
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, ".") })
	workers := min(runtime.GOMAXPROCS(0), 1+len(names)/64)
	type seen struct{ changed, linked, folders []string }
	all := make([]seen, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			var s seen
			at := []byte(below)
			if below != "" {
				at = append(at, '/')
			}
			for _, name := range names[w*len(names)/workers : (w+1)*len(names)/workers] {
				info, err := dir.Lstat(name)
				if err != nil {
					continue // gone meanwhile
				}
				if info.IsDir() {
					s.folders = append(s.folders, name)
				}
				if !isThought(name, info.Mode()) {
					continue
				}
				r := v.known.files[string(append(at, name...))]
				if r != nil {
					r.seen = v.known.walk
				}
				if folder.Elsewhere(info) {
					s.linked = append(s.linked, path.Join(below, name))
				}
				if r == nil || !r.sure || r.stamp != folder.StampOf(info) {
					s.changed = append(s.changed, path.Join(below, name))
				}
			}
			all[w] = s
		})
	}
	wg.Wait()
	for _, s := range all {
		*changed = append(*changed, s.changed...)
		folders = append(folders, s.folders...)
		for _, name := range s.linked {
			v.linked[name] = true
		}
	}
	slices.Sort(folders)
	return folders
}

// fileRead is what a file turned out to hold.
type fileRead struct {
	row  *row // nil when there is no file
	text text // of the body, when it is a thought
}

// takeIn reads files anew, side by side, and returns the rows that are new.
func (v *Vault) takeIn(root *os.Root, names []string, now time.Time) (fresh []*row) {
	results := make([]fileRead, len(names))
	workers := min(runtime.GOMAXPROCS(0), len(names))
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(names); i += workers {
				results[i] = v.readRow(root, names[i], now)
			}
		})
	}
	wg.Wait()
	for i, name := range names {
		if r := v.replace(name, results[i]); r != nil {
			fresh = append(fresh, r)
		}
	}
	return fresh
}

// readRow reads one file. It touches nothing of the vault that changes.
func (v *Vault) readRow(root *os.Root, name string, now time.Time) fileRead {
	if root == nil {
		return fileRead{}
	}
	src, info, err := v.source(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return fileRead{}
	}
	r := &row{seen: v.known.walk}
	if info != nil {
		r.stamp, r.sure, r.linked = folder.StampOf(info), !folder.Young(info, now), folder.Elsewhere(info)
	}
	if err == nil {
		var notes []string
		r.Thought, notes, err = thought.Decode(src, name, info.ModTime())
		r.note = strings.Join(notes, "; ")
	}
	if err != nil {
		*r = row{seen: r.seen, stamp: r.stamp, sure: r.sure, linked: r.linked, broken: err.Error()}
		r.FilePath = name
		return fileRead{row: r}
	}
	if r.Source == "" {
		r.Source = v.user
	}
	body := r.Body
	r.secret = v.holdsSecret(r.Thought)
	r.detach()
	old := v.known.files[name]
	if old != nil && old.broken == "" && old.note == r.note && reflect.DeepEqual(old.Thought, r.Thought) {
		return fileRead{row: r} // the index has it
	}
	return fileRead{r, newText(body, r.Tags, v.vectors.local(r))}
}

// replace puts what a file holds now in the place of what was known of it, and
// returns the row when its thought is another.
func (v *Vault) replace(name string, now fileRead) *row {
	old, r := v.known.files[name], now.row
	if old == nil && r == nil {
		return nil
	}
	if old != nil && r != nil && old.broken == r.broken && old.note == r.note && reflect.DeepEqual(old.Thought, r.Thought) {
		old.stamp, old.sure, old.linked, old.seen, old.secret = r.stamp, r.sure, r.linked, r.seen, r.secret
		v.ahead++
		return nil
	}
	v.ahead++
	if old != nil {
		v.index.remove(old)
		v.vectors.forget(old)
		v.show(v.known.remove(old))
	}
	if r == nil {
		return nil
	}
	if r.linked && v.linked != nil {
		v.linked[name] = true
	}
	changed := v.known.add(r)
	if r.broken == "" {
		v.index.add(r, now.text)
	}
	v.show(changed)
	if r.broken != "" {
		return nil
	}
	return r
}

// show tells the index which rows count.
func (v *Vault) show(rows []*row) {
	for _, r := range rows {
		v.index.show(r)
	}
}

// detach lets go of the file's text, of which the thought's fields are parts.
func (r *row) detach() {
	r.Body, r.EmbeddingStatus = "", ""
	for _, s := range []*string{&r.Prefix, &r.Portability, &r.Source, &r.Vault, &r.CapturedBy} {
		*s = unique.Make(*s).Value()
	}
	r.LegacyID, r.ID = strings.Clone(r.LegacyID), strings.Clone(r.ID)
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

// whole returns a row's thought with its body, as the file has it now; ok is
// false when the file is gone or changed its id.
func (v *Vault) whole(root *os.Root, r *row) (t thought.Thought, ok bool) {
	if root == nil || r == nil {
		return thought.Thought{}, false
	}
	src, info, err := v.source(root, r.FilePath)
	if err != nil {
		return thought.Thought{}, false
	}
	if body, err := thought.BodyOf(src); err == nil && thought.Fingerprint(body) == r.Fingerprint {
		// The keys are those that were read when the file was last looked at.
		t, t.Body = r.Thought, body
		t.Tags, t.Extra = slices.Clone(t.Tags), slices.Clone(t.Extra)
	} else if t, _, err = thought.Decode(src, r.FilePath, info.ModTime()); err != nil || t.ID != r.ID {
		return thought.Thought{}, false
	}
	if t.Source == "" {
		t.Source = v.user
	}
	t.EmbeddingStatus = v.index.status(r)
	return t, true
}

// inVault returns where a thought's file is, relative to the vault.
func (v *Vault) inVault(name string) string { return path.Join(v.thoughts, filepath.ToSlash(name)) }
