// Package powercut helps to test that files survive a power cut: it records
// what a program does to its files through a [lockedfile.FS] and then tells
// every state in which a cut may leave them.
//
//	var disk powercut.Disk
//	s := lockedfile.Store{LockPath: lock, FS: disk.Over(lockedfile.OS(), dir)}
//	if s.Append(ctx, path, line) == nil {
//		disk.Mark("first line")
//	}
//	for cut := range disk.Cuts() {
//		// cut.Marks was acknowledged, cut.Files is what is left: does it hold?
//	}
//
// The model is strict: what a write leaves is sure only after the file's Sync,
// a name only after its folder's SyncDir, and until then each change may be on
// the disk or not, in any combination; the last write of a file may be torn or
// zeros. Real file systems promise more; a program that survives this one needs
// none of it. The package can also make operations fail.
package powercut

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
)

// Kind says what an operation does.
type Kind string

// The kinds of operations.
const (
	Create   Kind = "create"
	Write    Kind = "write"
	Truncate Kind = "truncate"
	Sync     Kind = "sync"
	Rename   Kind = "rename"
	Remove   Kind = "remove"
	Mkdir    Kind = "mkdir"
	SyncDir  Kind = "syncdir"
	Mark     Kind = "mark" // no operation: what Disk.Mark was told
)

// Op is one operation that changed files or made a change durable.
type Op struct {
	Kind Kind
	// Name is the file or folder, with slashes, relative to the base that Over
	// was told; of a Mark it is the label.
	Name string
	// To is the new name of a Rename.
	To string
	// Data is what a Write wrote.
	Data []byte
	// Offset is where a Write began, or the size after a Truncate, in bytes.
	Offset int64

	file int // the file itself, whatever its name
}

// Disk records. The zero value is ready; its methods are safe for concurrent use.
type Disk struct {
	// Fail, when set, is asked before each operation; an error it returns is
	// what the operation gives. A Write that fails writes half of its bytes
	// first, as a full disk does. It must not call methods of the Disk.
	Fail func(Op) error

	mu    sync.Mutex
	ops   []Op
	files []file
	names map[string]int // the file that has the name now, -1 for none
	first map[string]int // the file that had the name before
}

// file is what a file holds now, and held when it was first seen.
type file struct{ first, now []byte }

// Mark notes that something was acknowledged here; it comes back in the Marks
// of every cut after it.
func (d *Disk) Mark(label string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ops = append(d.ops, Op{Kind: Mark, Name: label})
}

// Ops returns what was done so far, in order.
func (d *Disk) Ops() []Op {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]Op(nil), d.ops...)
}

// Over returns under with a record kept of it. Names are noted relative to
// base. Files that are there already count as safely on the disk.
func (d *Disk) Over(under lockedfile.FS, base string) lockedfile.FS {
	return recorder{under, d, filepath.ToSlash(filepath.Clean(base))}
}

type recorder struct {
	lockedfile.FS
	disk *Disk
	base string
}

func (r recorder) name(name string) string {
	name = filepath.ToSlash(filepath.Clean(name))
	return strings.TrimPrefix(strings.TrimPrefix(name, r.base), "/")
}

// do asks Fail, then does the operation and records it.
func (r recorder) do(op Op, f func() error) error {
	r.disk.mu.Lock()
	defer r.disk.mu.Unlock()
	if r.disk.Fail != nil {
		if err := r.disk.Fail(op); err != nil {
			return err
		}
	}
	if err := f(); err != nil {
		return err
	}
	r.disk.ops = append(r.disk.ops, op)
	return nil
}

// known returns the file that has the name, -1 when there is none. A file that
// was there before the record began is read.
func (r recorder) known(name string) int {
	d := r.disk
	if d.names == nil {
		d.names, d.first = make(map[string]int), make(map[string]int)
	}
	key := r.name(name)
	if i, ok := d.names[key]; ok {
		return i
	}
	d.names[key] = -1
	if info, err := r.FS.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return -1
	}
	f, err := r.FS.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return -1
	}
	defer f.Close()
	var data []byte
	for buf := make([]byte, 4096); ; {
		n, err := f.Read(buf)
		data = append(data, buf[:n]...)
		if err != nil {
			break
		}
	}
	d.files = append(d.files, file{data, data})
	d.names[key], d.first[key] = len(d.files)-1, len(d.files)-1
	return d.names[key]
}

