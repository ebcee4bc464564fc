package filestore

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
	"github.com/slipstream-mcp/slipstream/memstore/rank"
)

// reading is a file that is to be read, and what came of it.
type reading struct {
	sight
	version string // what is known of it already

	done  bool
	entry *entry
	doc   rank.Doc
}

// read makes an entry of the file. One that was read before and has not changed
// is not looked into.
func (r *reading) read(root *os.Root, redact func(string) string) {
	r.done = true
	now := time.Now()
	src, info, err := readFile(root, factFile(r.key))
	if errors.Is(err, fs.ErrNotExist) && !isLink(root, factFile(r.key)) {
		r.gone = true // since it was seen
		return
	}
	e := &entry{key: r.key}
	r.entry = e
	if err == nil {
		e.stamp, e.young, e.version = folder.StampOf(info), folder.Young(info, now), versionOf(src)
		if e.version == r.version {
			return
		}
		e.fact, err = decodeFact(r.key, src, redact)
	}
	if err != nil {
		e.problem = redact(reason(err))
		return
	}
	r.doc = memstore.Doc(memstore.Record{Kind: memstore.KindFact, Key: e.key, Fact: e.fact})
}

func isLink(root *os.Root, file string) bool {
	info, err := root.Lstat(file)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// readFile reads a regular file whole.
func readFile(root *os.Root, file string) ([]byte, fs.FileInfo, error) {
	f, info, err := folder.OpenFile(root, path.Clean(file))
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info.Size() > maxFile {
		return nil, nil, fmt.Errorf("it is larger than %d MiB", maxFile>>20)
	}
	var b bytes.Buffer
	b.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := io.Copy(&b, io.LimitReader(f, maxFile+1)); err != nil {
		return nil, nil, err
	}
	return b.Bytes(), info, nil
}
