package journal

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
	"github.com/slipstream-mcp/slipstream/memstore/internal/hugepages"
)

// load takes the index from its file; whatever is wrong with it, the index is
// begun anew.
func (j *Journal) load() {
	j.index, j.sources, j.loaded, j.tally = hybrid.New(), map[string]*source{}, true, nil
	if j.cache == "" {
		return
	}
	b, err := readCache(j.cache)
	if err != nil {
		return
	}
	index, note, err := hybrid.Load(b)
	if err != nil {
		return
	}
	if sources, err := decodeSources(note); err == nil {
		j.index, j.sources = index, sources
	}
}

// readCache reads a file whole. What it returns is kept as long as the index.
func readCache(name string) ([]byte, error) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, errNote) // a pipe would block
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	b := hugepages.Bytes(int(info.Size()))
	_, err = io.ReadFull(f, b)
	return b, err
}

// save writes the index to its file when it is at least n records ahead of it.
// It is a cache: what goes wrong costs the next process some time.
func (j *Journal) save(n int) {
	if j.cache == "" || j.index.Pending() < n {
		return
	}
	b := j.index.Encode(encodeSources(j.sources))
	dir := filepath.Dir(j.cache)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return
	}
	removeLeft(j.cache)
	f, err := os.CreateTemp(dir, filepath.Base(j.cache)+".*")
	if err != nil {
		return
	}
	_, err = f.Write(b)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), j.cache)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
}

// removeLeft removes what killed processes left of their own files.
func removeLeft(cache string) {
	left, _ := filepath.Glob(cache + ".*")
	for _, name := range left {
		if info, err := os.Lstat(name); err == nil && time.Since(info.ModTime()) > time.Hour {
			_ = os.Remove(name)
		}
	}
}

func encodeSources(sources map[string]*source) []byte {
	names := make([]string, 0, len(sources))
	for name := range sources {
		names = append(names, name)
	}
	slices.Sort(names)
	b := binary.AppendUvarint(nil, uint64(len(names)))
	for _, name := range names {
		s := sources[name]
		b = binary.AppendUvarint(b, uint64(len(name)))
		b = append(b, name...)
		for _, v := range [...]int64{s.stamp.Size, s.stamp.Modified, s.stamp.Changed, int64(s.stamp.Inode), s.read, int64(s.tail)} {
			b = binary.AppendVarint(b, v)
		}
		young := byte(0)
		if s.young {
			young = 1
		}
		b = append(b, young)
	}
	return b
}

var errNote = errors.New("the note of an index is not what was written")

func decodeSources(b []byte) (map[string]*source, error) {
	bad := false
	number := func() int64 {
		v, n := binary.Varint(b)
		if n <= 0 {
			bad = true
			return 0
		}
		b = b[n:]
		return v
	}
	text := func() string {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > uint64(len(b)-size) {
			bad = true
			return ""
		}
		s := string(b[size : size+int(n)])
		b = b[size+int(n):]
		return s
	}
	n, size := binary.Uvarint(b)
	if size <= 0 {
		return nil, errNote
	}
	b = b[size:]
	sources := map[string]*source{}
	for range n {
		name := text()
		s := &source{stamp: folder.Stamp{Size: number(), Modified: number(), Changed: number(), Inode: uint64(number())}, read: number(), tail: uint32(number())}
		if bad || len(b) == 0 || s.read < 0 || s.read > s.stamp.Size {
			return nil, errNote
		}
		s.young = b[0] != 0
		b = b[1:]
		sources[name] = s
	}
	return sources, nil
}

// indexSize returns the size of the index's file in bytes; 0 when there is none.
func (j *Journal) indexSize() int64 {
	info, err := os.Stat(j.cache)
	if errors.Is(err, fs.ErrNotExist) || err != nil {
		return 0
	}
	return info.Size()
}
