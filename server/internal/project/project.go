// Package project is a folder of source as the tools see it: opened through os.Root so that nothing outside is ever read,
// with its parsed files kept between calls and re-checked against the disk at each one.
//
// It refuses to follow a path, a link or a race out of the root, and to read what is not a regular file.
package project

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/slipstream-mcp/slipstream/mapper"
)

// ErrNoProject is the answer to a call that names no root when the server has none of its own.
var ErrNoProject = errors.New("no project: pass root or start with --root")

// maxOpen bounds how many projects keep their parsed files in memory; the one unused longest goes first.
const maxOpen = 8

// Projects opens projects by the root a call names. It is safe for concurrent use.
type Projects struct {
	root string // the default root, absolute; "" when there is none
	err  error  // why there is no default root

	mu     sync.Mutex
	parsed map[string]*scans
	recent []string // keys of parsed, the last used at the end

	declared declared
}

// NewProjects returns Projects whose default root is root, relative to dir when it is not absolute. The default root need
// not exist: a call then says so. The file system's top and the home folder are no projects.
func NewProjects(root, dir, home string) *Projects {
	p := &Projects{parsed: map[string]*scans{}}
	if !filepath.IsAbs(root) {
		root = filepath.Join(dir, root)
	}
	root = filepath.Clean(root)
	if real := resolved(root); isTop(real) || home != "" && real == resolved(home) {
		p.err = ErrNoProject
		return p
	}
	p.root = root
	return p
}

// resolved is a path without links, as far as it exists.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}

// isTop tells the top of the file system, which is no project.
func isTop(path string) bool { return path == filepath.Dir(path) }

// Root returns the default root as an absolute path, "" when there is none.
func (p *Projects) Root() string { return p.root }

// Open opens the project a call names: root absolute, relative to the default root, or "" for the default root itself.
// The caller closes it. An error names root and needs no more context.
func (p *Projects) Open(root string) (*Project, error) {
	dir, err := p.resolve(root)
	if err != nil {
		return nil, err
	}
	return p.open(dir, root)
}

// OpenFile is like Open, but root may also name one file: then the project is the default root if the file is in it, else
// the file's folder, and file is its path there.
func (p *Projects) OpenFile(root string) (project *Project, file string, err error) {
	dir, err := p.resolve(root)
	if err != nil {
		return nil, "", err
	}
	info, err := os.Stat(dir)
	if err != nil || info.IsDir() {
		project, err = p.open(dir, root)
		return project, "", err
	}
	parent := filepath.Dir(dir)
	if rel, err := filepath.Rel(p.root, dir); p.root != "" && err == nil && filepath.IsLocal(rel) {
		parent = p.root
	}
	project, err = p.open(parent, "")
	if err != nil {
		return nil, "", err
	}
	file, err = filepath.Rel(parent, dir)
	return project, filepath.ToSlash(file), err
}

// Dir returns the folder a call names as an absolute path; it must exist. The error names root.
func (p *Projects) Dir(root string) (string, error) {
	dir, err := p.resolve(root)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fs.ErrInvalid
	}
	if err != nil {
		return "", noRoot(cmp.Or(root, dir), err)
	}
	return dir, nil
}

func noRoot(shown string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("root %q cannot be read: permission denied", shown)
	}
	return fmt.Errorf("root %q is not a directory", shown)
}

func (p *Projects) resolve(root string) (string, error) {
	switch {
	case filepath.IsAbs(root) && isTop(resolved(root)):
		return "", fmt.Errorf("root %q is the whole system, no project", root)
	case filepath.IsAbs(root):
		return filepath.Clean(root), nil
	case p.err != nil:
		return "", p.err
	default:
		return filepath.Join(p.root, filepath.FromSlash(root)), nil
	}
}

func (p *Projects) open(dir, given string) (*Project, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, noRoot(cmp.Or(given, dir), err)
	}
	return &Project{root: root, dir: dir, given: given, scans: p.scans(dir)}, nil
}

// scans is what is kept of the scans of one project. One scan runs at a time: those that wait find its work done.
type scans struct {
	cache mapper.Cache
	busy  chan struct{}
}

// scans returns what is kept of the scans of the project at dir.
func (p *Projects) scans(dir string) *scans {
	key := resolved(dir)
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, k := range p.recent {
		if k == key {
			p.recent = append(p.recent[:i], p.recent[i+1:]...)
			break
		}
	}
	p.recent = append(p.recent, key)
	if len(p.recent) > maxOpen {
		delete(p.parsed, p.recent[0])
		p.recent = p.recent[1:]
	}
	if p.parsed[key] == nil {
		p.parsed[key] = &scans{busy: make(chan struct{}, 1)}
	}
	return p.parsed[key]
}

// Project is one opened folder. It is safe for concurrent use until closed.
type Project struct {
	root  *os.Root
	dir   string
	given string
	scans *scans
}

// Close releases the folder.
func (p *Project) Close() error { return p.root.Close() }

// Dir returns the project's folder as an absolute path.
func (p *Project) Dir() string { return p.dir }

// Given returns the root as the caller named it, "" for the default root.
func (p *Project) Given() string { return filepath.ToSlash(p.given) }