func (r recorder) OpenFile(name string, flag int, perm fs.FileMode) (lockedfile.File, error) {
	r.disk.mu.Lock()
	i := r.known(name)
	r.disk.mu.Unlock()
	var f lockedfile.File
	open := func() (err error) {
		f, err = r.FS.OpenFile(name, flag, perm)
		return err
	}
	if i >= 0 || flag&os.O_CREATE == 0 {
		if err := open(); err != nil || i < 0 {
			return f, err
		}
	} else {
		r.disk.mu.Lock()
		i = len(r.disk.files)
		r.disk.mu.Unlock()
		err := r.do(Op{Kind: Create, Name: r.name(name), file: i}, func() error {
			if err := open(); err != nil {
				return err
			}
			r.disk.files = append(r.disk.files, file{})
			r.disk.names[r.name(name)] = i
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	rf := &recordedFile{File: f, r: r, name: r.name(name), i: i, appends: flag&os.O_APPEND != 0}
	if flag&os.O_TRUNC != 0 {
		return rf, rf.note(0)
	}
	return rf, nil
}

func (r recorder) Mkdir(name string, perm fs.FileMode) error {
	return r.do(Op{Kind: Mkdir, Name: r.name(name)}, func() error { return r.FS.Mkdir(name, perm) })
}

func (r recorder) Rename(oldName, newName string) error {
	r.disk.mu.Lock()
	i := r.known(oldName)
	r.known(newName)
	r.disk.mu.Unlock()
	return r.do(Op{Kind: Rename, Name: r.name(oldName), To: r.name(newName), file: i}, func() error {
		if err := r.FS.Rename(oldName, newName); err != nil {
			return err
		}
		r.disk.names[r.name(oldName)], r.disk.names[r.name(newName)] = -1, i
		return nil
	})
}

func (r recorder) Remove(name string) error {
	r.disk.mu.Lock()
	r.known(name)
	r.disk.mu.Unlock()
	return r.do(Op{Kind: Remove, Name: r.name(name)}, func() error {
		if err := r.FS.Remove(name); err != nil {
			return err
		}
		r.disk.names[r.name(name)] = -1
		return nil
	})
}

func (r recorder) SyncDir(name string) error {
	return r.do(Op{Kind: SyncDir, Name: r.name(name)}, func() error { return r.FS.SyncDir(name) })
}

type recordedFile struct {
	lockedfile.File
	r       recorder
	name    string
	i       int
	at      int64
	appends bool
}

func (f *recordedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.at += int64(n)
	return n, err
}

func (f *recordedFile) Write(p []byte) (n int, err error) {
	d := f.r.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	now := &d.files[f.i].now
	if f.appends {
		f.at = int64(len(*now))
	}
	op := Op{Kind: Write, Name: f.name, Data: append([]byte(nil), p...), Offset: f.at, file: f.i}
	var failed error
	if d.Fail != nil {
		if failed = d.Fail(op); failed != nil {
			op.Data = op.Data[:len(p)/2]
		}
	}
	n, err = f.File.Write(op.Data)
	op.Data = op.Data[:n]
	*now = op.apply(*now)
	f.at += int64(n)
	d.ops = append(d.ops, op)
	if failed != nil {
		err = failed
	}
	return n, err
}

func (f *recordedFile) Truncate(size int64) error {
	op := Op{Kind: Truncate, Name: f.name, Offset: size, file: f.i}
	return f.r.do(op, func() error {
		if err := f.File.Truncate(size); err != nil {
			return err
		}
		f.r.disk.files[f.i].now = op.apply(f.r.disk.files[f.i].now)
		return nil
	})
}

// note records that opening truncated the file.
func (f *recordedFile) note(size int64) error {
	op := Op{Kind: Truncate, Name: f.name, Offset: size, file: f.i}
	return f.r.do(op, func() error {
		f.r.disk.files[f.i].now = op.apply(f.r.disk.files[f.i].now)
		return nil
	})
}

func (f *recordedFile) Sync() error {
	return f.r.do(Op{Kind: Sync, Name: f.name, file: f.i}, f.File.Sync)
}

// apply returns what a file that holds data holds after a Write or Truncate.
func (op Op) apply(data []byte) []byte {
	size := max(len(data), int(op.Offset)+len(op.Data))
	if op.Kind == Truncate {
		size = int(op.Offset)
	}
	out := make([]byte, size)
	copy(out, data)
	copy(out[min(int(op.Offset), size):], op.Data)
	return out
}

func folder(name string) string {
	if dir := path.Dir(name); dir != "." {
		return dir
	}
	return ""
}
