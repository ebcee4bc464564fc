package lockedfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
)

// maxTogether is how many files WriteFiles writes at a time.
const maxTogether = 64

// Content is a file to be written.
type Content struct {
	Path string
	Data []byte
}

// WriteFiles writes many files as WriteFile does each, in their order, in a
// fraction of the time: the disk is waited for once for many. After an error
// some of them may be written, each whole.
func (h *Held) WriteFiles(files []Content) error {
	for some := range slices.Chunk(files, maxTogether) {
		if err := h.writeTogether(some); err != nil {
			return err
		}
	}
	return nil
}

func (h *Held) writeTogether(files []Content) (err error) {
	temps := make([]string, len(files))
	open := make([]File, len(files))
	defer func() {
		for i, f := range open {
			if f != nil {
				f.Close()
			}
			if err != nil && temps[i] != "" {
				_ = h.fs.Remove(temps[i])
			}
		}
	}()
	var dirs []string
	for i, one := range files {
		dir := filepath.Dir(one.Path)
		if !slices.Contains(dirs, dir) {
			if err := makeFolder(h.fs, dir); err != nil {
				return err
			}
			dirs = append(dirs, dir)
		}
		if h.tempDir != "" {
			dir = h.tempDir
		}
		// The names are the same each time: what a killed writer left is
		// replaced.
		temp := filepath.Join(dir, tempName+strconv.Itoa(i))
		if err := h.fs.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		f, err := h.fs.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return fmt.Errorf("writing %q: %w", one.Path, err)
		}
		temps[i], open[i] = temp, f
	}
	errs := make([]error, len(files))
	var wg sync.WaitGroup
	for i, one := range files {
		wg.Go(func() { errs[i] = h.fill(open[i], one.Path, one.Data) })
	}
	wg.Wait()
	for i, one := range files {
		err := errors.Join(errs[i], open[i].Close())
		open[i] = nil
		if err != nil {
			return fmt.Errorf("writing %q: %w", one.Path, err)
		}
	}
	for i, one := range files {
		err := h.fs.Rename(temps[i], one.Path)
		if errors.Is(err, syscall.EXDEV) { // the folder is another disk's
			err = h.WriteFile(one.Path, one.Data)
		} else if err == nil {
			temps[i] = ""
		}
		if err != nil {
			return fmt.Errorf("writing %q: %w", one.Path, err)
		}
	}
	for _, dir := range dirs {
		if err := syncFolder(h.fs, dir); err != nil {
			return err
		}
	}
	for _, temp := range temps {
		if temp != "" {
			_ = h.fs.Remove(temp)
		}
	}
	return nil
}
