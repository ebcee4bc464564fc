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
	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
)

// Scrub takes a leaked secret out of all that is kept, whatever wrote it into
// the folder, hidden files and those in sub-folders among it. It rewrites each
// file that mask would change, renames the facts whose name it would change,
// throws the index away and makes MEMORY.md anew; then it reads everything
// again, and an error names what mask would still change. A mask that would
// change its own result is refused before anything is written. It returns the
// paths of the files that were changed, by their old names, sorted. Copies that
// others made of the files, git's among them, are out of its reach, and so is
// what a link leads to outside the folder.
func (d *Dir) Scrub(ctx context.Context, mask func(string) string) ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p, is := d.linkProblem(); is {
		return nil, fmt.Errorf("%q: %s", p.Path, p.Reason)
	}
	if root, err := d.openRoot(); err != nil {
		return nil, d.explain("reading", factFolder, err)
	} else if root == nil {
		return nil, nil // nothing is kept, and looking creates nothing
	} else {
		root.Close()
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
	s := scrub{d: d, root: root, h: h, mask: mask}
	if err := s.find(); err != nil {
		return nil, err
	}
	if err := s.checkMask(ctx); err != nil {
		return nil, err
	}
	err = errors.Join(s.scrubFacts(ctx), s.scrubOthers(ctx))
	slices.Sort(s.changed)
	if err != nil {
		return s.changed, err
	}
	if d.cache != nil {
		if err := d.cache.Drop(); err != nil {
			return s.changed, err
		}
		d.rows = map[string]bool{}
		for key := range d.facts {
			d.dirty[key] = true
		}
	}
	// The page is rewritten even where it seems right: it was made of facts
	// that were masked when they were read.
	if err := d.refresh(ctx); err != nil {
		return s.changed, err
	}
	page := path.Join(factFolder, pageName)
	if _, err := root.Lstat(page); len(d.facts) > 0 || err == nil {
		if err := h.WriteFile(page, []byte(mask(string(d.page())))); err != nil {
			return s.changed, d.explain("writing", page, err)
		}
	}
	return s.changed, s.prove()
}

// scrub is one run of Scrub, with the lock held.
type scrub struct {
	d       *Dir
	root    *os.Root
	h       *lockedfile.Held
	mask    func(string) string
	facts   []string // files that are facts or look like them
	others  []string // all other regular files but the page, which is made anew
	locks   []string // lock files, which are read but never replaced
	changed []string
}

// find lists the files there are, in the order of their names.
func (s *scrub) find() error {
	s.facts, s.others, s.locks = nil, nil, nil
	return fs.WalkDir(s.root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return s.d.explain("reading", name, err)
		}
		key, isFact := strings.CutSuffix(e.Name(), ".md")
		isFact = isFact && isKey(key) && path.Dir(name) == factFolder
		switch {
		case isFact && (e.Type().IsRegular() || e.Type()&fs.ModeSymlink != 0):
			s.facts = append(s.facts, name)
		case !e.Type().IsRegular() || name == path.Join(factFolder, pageName):
		case e.Name() == folder.LockName:
			s.locks = append(s.locks, name)
		default:
			s.others = append(s.others, name)
		}
		return nil
	})
}

// checkMask refuses a mask that would find something in its own result: what it
// leaves could not be told from what it should have taken out.
func (s *scrub) checkMask(ctx context.Context) error {
	refuse := func(file string) error {
		return fmt.Errorf("%q: the mask changes its own result, so that nothing was changed; "+
			"what is to be taken out must not be part of what takes its place", s.d.path(file))
	}
	steady := func(text string) bool {
		once := s.mask(text)
		return once == text || s.mask(once) == once
	}
	for _, file := range s.facts {
		key := keyOf(file)
		if to := memstore.Slug(s.mask(key)); s.mask(key) != key && s.mask(to) != to {
			return refuse(file)
		}
	}
	for _, file := range slices.Concat(s.facts, s.others) {
		if err := ctx.Err(); err != nil {
			return err
		}
		// What cannot be read is told by prove.
		text, _ := s.h.ReadFile(file)
		if !steady(file) || !steady(string(text)) {
			return refuse(file)
		}
	}
	return nil
}

func (s *scrub) scrubFacts(ctx context.Context) error {
	for _, file := range s.facts {
		if err := ctx.Err(); err != nil {
			return err
		}
		src, err := s.h.ReadFile(file)
		if err != nil {
			continue // it stays a problem, and is looked at again in the end
		}
		key := keyOf(file)
		to := key
		if k := s.mask(key); k != key {
			to = s.freeKey(memstore.Slug(k))
		}
		out := masked(key, to, src, s.mask)
		if to == key && string(out) == string(src) {
			continue
		}
		s.changed = append(s.changed, s.d.path(file))
		err = s.h.WriteFile(factFile(to), out)
		if err == nil && to != key {
			err = s.h.Remove(file)
		}
		if err != nil {
			return s.d.explain("writing", file, err)
		}
	}
	return nil
}

// scrubOthers masks the files that are no facts as text: logs, settings, copies
// that an editor left. One that holds no text is left as it is.
func (s *scrub) scrubOthers(ctx context.Context) error {
	for _, file := range s.others {
		if err := ctx.Err(); err != nil {
			return err
		}
		text, err := s.h.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another write's leftover, gone with the first of this one
		}
		if err != nil {
			return s.d.explain("reading", file, err)
		}
		masked := s.mask(string(text))
		if !utf8.Valid(text) || masked == string(text) {
			continue
		}
		s.changed = append(s.changed, s.d.path(file))
		if err := s.h.WriteFile(file, []byte(masked)); err != nil {
			return s.d.explain("writing", file, err)
		}
	}
	return nil
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

// freeKey returns a key that no file has, this run's own among them.
func (s *scrub) freeKey(key string) string {
	taken := func(key string) bool {
		_, err := s.root.Lstat(factFile(key))
		return s.d.facts[key] != nil || err == nil || checkKey(key) != nil
	}
	free := key
	for n := 2; taken(free); n++ {
		free = fmt.Sprintf("%s-%d", strings.Trim(key, "-."), n)
	}
	return free
}

// prove reads all that is kept once more.
func (s *scrub) prove() error {
	if err := s.find(); err != nil {
		return err
	}
	var left []error
	for _, file := range slices.Concat(s.facts, s.others, s.locks, []string{path.Join(factFolder, pageName)}) {
		src, err := s.h.ReadFile(file)
		switch {
		case errors.Is(err, fs.ErrNotExist) && path.Base(file) == pageName:
		case err != nil:
			left = append(left, s.d.explain("reading", file, err))
		case s.mask(string(src)) != string(src):
			left = append(left, fmt.Errorf("%q still holds what should be masked", s.d.path(file)))
		case s.mask(file) != file:
			left = append(left, fmt.Errorf("%q still holds what should be masked in its name; rename it", s.d.path(file)))
		}
	}
	return errors.Join(left...)
}
