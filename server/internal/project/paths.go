package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Path turns the name of a file as a client writes it into a slash-separated path inside the project: relative or
// absolute, "/" or "\", a leading "./" allowed. A name that leaves the project is an error that says so.
func (p *Project) Path(name string) (string, error) {
	slashed := name
	if strings.Contains(name, `\`) {
		// A backslash may be part of a name where it does not part folders.
		if _, err := p.root.Lstat(name); err != nil || filepath.Separator == '\\' {
			slashed = strings.ReplaceAll(name, `\`, "/")
		}
	}
	if isAbs(slashed) {
		rel, ok := p.relative(filepath.FromSlash(slashed))
		if !ok {
			return "", outside(name)
		}
		slashed = filepath.ToSlash(rel)
	}
	clean := path.Clean(slashed)
	if clean == ".." || strings.HasPrefix(clean, "../") || !filepath.IsLocal(filepath.FromSlash(clean)) {
		return "", outside(name)
	}
	return clean, nil
}

// isAbs also knows the absolute paths of the other kind of system, so that they are refused and not looked up inside.
func isAbs(name string) bool {
	return filepath.IsAbs(filepath.FromSlash(name)) || strings.HasPrefix(name, "/") ||
		len(name) > 2 && name[1] == ':' && name[2] == '/' && strings.ContainsRune("abcdefghijklmnopqrstuvwxyz", rune(name[0]|0x20))
}

// relative returns the path of an absolute name inside the project, trying the folder both as named and with its links
// resolved.
func (p *Project) relative(name string) (string, bool) {
	dirs := []string{p.dir}
	if real, err := filepath.EvalSymlinks(p.dir); err == nil && real != p.dir {
		dirs = append(dirs, real)
	}
	for _, dir := range dirs {
		if rel, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(rel) {
			return rel, true
		}
	}
	return "", false
}

func outside(name string) error { return fmt.Errorf("%q is outside the project", name) }

// leaves tells whether err is os.Root's refusal of a path that leaves it. The package does not export that error, so it is
// taken from a path that surely does.
func (p *Project) leaves(err error) bool {
	var refused, reference *fs.PathError
	_, out := p.root.Lstat("..")
	return errors.As(err, &refused) && errors.As(out, &reference) && refused.Err == reference.Err
}

// reason says in a few words why a file could not be read.
func reason(err error) string {
	var inner *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.As(err, &inner):
		return inner.Err.Error()
	default:
		return err.Error()
	}
}

// kind names what a file is when it is no regular file.
func kind(mode os.FileMode) string {
	switch {
	case mode.IsDir():
		return "is a directory"
	case mode&os.ModeNamedPipe != 0:
		return "is a named pipe"
	case mode&os.ModeSocket != 0:
		return "is a socket"
	case mode&os.ModeDevice != 0:
		return "is a device"
	default:
		return "is not a regular file"
	}
}
