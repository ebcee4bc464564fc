// Package state finds the folder a project's memory lives in, .claude/slipstream. A sub-folder, a linked worktree and the
// checkout itself share one. It looks and creates nothing.
package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// Folder is where the state stands below its root.
const Folder = ".claude/slipstream"

// Location is where the state of one project is kept.
type Location struct {
	Root  string // the folder that holds Folder
	facts string // the root whose memory folder holds the facts, when it is another one
}

// Dir returns the state folder as an absolute path.
func (l Location) Dir() string { return filepath.Join(l.Root, filepath.FromSlash(Folder)) }

// Facts returns where the facts are kept: here, or in a linked worktree of its own when git tracks facts there.
func (l Location) Facts() Location {
	if l.facts != "" {
		return Location{Root: l.facts}
	}
	return Location{Root: l.Root}
}

// Find returns where the state of the project at dir, an absolute path, is kept: in the nearest folder from dir up to its
// repository's top that has one, else at the repository's top, else in dir itself. A linked worktree counts as the same
// folder of its main checkout, so that removing it takes nothing with it.
func Find(dir string) Location {
	top, main := repository(dir)
	if top == "" {
		return Location{Root: dir}
	}
	if main == "" || main == top {
		return Location{Root: nearest(dir, top)}
	}
	rel, err := filepath.Rel(top, dir)
	if err != nil {
		return Location{Root: nearest(dir, top)}
	}
	l := Location{Root: nearest(filepath.Join(main, rel), main)}
	if own := nearest(dir, top); tracked(own) {
		l.facts = own
	}
	return l
}

// nearest returns the nearest folder from dir up to top that holds a state folder, else top.
func nearest(dir, top string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if isDir(filepath.Join(at, filepath.FromSlash(Folder))) {
			return at
		}
		if at == top || at == filepath.Dir(at) {
			return top
		}
	}
}

// SameRepository tells whether both folders belong to one repository or to none.
func SameRepository(a, b string) bool {
	topA, _ := repository(a)
	topB, _ := repository(b)
	return topA == topB
}

// repository returns the top of the repository dir is in, "" for none, and for a linked worktree the main checkout's top.
func repository(dir string) (top, main string) {
	for at := dir; ; at = filepath.Dir(at) {
		git := filepath.Join(at, ".git")
		if info, err := os.Stat(git); err == nil {
			if info.IsDir() {
				return at, ""
			}
			return at, mainCheckout(git)
		}
		if at == filepath.Dir(at) {
			return "", ""
		}
	}
}

// mainCheckout returns the folder a worktree's .git file leads to; "" for a submodule, which is a repository of its own,
// and for a worktree of a bare repository.
func mainCheckout(file string) string {
	text := readSmall(file)
	admin, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:")
	if !ok {
		return ""
	}
	admin = absolute(strings.TrimSpace(admin), filepath.Dir(file))
	common := readSmall(filepath.Join(admin, "commondir"))
	if common == nil {
		return ""
	}
	git := absolute(strings.TrimSpace(string(common)), admin)
	if filepath.Base(git) != ".git" || !isDir(git) {
		return ""
	}
	return filepath.Dir(git)
}

// readSmall reads a file as git writes them: regular, of a line or two. Anything else is nil.
func readSmall(path string) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<16 {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return text
}

// OpenRoot opens the state folder by way of its root, so that no link in between leads out of the project. The error is
// fs.ErrNotExist's kind when there is no such folder.
func (l Location) OpenRoot() (*os.Root, error) {
	root, err := os.OpenRoot(l.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.OpenRoot(filepath.FromSlash(Folder))
}

// maxFile is the largest file of settings that is read, in bytes.
const maxFile = 1 << 20

// ReadFile reads a file of the state folder. A link that leaves the root is not followed, and what is no regular file or
// is larger than any setting is an error. The error is fs.ErrNotExist's kind when there is no such file.
func (l Location) ReadFile(name string) ([]byte, error) {
	text, err := l.readFile(name)
	if err != nil {
		var inner *fs.PathError
		if errors.As(err, &inner) {
			err = inner.Err
		}
		return nil, fmt.Errorf("%s/%s: %w", Folder, name, err)
	}
	return text, nil
}

func (l Location) readFile(name string) ([]byte, error) {
	root, err := os.OpenRoot(l.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	path := filepath.Join(filepath.FromSlash(Folder), name)
	info, err := root.Stat(path)
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("is not a regular file")
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("is larger than %d bytes", maxFile)
	}
	return root.ReadFile(path)
}

func absolute(path, dir string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// tracked tells whether git has a file of root's memory folder in its index.
func tracked(root string) bool {
	cmd := exec.Command("git", "-C", root, "ls-files", "--", Folder+"/memory")
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0")
	out, err := cmd.Output()
	return err == nil && len(out) > 0
}
