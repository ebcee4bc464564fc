package journal

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
)

// load takes the index from its file; whatever is wrong with it, the index is
// begun anew.
func (j *Journal) load() {
	j.index, j.sources, j.loaded, j.tally = hybrid.New(), map[string]*source{}, true, nil
	if j.cache == "" {
		return
	}
	b, err := os.ReadFile(j.cache)
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
		b = binary.AppendUvarint(b, uint64(s.size))
		b = binary.AppendVarint(b, s.modified.UnixNano())
		b = binary.AppendUvarint(b, s.id)
		b = binary.AppendUvarint(b, uint64(s.read))
		b = binary.AppendUvarint(b, uint64(s.tail))
		unsure := byte(0)
		if s.unsure {
			unsure = 1
		}
		b = append(b, unsure)
	}
	return b
}

var errNote = errors.New("the note of an index is not what was written")

func decodeSources(b []byte) (map[string]*source, error) {
	bad := false
	number := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			bad = true
			return 0
		}
		b = b[n:]
		return v
	}
	sources := map[string]*source{}
	for range number() {
		n := number()
		if bad || n > uint64(len(b)) {
			return nil, errNote
		}
		name := strings.Clone(string(b[:n]))
		b = b[n:]
		s := &source{size: int64(number())}
		nano, k := binary.Varint(b)
		if k <= 0 {
			return nil, errNote
		}
		b = b[k:]
		s.modified = time.Unix(0, nano)
		s.id, s.read, s.tail = number(), int64(number()), uint32(number())
		if bad || len(b) == 0 {
			return nil, errNote
		}
		s.unsure = b[0] != 0
		b = b[1:]
		sources[name] = s
	}
	if bad {
		return nil, errNote
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
