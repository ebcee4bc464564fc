package mapper

import (
	"context"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// lister makes a listing.
type lister struct {
	fsys    fs.FS
	dir     string
	env     []string
	folders []folder
	at      string                   // the root's path below the top of the repository around it, "" at the top
	entries map[string][]fs.DirEntry // of the folders read
	hiding  map[string]*layer        // rules of slipstream's own that hold in a folder read
	pruned  map[string]visit         // ignored folders, not entered
	tracked map[string]bool          // folders that hold a file of git's list, at any depth
}

// A visit is a folder to read and the rules that hold above it.
type visit struct {
	path    string
	ignore  *layer
	hide    *layer
	foreign bool // a repository of its own: looked at, so that it shows when it ceases to be one, and not entered
}

// outerRules gives the rules that hold at the root, and what decides them:
// the user's and the repository's exclude files and the ignore files above the
// root. Rules that hide the root as a whole do not count: whoever scans it
// means it.
func (l *lister) outerRules(ctx context.Context) (*layer, []source) {
	var rules *layer
	if l.dir == "" {
		text, _, _ := readFile(l.fsys, ".git/info/exclude", maxRules)
		return rules.add("", text), nil
	}
	names := gitSources(ctx, l.dir, l.env)
	add := func(base, path string) {
		names = append(names, path)
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxRules {
			return // a pipe in its place would never end
		}
		if text, err := os.ReadFile(path); err == nil {
			rules = rules.add(base, text)
		}
	}
	top, gitDirs := enclosing(l.dir)
	names = append(names, gitDirs...)
	for _, user := range userFiles(l.env) {
		if filepath.Base(user) == "ignore" {
			add("", user)
		}
	}
	if top != "" {
		if dir, err := filepath.Abs(l.dir); err == nil {
			l.at = filepath.ToSlash(strings.Trim(strings.TrimPrefix(dir, top), string(filepath.Separator)))
		}
		add("", filepath.Join(top, ".git", "info", "exclude"))
		for base := range ancestors(l.at) {
			if base != "" && rules.ignored(base, true) {
				rules = nil
				break
			}
			if base != l.at {
				add(base, filepath.Join(top, filepath.FromSlash(base), ignoreFile))
			}
		}
	}
	slices.Sort(names)
	var sources []source
	for _, name := range slices.Compact(names) {
		sources = append(sources, source{name, stampFile(name)})
	}
	return rules, sources
}

// ancestors gives "", then each folder on the way down to path, path included.
func ancestors(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield("") || path == "" {
			return
		}
		for i := 0; i <= len(path); i++ {
			if (i == len(path) || path[i] == '/') && !yield(path[:i]) {
				return
			}
		}
	}
}

// walk reads folders level by level, each level in parallel, and keeps the
// order.
func (l *lister) walk(ctx context.Context, level []visit) error {
	type result struct {
		folder  folder
		entries []fs.DirEntry
		next    []visit
		pruned  []visit
		hide    *layer
	}
	for len(level) > 0 {
		results := make([]result, len(level))
		err := each(ctx, len(level), func(i int) {
			r := &results[i]
			r.entries, r.folder = l.read(level[i].path)
			if v := level[i]; v.foreign {
				v.foreign = false
				r.pruned = []visit{v}
				return
			}
			r.next, r.pruned, r.hide = l.judge(level[i], r.entries, &r.folder)
		})
		if err != nil {
			return err
		}
		level = nil
		for _, r := range results {
			l.folders = append(l.folders, r.folder)
			l.entries[r.folder.path] = r.entries
			if r.hide != nil {
				l.hiding[r.folder.path] = r.hide
			}
			level = append(level, r.next...)
			for _, v := range r.pruned {
				l.pruned[v.path] = v
			}
		}
	}
	return nil
}

func (l *lister) read(path string) ([]fs.DirEntry, folder) {
	entries, seen, err := look(l.fsys, path)
	return entries, folder{path: path, seen: seen, shut: shut(err)}
}

// judge decides by the ignore rules what of a folder is listed and entered.
func (l *lister) judge(v visit, entries []fs.DirEntry, f *folder) (next, pruned []visit, hide *layer) {
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		switch e.Name() {
		case ignoreFile:
			v.ignore = v.ignore.add(strings.TrimSuffix(join(l.at, v.path), "/"), readRules(l.fsys, join(v.path, ignoreFile)))
		case hideFile:
			v.hide = v.hide.add(v.path, readRules(l.fsys, join(v.path, hideFile)))
		}
	}
	for _, e := range entries {
		path := join(v.path, e.Name())
		switch {
		case v.hide.ignored(path, e.IsDir()) || e.Name() == ".git":
		case e.IsDir():
			below := visit{path: path, ignore: v.ignore, hide: v.hide}
			switch {
			case path == stateDir || strings.HasSuffix(path, "/"+stateDir):
			case l.tracked[path]:
				next = append(next, below)
			case v.ignore.ignored(join(l.at, path), true):
				pruned = append(pruned, below)
			default:
				below.foreign = l.isRepository(path)
				next = append(next, below)
			}
		case l.tracked == nil && listable(e.Type()) && !v.ignore.ignored(join(l.at, path), false):
			f.files = append(f.files, e.Name())
		}
	}
	return next, pruned, v.hide
}

// listable reports whether git would list an entry of this type.
func listable(kind fs.FileMode) bool { return kind.IsRegular() || kind == fs.ModeSymlink }

// maxRules bounds an ignore file; git reads any size, but no person writes one.
const maxRules = 4 << 20

func readRules(fsys fs.FS, path string) []byte {
	text, _, err := readFile(fsys, path, maxRules)
	if err != nil {
		return nil
	}
	return text
}

// isRepository reports whether a folder is a repository or worktree of its own.
func (l *lister) isRepository(path string) bool {
	git := path + "/.git"
	info, err := fs.Stat(l.fsys, git)
	if err != nil {
		return false
	}
	if info.IsDir() {
		for _, part := range []string{"/HEAD", "/objects", "/refs"} {
			if _, err := fs.Stat(l.fsys, git+part); err != nil {
				return false
			}
		}
		return true
	}
	text, _, err := readFile(l.fsys, git, 4<<10)
	target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if err != nil || !ok || l.dir == "" {
		return ok
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(l.dir, filepath.FromSlash(path), target)
	}
	_, err = os.Stat(filepath.Join(target, "HEAD"))
	return err == nil
}

// takeList replaces what the rules gave by git's list. Folders that are
// ignored but hold tracked files are read now.
func (l *lister) takeList(ctx context.Context, paths []string) error {
	byFolder := map[string][]string{}
	l.tracked = map[string]bool{}
	for _, path := range paths {
		dir, name := splitPath(path)
		byFolder[dir] = append(byFolder[dir], name)
		for ; dir != "" && !l.tracked[dir]; dir, _ = splitPath(dir) {
			l.tracked[dir] = true
		}
	}
	var level []visit
	for _, path := range slices.Sorted(maps.Keys(l.pruned)) {
		if l.tracked[path] {
			level = append(level, l.pruned[path])
		}
	}
	if err := l.walk(ctx, level); err != nil {
		return err
	}
	for i := range l.folders {
		f := &l.folders[i]
		names := byFolder[f.path]
		slices.Sort(names)
		hide := l.hiding[f.path]
		f.files = slices.DeleteFunc(slices.Compact(names), func(name string) bool { return hide.ignored(join(f.path, name), false) })
	}
	return nil
}
