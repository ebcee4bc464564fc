// Package lockedfile writes small files that several processes share: stores
// of records, logs of lines, settings.
//
// A write is acknowledged only when it would survive kill -9 and a power cut.
// Writers of one store take turns by one kernel lock, which is gone the moment
// its holder is; whoever cannot have it in time is told so by [ErrLocked] and
// writes nothing. Readers need no lock: a file that is replaced is seen whole,
// old or new, and a file that is appended to is seen in whole lines but,
// perhaps, for its last ([Lines] says which).
//
//	s := lockedfile.Store{LockPath: filepath.Join(dir, ".locked")}
//	err := s.Append(ctx, filepath.Join(dir, "events.jsonl"), line)
//	err = s.Update(ctx, filepath.Join(dir, "counter"), func(old []byte) ([]byte, error) {
//		return next(old)
//	})
//
// The package refuses to write without the lock, to rewrite a file in place
// and to take its lock file away: a lock file that is unlinked can be held
// twice.
package lockedfile

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"
)

// DefaultWait is how long a lock is waited for when a Store names no time.
const DefaultWait = 2 * time.Second

// LockName is the name of the lock file that the package-level functions keep
// in the folder of the file they write.
const LockName = ".locked"

// ErrLocked says that the lock was not had in time: another process holds it.
// Nothing was written; trying again later is right.
var ErrLocked = errors.New("locked by another process")

// ErrNotRegular says that a folder, a link, a pipe or a device stands where the
// lock file or a file that is written should be. It has to be removed by hand.
var ErrNotRegular = errors.New("not a regular file")

// Store is a set of files whose writers take turns. The methods are safe for
// concurrent use by goroutines and processes that name the same LockPath.
type Store struct {
	// LockPath is the file that is locked; it is created, with its folder,
	// when missing, stays empty and is never removed. A name that ends in
	// ".lock" is refused: other tools remove such files when they are old.
	LockPath string
	// Wait is how long a lock is waited for; 0 means DefaultWait. A context
	// that ends earlier ends the wait.
	Wait time.Duration
	// TempDir is the folder in which new content is written before it takes
	// its place; it must exist and lie on the same disk to be of use. "" is the
	// folder of each file.
	TempDir string
	// FS is where the files are; nil means the operating system's.
	FS FS
}

// Lock takes the store's lock, for several writes in a row. The error is
// ErrLocked when the lock was not had in time, and the context's too when it
// was the context that ended.
func (s Store) Lock(ctx context.Context) (*Held, error) {
	if strings.HasSuffix(strings.ToLower(s.LockPath), ".lock") {
		return nil, fmt.Errorf("lock file %q: its name may not end in .lock", s.LockPath)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%q: %w", s.LockPath, err)
	}
	fsys := s.FS
	if fsys == nil {
		fsys = OS()
	}
	if err := makeFolder(fsys, filepath.Dir(s.LockPath)); err != nil {
		return nil, err
	}
	wait := s.Wait
	if wait == 0 {
		wait = DefaultWait
	}
	deadline := time.NewTimer(wait)
	defer deadline.Stop()
	for {
		unlock, ok, err := fsys.TryLock(s.LockPath)
		if err != nil {
			return nil, fmt.Errorf("locking %q: %w", s.LockPath, err)
		}
		if ok {
			return &Held{fs: fsys, unlock: unlock, tempDir: s.TempDir}, nil
		}
		// Uneven short steps: a holder that writes again and again leaves
		// only short gaps, and waiters in step would keep missing them.
		step := time.NewTimer(time.Duration(200+rand.IntN(1000)) * time.Microsecond)
		select {
		case <-ctx.Done():
			step.Stop()
			return nil, fmt.Errorf("%q: %w (%w)", s.LockPath, ErrLocked, ctx.Err())
		case <-deadline.C:
			step.Stop()
			return nil, fmt.Errorf("%q: %w for %v", s.LockPath, ErrLocked, wait)
		case <-step.C:
		}
	}
}

// Append is [Held.Append] under the store's lock.
func (s Store) Append(ctx context.Context, path string, lines ...[]byte) error {
	return s.with(ctx, func(h *Held) error { return h.Append(path, lines...) })
}

// Update is [Held.Update] under the store's lock.
func (s Store) Update(ctx context.Context, path string, f func(old []byte) ([]byte, error)) error {
	return s.with(ctx, func(h *Held) error { return h.Update(path, f) })
}

// WriteFile is [Held.WriteFile] under the store's lock.
func (s Store) WriteFile(ctx context.Context, path string, data []byte) error {
	return s.with(ctx, func(h *Held) error { return h.WriteFile(path, data) })
}

// Remove is [Held.Remove] under the store's lock.
func (s Store) Remove(ctx context.Context, path string) error {
	return s.with(ctx, func(h *Held) error { return h.Remove(path) })
}

func (s Store) with(ctx context.Context, f func(*Held) error) (err error) {
	h, err := s.Lock(ctx)
	if err != nil {
		return err
	}
	// What f wrote is durable whether or not the lock file closes well, and
	// the kernel drops the lock with the descriptor.
	defer h.Unlock()
	return f(h)
}

// Lock takes the lock at lockPath as [Store.Lock] does, with the default wait.
func Lock(ctx context.Context, lockPath string) (*Held, error) {
	return Store{LockPath: lockPath}.Lock(ctx)
}

// Append adds whole lines to the file at path as [Held.Append] does, under the
// lock LockName of the file's folder.
func Append(ctx context.Context, path string, lines ...[]byte) error {
	return folderOf(path).Append(ctx, path, lines...)
}

// Update replaces the file at path as [Held.Update] does, under the lock
// LockName of the file's folder.
func Update(ctx context.Context, path string, f func(old []byte) ([]byte, error)) error {
	return folderOf(path).Update(ctx, path, f)
}

// WriteFile replaces the file at path as [Held.WriteFile] does, under the lock
// LockName of the file's folder.
func WriteFile(ctx context.Context, path string, data []byte) error {
	return folderOf(path).WriteFile(ctx, path, data)
}

// Remove removes the file at path as [Held.Remove] does, under the lock
// LockName of the file's folder.
func Remove(ctx context.Context, path string) error {
	return folderOf(path).Remove(ctx, path)
}

func folderOf(path string) Store {
	return Store{LockPath: filepath.Join(filepath.Dir(path), LockName)}
}
