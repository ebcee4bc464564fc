package index

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// wholeHead is the length of what stands before the data: version, checksum and
// length.
const wholeHead = 16

func (x *Index) wholePath() string { return x.path + "-whole" }

// SaveWhole stores what was made of all files together, in the place of what
// was stored before. It is a file of its own, for SQLite takes several times as
// long to give back many megabytes. It is not bound to the rows: who keeps both
// has to tell which is newer.
func (x *Index) SaveWhole(data []byte) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := os.MkdirAll(filepath.Dir(x.path), 0o700); err != nil {
		return err
	}
	head := make([]byte, 0, wholeHead)
	head = binary.LittleEndian.AppendUint32(head, version)
	head = binary.LittleEndian.AppendUint32(head, crc32.ChecksumIEEE(data))
	head = binary.LittleEndian.AppendUint64(head, uint64(len(data)))
	// One name, so that killed writers leave one file. Two writers at once can
	// leave a mix of both, which the checksum tells.
	temp := x.wholePath() + ".tmp"
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(head)
	if err == nil {
		_, err = f.Write(data)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	err = os.Rename(temp, x.wholePath())
	if errors.Is(err, fs.ErrNotExist) { // another writer's by now
		return nil
	}
	return err
}

// LoadWhole returns what SaveWhole stored, and an empty string when there is
// nothing or it is damaged.
func (x *Index) LoadWhole() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	f, err := os.Open(x.wholePath())
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, wholeHead)
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	if _, err := io.ReadFull(f, head); err != nil || binary.LittleEndian.Uint32(head) != version {
		return ""
	}
	sum, size := binary.LittleEndian.Uint32(head[4:]), binary.LittleEndian.Uint64(head[8:])
	if size != uint64(info.Size()-wholeHead) {
		return ""
	}
	// By way of a small buffer into a string: fresh memory is touched once.
	var data strings.Builder
	data.Grow(int(size))
	part := make([]byte, 128<<10)
	crc := uint32(0)
	for {
		n, err := f.Read(part)
		crc = crc32.Update(crc, crc32.IEEETable, part[:n])
		data.Write(part[:n])
		if err == io.EOF {
			break
		}
		if err != nil || uint64(data.Len()) > size {
			return ""
		}
	}
	if uint64(data.Len()) != size || crc != sum {
		return ""
	}
	return data.String()
}
