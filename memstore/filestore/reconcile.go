package filestore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/rank"
)

// saveFrom is the number of changed files from which the index is written at
// once; fewer are read anew by the next process about as fast as they are
// written.
const saveFrom = 256

// entry is what is known of one file.
type entry struct {
	key     string
	stamp   stamp
	version string
	// young says that the file was changed so shortly before it was read that
	// a later change might not show in its stamp.
	young   bool
	problem string         // why the file is no fact
	fact    *memstore.Fact // nil when there is a problem
	doc     *rank.Doc      // what was made of the fact, until the index has it
}

func (e *entry) record() memstore.Record {
	f := *e.fact
	f.Tags = slices.Clone(f.Tags)
	return memstore.Record{Kind: memstore.KindFact, Key: e.key, Version: e.version, Fact: &f}
}

// refresh makes what is known equal to what is on the disk, reading only files
// whose stamp changed.
func (d *Dir) refresh(ctx context.Context) error {
	if d.facts == nil {
		d.facts = map[string]*entry{}
		d.dirty = map[string]bool{}
		d.loadIndex(ctx)
	}
	root, err := d.openRoot()
	if err != nil {
		return d.explain("reading", factFolder, err)
	}
	seen := map[string]bool{}
	if root != nil {
		defer root.Close()
		if err := d.walk(ctx, root, seen); err != nil {
			return d.explain("reading", factFolder, err)
		}
	}
	for key := range d.facts {
		if !seen[key] {
			delete(d.facts, key)
			d.corpus.Delete(key)
			d.dirty[key] = true
		}
	}
	d.saveIndex(ctx, saveFrom)
	return nil
}

func (d *Dir) walk(ctx context.Context, root *os.Root, seen map[string]bool) error {
	folder, err := openNow(root, factFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer folder.Close()
	files, err := folder.ReadDir(-1)
	if err != nil {
		return err
	}
	for i, f := range files {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		key, isFact := strings.CutSuffix(f.Name(), ".md")
		if !isFact || !isKey(key) || f.IsDir() {
			continue
		}
		seen[key] = true
		known := d.facts[key]
		if known != nil && !known.young && f.Type().IsRegular() {
			if info, err := f.Info(); err == nil && stampOf(info) == known.stamp {
				continue
			}
		}
		d.read(root, key, known)
		if d.facts[key] == nil { // gone since the folder was read
			delete(seen, key)
		}
	}
	return nil
}

// isKey reports whether key.md is a fact's file and not the page or hidden.
func isKey(key string) bool {
	return key != "" && key[0] != '.' && key+".md" != pageName
}

// read makes an entry of a file, or removes the one there is when the file is
// gone.
func (d *Dir) read(root *os.Root, key string, known *entry) {
	now := time.Now()
	src, info, err := readFile(root, factFile(key))
	if errors.Is(err, fs.ErrNotExist) && !isLink(root, factFile(key)) {
		if known != nil {
			delete(d.facts, key)
			d.corpus.Delete(key)
			d.dirty[key] = true
		}
		return
	}
	e := &entry{key: key}
	if err == nil {
		e.stamp, e.young, e.version = stampOf(info), young(info, now), versionOf(src)
		if known != nil && known.version == e.version {
			known.stamp, known.young = e.stamp, e.young
			return
		}
		e.fact, err = decodeFact(key, src, d.redact)
	}
	if err != nil {
		e.problem = d.redact(reason(err))
	}
	d.set(e)
	d.dirty[key] = true
}

// set takes an entry in, for its key.
func (d *Dir) set(e *entry) {
	d.facts[e.key] = e
	if e.problem != "" {
		d.corpus.Delete(e.key)
		return
	}
	doc := memstore.Doc(e.record())
	d.corpus.Put(e.key, doc)
	if d.cache != nil {
		e.doc = &doc
	}
}

func isLink(root *os.Root, file string) bool {
	info, err := root.Lstat(file)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// young reports whether a file read at that time may change again without a
// change of its stamp: clocks of file systems tick slowly, some by the second.
func young(info fs.FileInfo, at time.Time) bool {
	tick := 50 * time.Millisecond
	if info.ModTime().Nanosecond() == 0 {
		tick = 2100 * time.Millisecond
	}
	return newest(info).After(at.Add(-tick))
}

// readFile reads a regular file whole.
func readFile(root *os.Root, file string) ([]byte, fs.FileInfo, error) {
	f, err := openNow(root, path.Clean(file))
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, errNotRegular
	}
	if info.Size() > maxFile {
		return nil, nil, fmt.Errorf("it is larger than %d MiB", maxFile>>20)
	}
	var b bytes.Buffer
	b.Grow(int(info.Size()) + 1)
	if _, err := io.Copy(&b, io.LimitReader(f, maxFile+1)); err != nil {
		return nil, nil, err
	}
	return b.Bytes(), info, nil
}
