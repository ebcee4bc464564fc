package filestore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
	"github.com/slipstream-mcp/slipstream/memstore/rank"
)

// Scrubbed says what Scrub did.
type Scrubbed struct {
	// Changed are the files that were rewritten or renamed, by their names
	// before, sorted.
	Changed []string
	// Read is how many files were looked through.
	Read int
}

// Scrub rewrites every file below the folder, whatever wrote it, as clean makes
// it of the file's text, and renames those whose name it changes. Then it drops
// the index and reads all of it again: a file of which clean would still make
// something else is an error that names it. Files that hold no text are left as
// they are. clean must change nothing more when applied twice.
func (d *Dir) Scrub(ctx context.Context, clean func(text string) string) (Scrubbed, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := os.Lstat(d.dir); errors.Is(err, fs.ErrNotExist) {
		return Scrubbed{}, nil // nothing is kept yet, and looking creates nothing
	}
	root, h, err := d.lock(ctx)
	if err != nil {
		return Scrubbed{}, d.explain("scrubbing", ".", err)
	}
	defer root.Close()
	defer h.Unlock()
	done, err := scrub(ctx, root, h, clean)
	if err != nil {
		return done, d.explain("scrubbing", ".", err)
	}
	d.facts, d.corpus, d.dirty = nil, rank.Corpus{}, nil
	if d.cache != nil {
		if err := d.cache.Drop(); err != nil {
			return done, fmt.Errorf("the index cannot be dropped: %w", err)
		}
	}
	return done, prove(root, h, clean)
}

func scrub(ctx context.Context, root *os.Root, h *lockedfile.Held, clean func(string) string) (Scrubbed, error) {
	var done Scrubbed
	files, err := textFiles(root)
	if err != nil {
		return done, err
	}
	names := map[string]string{}
	var keys []string // what clean makes of a fact's name, and the name it has from now on
	for _, name := range files {
		names[name] = cleanName(root, name, clean)
		if old, now := factKey(name), factKey(names[name]); old != now {
			keys = append(keys, clean(old), now)
		}
	}
	rename := strings.NewReplacer(keys...)
	for _, name := range files {
		if err := ctx.Err(); err != nil {
			return done, err
		}
		text, err := h.ReadFile(name)
		if err != nil {
			return done, err
		}
		done.Read++
		if !utf8.Valid(text) {
			continue
		}
		cleaned, renamed := rename.Replace(clean(string(text))), names[name]
		if cleaned == string(text) && renamed == name {
			continue
		}
		done.Changed = append(done.Changed, name)
		if err := h.WriteFile(renamed, []byte(cleaned)); err != nil {
			return done, err
		}
		if renamed != name {
			if err := h.Remove(name); err != nil {
				return done, err
			}
		}
	}
	return done, nil
}

// prove reads every file again and names one that is not clean.
func prove(root *os.Root, h *lockedfile.Held, clean func(string) string) error {
	files, err := textFiles(root)
	if err != nil {
		return err
	}
	for _, name := range files {
		text, err := h.ReadFile(name)
		if err != nil {
			return err
		}
		if utf8.Valid(text) && clean(string(text)) != string(text) || clean(path.Base(name)) != path.Base(name) {
			return fmt.Errorf("%q still holds a secret", name)
		}
	}
	return nil
}

func factKey(name string) string { return strings.TrimSuffix(path.Base(name), ".md") }

// textFiles lists the regular files below root, but for the lock, in the order
// of their names.
func textFiles(root *os.Root) ([]string, error) {
	var files []string
	err := fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && name != lockName {
			files = append(files, name)
		}
		return err
	})
	return files, err
}

// cleanName returns the name a file has after clean, one that no other file has.
func cleanName(root *os.Root, name string, clean func(string) string) string {
	folder, base := path.Split(name)
	cleaned := strings.NewReplacer("[", "", "]", "", "/", "").Replace(clean(base))
	if clean(base) == base || cleaned == "" {
		return name
	}
	ext := path.Ext(cleaned)
	for n := 1; ; n++ {
		free := cleaned
		if n > 1 {
			free = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(cleaned, ext), n, ext)
		}
		if _, err := root.Lstat(path.Join(folder, free)); err != nil {
			return path.Join(folder, free)
		}
	}
}
