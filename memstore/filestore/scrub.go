package filestore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
)

// Scrub takes a leaked secret out of all that is kept. It rewrites each file
// that mask would change, renames those whose name it would change, throws the
// index away and makes MEMORY.md anew; then it reads everything again, and an
// error names what mask would still change. It returns the paths of the files
// that were changed, by their old names, sorted. Copies that others made of the
// files, git's among them, are out of its reach.
func (d *Dir) Scrub(ctx context.Context, mask func(string) string) ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.refresh(ctx); err != nil || len(d.facts) == 0 {
		return nil, err
	}
	root, h, err := d.lock(ctx)
	if err != nil {
		return nil, d.explain("writing", factFolder, err)
	}
	defer root.Close()
	defer h.Unlock()
	changed, err := d.scrubFiles(ctx, root, h, mask)
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
	if err := h.WriteFile(path.Join(factFolder, pageName), []byte(mask(string(d.page())))); err != nil {
		return changed, d.explain("writing", path.Join(factFolder, pageName), err)
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
		out := masked(key, src, mask)
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

// masked masks a fact field by field, for a mask on its text could break the
// frontmatter; what is left after that, in keys that are not ours or in a file
// that does not parse, is masked as text.
func masked(key string, src []byte, mask func(string) string) []byte {
	if mask(string(src)) == string(src) {
		return src
	}
	out := src
	if f, err := decodeFact(key, src, mask); err == nil {
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
	for _, file := range append(factFiles(root), path.Join(factFolder, pageName)) {
		src, _, err := readFile(root, file)
		switch {
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
