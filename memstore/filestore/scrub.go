package filestore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
)

// Scrub takes a leaked secret out of all that is kept, whatever wrote it into
// the folder. It rewrites each file that mask would change, renames those whose name it would change, throws the
// index away and makes MEMORY.md anew; then it reads everything again, and an
// error names what mask would still change. It returns the paths of the files
// that were changed, by their old names, sorted. Copies that others made of the
// files, git's among them, are out of its reach.
func (d *Dir) Scrub(ctx context.Context, mask func(string) string) ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := os.Lstat(d.dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil // nothing is kept, and looking creates nothing
	}
	if err := d.refresh(ctx); err != nil {
		return nil, err
	}
	root, h, err := d.lock(ctx)
	if err != nil {
		return nil, d.explain("writing", factFolder, err)
	}
	defer root.Close()
	defer h.Unlock()
	changed, err := d.scrubFiles(ctx, root, h, mask)
	if err == nil {
		var logs []string
		logs, err = d.scrubLogs(ctx, root, h, mask)
		changed = append(changed, logs...)
	}
	if err != nil {
		return changed, err
	}
	if d.cache != nil {
		if err := d.cache.Drop(); err != nil {
			return changed, err
		}
	}
	// The page is rewritten even where it seems right: it was made of facts
	// that were masked when they were read.
	if err := d.refresh(ctx); err != nil {
		return changed, err
	}
	if len(d.facts) > 0 {
		if err := h.WriteFile(path.Join(factFolder, pageName), []byte(mask(string(d.page())))); err != nil {
			return changed, d.explain("writing", path.Join(factFolder, pageName), err)
		}
	}
	return changed, d.proveScrubbed(root, mask)
}

func (d *Dir) scrubFiles(ctx context.Context, root *os.Root, h *lockedfile.Held, mask func(string) string) ([]string, error) {
	var changed []string
	for _, file := range factFiles(root) {
		if err := ctx.Err(); err != nil {
			return changed, err
		}
		src, _, err := readFile(root, file)
		if err != nil {
			continue // it stays a problem, and is looked at again in the end
		}
		key := keyOf(file)
		to := key
		if k := mask(key); k != key {
			to = d.freeKey(memstore.Slug(k))
		}
		out := masked(key, to, src, mask)
		if to == key && string(out) == string(src) {
			continue
		}
		changed = append(changed, d.path(file))
		err = h.WriteFile(factFile(to), out)
		if err == nil && to != key {
			err = h.Remove(file)
		}
		if err != nil {
			return changed, d.explain("writing", file, err)
		}
	}
	slices.Sort(changed)
	return changed, nil
}

// scrubLogs masks the files that are no facts as text: logs, settings, whatever
// else stands in the folder. One that holds no text is left as it is.
func (d *Dir) scrubLogs(ctx context.Context, root *os.Root, h *lockedfile.Held, mask func(string) string) ([]string, error) {
	var changed []string
	files, err := otherFiles(root)
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return changed, err
		}
		text, err := h.ReadFile(file)
		if err != nil {
			return changed, d.explain("reading", file, err)
		}
		masked := mask(string(text))
		if !utf8.Valid(text) || masked == string(text) {
			continue
		}
		changed = append(changed, d.path(file))
		if err := h.WriteFile(file, []byte(masked)); err != nil {
			return changed, d.explain("writing", file, err)
		}
	}
	return changed, err
}

// otherFiles lists the regular files of the folder that are neither facts nor
// their page nor the lock, in the order of their names.
func otherFiles(root *os.Root) ([]string, error) {
	var files []string
	err := fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == factFolder:
			return fs.SkipDir
		case e.Type().IsRegular() && name != lockName:
			files = append(files, name)
		}
		return nil
	})
	return files, err
}

// masked masks a fact that is called to from now on, field by field, for a mask on its text could break the
// frontmatter; what is left after that, in keys that are not ours or in a file
// that does not parse, is masked as text.
func masked(key, to string, src []byte, mask func(string) string) []byte {
	if to == key && mask(string(src)) == string(src) {
		return src
	}
	out := src
	if f, err := decodeFact(key, src, mask); err == nil {
		if to != key {
			f.Name = to
		}
		out = encodeFact(src, f)
	}
	return []byte(mask(string(out)))
}

func (d *Dir) freeKey(key string) string {
	free := key
	for n := 2; d.facts[free] != nil || checkKey(free) != nil; n++ {
		free = fmt.Sprintf("%s-%d", strings.Trim(key, "-."), n)
	}
	return free
}

// proveScrubbed reads all that is kept once more.
func (d *Dir) proveScrubbed(root *os.Root, mask func(string) string) error {
	var left []error
	files, err := otherFiles(root)
	if err != nil {
		left = append(left, d.explain("reading", ".", err))
	}
	page := path.Join(factFolder, pageName)
	for _, file := range append(append(files, factFiles(root)...), page) {
		src, _, err := readFile(root, file)
		switch {
		case errors.Is(err, fs.ErrNotExist) && file == page:
		case err != nil:
			left = append(left, d.explain("reading", file, err))
		case mask(file) != file || mask(string(src)) != string(src):
			left = append(left, fmt.Errorf("%q still holds what should be masked", d.path(file)))
		}
	}
	return errors.Join(left...)
}

// factFiles returns the files that are facts or look like them.
func factFiles(root *os.Root) []string {
	folder, err := root.Open(factFolder)
	if err != nil {
		return nil
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(-1)
	var files []string
	for _, name := range names {
		if key, ok := strings.CutSuffix(name, ".md"); ok && isKey(key) {
			files = append(files, path.Join(factFolder, name))
		}
	}
	slices.Sort(files)
	return files
}
