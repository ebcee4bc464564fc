package mapper

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"
)

// The ignore files that are honoured in any folder. Both have git's syntax;
// hideFile hides tracked files too.
const (
	ignoreFile = ".gitignore"
	hideFile   = ".slipstreamignore"
	stateDir   = ".claude/slipstream" // slipstream's own notes about a project are no part of it
)

// List gives the files of a project in the order of [ComparePaths]: what
// `git ls-files -co --exclude-standard` lists in dir and is still there, or
// the same by git's rules where git or a repository is missing or dir is "".
// Repositories and worktrees below the root are not entered, symbolic links
// are listed and not followed. What a .slipstreamignore hides, and
// .claude/slipstream, is left out. dir must be the root of fsys.
func List(ctx context.Context, fsys fs.FS, dir string) ([]string, error) {
	l, _, err := list(ctx, fsys, Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, f := range l.folders {
		for _, name := range f.files {
			paths = append(paths, join(f.path, name))
		}
	}
	return paths, nil
}

// join puts a name below a folder; "" is the root.
func join(folder, name string) string {
	if folder == "" {
		return name
	}
	return folder + "/" + name
}

// A listing is a file list and the evidence it was made from, so that a later
// scan can tell by looking at the folders alone that it still holds.
type listing struct {
	folders []folder
	sources []source
	settled bool // none of the files that decide the list had just been touched, see stamp
}

// A folder is one that was read. Ignored folders are not, unless git tracks
// something in them.
type folder struct {
	path  string
	seen  []evidence
	files []string // names of the listed files, sorted
	shut  bool     // is there and cannot be read
}

// Evidence is one directory entry. Any new, gone or changed entry may change
// the list; of plain files only the ignore files have a stamp here.
type evidence struct {
	name  string
	kind  fs.FileMode
	stamp stamp
}

// A source is a file outside the tree that decides the list.
type source struct {
	path  string
	stamp stamp
}

// A found file is listed and was looked at in this scan.
type found struct {
	path string
	kind fs.FileMode
	info fs.FileInfo // nil: known from git alone, its folder cannot be read; or such a folder itself
}

// list reads the tree by its own rules, then lets git say what the files are.
// In this order nothing is missed: a file that comes while git runs is in no
// evidence and shows in the next scan.
func list(ctx context.Context, fsys fs.FS, opts Options) (*listing, []found, error) {
	dir, env, now := opts.Dir, opts.env(), opts.now()
	l := &lister{fsys: fsys, dir: dir, env: env, entries: map[string][]fs.DirEntry{}, hiding: map[string]*layer{}, pruned: map[string]visit{}}
	if _, err := fs.ReadDir(fsys, "."); err != nil {
		return nil, nil, fmt.Errorf("reading the project's root: %w", err)
	}
	outer, sources := l.outerRules(ctx)
	if err := l.walk(ctx, []visit{{ignore: outer}}); err != nil {
		return nil, nil, err
	}
	if dir != "" {
		paths, ok := gitFiles(ctx, dir, env)
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		// A root that is ignored as a whole has no files for git; a caller
		// who names it means it.
		if ok && len(paths) > 0 {
			if err := l.takeList(ctx, paths); err != nil {
				return nil, nil, err
			}
		}
	}
	slices.SortStableFunc(l.folders, func(a, b folder) int { return compareFolders(a.path, b.path) })
	l.folders = slices.CompactFunc(l.folders, func(a, b folder) bool { return a.path == b.path })
	var files []found
	for i := range l.folders {
		f := &l.folders[i]
		files = append(files, f.found(l.entries[f.path])...)
	}
	made := &listing{folders: l.folders, sources: sources}
	made.settled = made.atRest(now)
	return made, files, nil
}

// atRest reports whether every ignore file and source was last touched long
// enough before now.
func (l *listing) atRest(now time.Time) bool {
	for _, s := range l.sources {
		if !s.stamp.settled(now) {
			return false
		}
	}
	for _, f := range l.folders {
		for _, e := range f.seen {
			if e.stamp != (stamp{}) && !e.stamp.settled(now) {
				return false
			}
		}
	}
	return true
}

// look reads one folder.
func look(fsys fs.FS, path string) ([]fs.DirEntry, []evidence, error) {
	if path == "" {
		path = "."
	}
	entries, err := fs.ReadDir(fsys, path)
	if err != nil {
		return nil, nil, err
	}
	seen := make([]evidence, len(entries))
	for i, e := range entries {
		seen[i] = evidence{name: e.Name(), kind: e.Type()}
		if seen[i].name == ignoreFile || seen[i].name == hideFile {
			if info, err := e.Info(); err == nil {
				seen[i].stamp = stampOf(info)
			}
		}
	}
	return entries, seen, nil
}

// found matches the listed names against what is in the folder: names that are
// gone or have become folders fall out.
func (f *folder) found(entries []fs.DirEntry) []found {
	files := make([]found, 0, len(f.files))
	if f.shut && len(f.files) == 0 {
		return []found{{path: f.path, kind: fs.ModeDir}}
	}
	if f.shut {
		for _, name := range f.files {
			files = append(files, found{path: join(f.path, name)})
		}
		return files
	}
	kept := f.files[:0:0]
	i := 0
	for _, e := range entries {
		for i < len(f.files) && f.files[i] < e.Name() {
			i++
		}
		if i == len(f.files) {
			break
		}
		if f.files[i] != e.Name() || e.IsDir() {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue
		}
		kept = append(kept, e.Name())
		files = append(files, found{join(f.path, e.Name()), e.Type(), info})
	}
	f.files = kept
	return files
}

// shut reports whether a folder that gave this error is there all the same.
func shut(err error) bool { return err != nil && !errors.Is(err, fs.ErrNotExist) }

// check looks at every folder again. ok means the list still holds; then the
// files come with their present state.
func (l *listing) check(ctx context.Context, fsys fs.FS) (files []found, ok bool, err error) {
	if !l.settled {
		return nil, false, nil
	}
	for _, s := range l.sources {
		if stampFile(s.path) != s.stamp {
			return nil, false, nil
		}
	}
	parts := make([][]found, len(l.folders))
	fresh := make([]bool, len(l.folders))
	err = each(ctx, len(l.folders), func(i int) {
		f := l.folders[i]
		entries, seen, err := look(fsys, f.path)
		if fresh[i] = slices.Equal(seen, f.seen) && f.shut == shut(err); fresh[i] {
			parts[i] = f.found(entries)
		}
	})
	if err != nil || slices.Contains(fresh, false) {
		return nil, false, err
	}
	return slices.Concat(parts...), true, nil
}
