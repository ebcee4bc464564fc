package project

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/slipstream-mcp/slipstream/server/internal/visible"
)

// ReadError says why a file of the project cannot be served. Missing tells a file that is not there from one that cannot
// be read.
type ReadError struct {
	Name    string // as the client wrote it
	Reason  string
	Missing bool
}

func (e *ReadError) Error() string {
	return fmt.Sprintf("could not read %s: %s", visible.Text(e.Name), e.Reason)
}

// Open opens a regular file of the project for reading; name is as the client wrote it, file what Path made of it. A pipe
// or a device is never opened for long: the kind is checked before opening and again on what was opened.
func (p *Project) Open(name, file string) (*os.File, error) {
	info, err := p.root.Stat(file)
	if err != nil {
		return nil, p.readError(name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, &ReadError{Name: name, Reason: kind(info.Mode())}
	}
	f, err := p.root.OpenFile(file, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, p.readError(name, err)
	}
	limitRead(f)
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = &ReadError{Name: name, Reason: kind(info.Mode())}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func (p *Project) readError(name string, err error) error {
	if p.leaves(err) {
		return outside(name)
	}
	return &ReadError{Name: name, Reason: reason(err), Missing: errors.Is(err, fs.ErrNotExist)}
}

// maxRead is the longest that reading a file may block. What the system shows as a file may give nothing for ever.
const maxRead = 5 * time.Second

// limitRead bounds how long reads of f block. Files on a disk never do and know no deadline.
func limitRead(f *os.File) { _ = f.SetReadDeadline(time.Now().Add(maxRead)) }

// ErrTooLarge is returned by Read for a file beyond its limit.
var ErrTooLarge = errors.New("too large")

// Read returns the bytes of a regular file of the project, at most limit of them: a larger file is ErrTooLarge.
func (p *Project) Read(name, file string, limit int64) ([]byte, error) {
	f, err := p.Open(name, file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, &ReadError{Name: name, Reason: reason(err)}
	}
	if int64(len(src)) > limit {
		return nil, ErrTooLarge
	}
	return src, nil
}

// files is the project as an fs.FS for the mapper. It opens without blocking, so that a pipe that took a file's place
// between the listing and the read cannot hold a call up.
type files struct{ root *os.Root }

func (f files) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	opened, err := f.root.OpenFile(path.Clean(name), os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	limitRead(opened)
	return opened, nil
}
