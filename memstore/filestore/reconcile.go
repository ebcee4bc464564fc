package filestore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
	"github.com/slipstream-mcp/slipstream/memstore/rank"
)

const (
	// saveFrom is the number of changed files from which the index is written at
	// once; fewer are read anew by the next process about as fast as they are
	// written.
	saveFrom = 256
	// lookAgain is how long a watch is trusted. It tells of each change but
	// those that are made through a memory map which outlives its file's
	// descriptor, or under another name that the file was given since.
	lookAgain = time.Minute
)

// entry is what is known of one file.
type entry struct {
	key     string
	stamp   folder.Stamp
	version string
	// young says that the file was changed so shortly before it was read that
	// a later change might not show in its stamp.
	young   bool
	problem string         // why the file is no fact
	fact    *memstore.Fact // nil when there is a problem
	doc     *rank.Doc      // what was made of the fact, until the index has it

	line string // of MEMORY.md; made when that is first written

	seen    uint64 // the last look at all files that showed it
	removed bool   // or replaced
}

func (e *entry) record() memstore.Record { return e.recordIn(&memstore.Fact{}) }

// recordIn returns a record with a copy of the fact in f.
func (e *entry) recordIn(f *memstore.Fact) memstore.Record {
	*f = *e.fact
	f.Tags = slices.Clone(f.Tags)
	return memstore.Record{Kind: memstore.KindFact, Key: e.key, Version: e.version, Fact: f}
}

// refresh makes what is known equal to what is on the disk, reading only files
// that changed.
func (d *Dir) refresh(ctx context.Context) error {
	if err := d.reconcile(ctx); err != nil {
		d.unwatch() // what it told may not have been taken in
		return d.explain("reading", factFolder, err)
	}
	d.saveIndex(ctx, saveFrom)
	return nil
}

func (d *Dir) reconcile(ctx context.Context) error {
	root, err := d.openRoot()
	if err != nil {
		return err
	}
	if root != nil {
		defer root.Close()
	}
	memory, facts, err := openFacts(root)
	if err != nil {
		return err
	}
	if facts == nil { // nothing is kept
		d.unwatch()
		return d.takeAll(ctx, root, func() ([]sight, error) { return nil, nil })
	}
	defer memory.Close()
	defer facts.Close()
	if names, ok := d.told(facts); ok {
		return d.takeIn(ctx, root, lookAt(memory, names, d.loose))
	}
	d.unwatch()
	if !d.blind {
		// Before the look, so that nothing is missed between the two.
		d.watch, d.watchedAt = folder.NewWatch(facts), time.Now()
	}
	return d.takeAll(ctx, root, func() ([]sight, error) { return lookAtAll(ctx, memory, facts) })
}

// openFacts opens the folder of the facts; all results are nil when there is
// none.
func openFacts(root *os.Root) (*os.Root, *os.File, error) {
	if root == nil {
		return nil, nil, nil
	}
	memory, err := folder.OpenRoot(root, factFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	facts, err := memory.Open(".")
	if err != nil {
		memory.Close()
		return nil, nil, err
	}
	return memory, facts, nil
}

// told returns the names of the files that changed, when that is known without
// looking at all.
func (d *Dir) told(facts *os.File) (names []string, ok bool) {
	if d.watch == nil || time.Since(d.watchedAt) > lookAgain {
		return nil, false
	}
	info, err := facts.Stat()
	if err != nil {
		return nil, false
	}
	return d.watch.Changed(info)
}

func (d *Dir) unwatch() {
	if d.watch != nil {
		d.watch.Close()
		d.watch = nil
	}
}

// sight is what a look at a file shows.
type sight struct {
	key  string
	info fs.FileInfo // of a link, not of what it leads to; nil when it could not be had
	gone bool
	// told says that the file changed, whatever its stamp says.
	told bool
}

func look(memory *os.Root, key string) sight {
	info, err := memory.Lstat(key + ".md")
	if err != nil {
		return sight{key: key, gone: errors.Is(err, fs.ErrNotExist)}
	}
	return sight{key: key, info: info, gone: info.IsDir()}
}

// lookAt looks at the files that changed, and at those that may have without
// having been told of.
func lookAt(memory *os.Root, names []string, loose map[string]bool) []sight {
	var seen []sight
	told := make(map[string]bool, len(names))
	for _, name := range names {
		key, ok := factKey(name)
		if ok && !told[key] {
			told[key] = true
			s := look(memory, key)
			s.told = true
			seen = append(seen, s)
		}
	}
	for key := range loose {
		if !told[key] {
			seen = append(seen, look(memory, key))
		}
	}
	return seen
}

// lookAtAll looks at every file of the folder.
func lookAtAll(ctx context.Context, memory *os.Root, folder *os.File) ([]sight, error) {
	names, err := folder.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	seen := make([]sight, 0, len(names))
	for _, name := range names {
		if key, ok := factKey(name); ok {
			seen = append(seen, sight{key: key})
		}
	}
	err = inParallel(ctx, len(seen), 64, func(i int) { seen[i] = look(memory, seen[i].key) })
	return seen, err
}

// inParallel calls f for each number below n, on all processors, each of which
// takes so many numbers at a time.
func inParallel(ctx context.Context, n, chunk int, f func(int)) error {
	var next atomic.Int64
	work := func() {
		for ctx.Err() == nil {
			from := int(next.Add(int64(chunk))) - chunk
			if from >= n {
				return
			}
			for i := from; i < min(from+chunk, n); i++ {
				f(i)
			}
		}
	}
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n/chunk) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	return ctx.Err()
}

// factKey returns the key of a fact's file; ok is false for one that is none.
func factKey(name string) (key string, ok bool) {
	key, ok = strings.CutSuffix(name, ".md")
	return key, ok && isKey(key)
}

// isKey reports whether key.md is a fact's file and not the page or hidden.
func isKey(key string) bool {
	return key != "" && key[0] != '.' && key+".md" != pageName
}

// takeAll makes what is known equal to what a look at all files shows. The
// first time it reads the index meanwhile.
func (d *Dir) takeAll(ctx context.Context, root *os.Root, look func() ([]sight, error)) error {
	var loading sync.WaitGroup
	if d.facts == nil {
		loading.Go(func() { d.loadIndex(ctx) })
	}
	seen, err := look()
	loading.Wait()
	if err != nil {
		return err
	}
	d.looks++
	if err := d.takeIn(ctx, root, seen); err != nil {
		return err
	}
	for key, e := range d.facts {
		if e.seen != d.looks {
			d.remove(key)
		}
	}
	return nil
}

// takeIn makes what is known of some files equal to what a look at them shows.
func (d *Dir) takeIn(ctx context.Context, root *os.Root, seen []sight) error {
	var changed []reading
	for _, s := range seen {
		known := d.facts[s.key]
		switch {
		case s.gone:
			d.remove(s.key)
		case known != nil && !s.told && !known.young && s.info != nil && s.info.Mode().IsRegular() && folder.StampOf(s.info) == known.stamp:
			d.saw(known, s.info)
		default:
			r := reading{sight: s}
			if known != nil {
				r.version = known.version
			}
			changed = append(changed, r)
		}
	}
	if len(changed) == 0 {
		return ctx.Err()
	}
	// In pieces, so that a large folder is not in memory as a whole.
	for piece := range slices.Chunk(changed, 1024) {
		err := inParallel(ctx, len(piece), 4, func(i int) { piece[i].read(root, d.redact) })
		for i := range piece {
			if piece[i].done {
				d.take(&piece[i])
				piece[i] = reading{}
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// take makes an entry of what was read, or removes the one there is when the
// file is gone.
func (d *Dir) take(r *reading) {
	if r.gone {
		d.remove(r.key)
		return
	}
	e, known := r.entry, d.facts[r.key]
	if known != nil && e.version != "" && known.version == e.version {
		known.stamp, known.young = e.stamp, e.young
		e = known
	} else {
		d.remove(r.key)
		d.add(e)
		if e.problem == "" {
			d.corpus.Put(e.key, r.doc)
			if d.cache != nil && len(d.dirty) < saveFrom {
				doc := r.doc
				e.doc = &doc
			}
		}
		d.dirty[e.key] = true
	}
	d.saw(e, r.info)
}

// saw notes that the file of an entry is there, and whether all its changes
// will be told of.
func (d *Dir) saw(e *entry, info fs.FileInfo) {
	e.seen = d.looks
	if e.young || e.stamp == (folder.Stamp{}) || info == nil || !info.Mode().IsRegular() || folder.Elsewhere(info) {
		d.loose[e.key] = true
	} else {
		delete(d.loose, e.key)
	}
}

// add takes an entry in that no other has the key of.
func (d *Dir) add(e *entry) {
	d.facts[e.key] = e
	if e.problem == "" {
		d.byKey.add(e)
		d.byPage.add(e)
	}
}

func (d *Dir) remove(key string) {
	e := d.facts[key]
	if e == nil {
		return
	}
	e.removed, d.byKey.removed, d.byPage.removed = true, true, true
	delete(d.facts, key)
	delete(d.loose, key)
	d.corpus.Delete(key)
	d.dirty[key] = true
}

// ordered holds entries in an order that is made when it is asked for, and
// kept from one small change to the next.
type ordered struct {
	compare func(a, b *entry) int
	entries []*entry // in order
	added   []*entry // not yet among them
	removed bool     // some of the entries are
}

func (o *ordered) add(e *entry) { o.added = append(o.added, e) }

// all returns the entries that were not removed. They must not be changed.
func (o *ordered) all() []*entry {
	if o.removed {
		gone := func(e *entry) bool { return e.removed }
		o.entries, o.added = slices.DeleteFunc(o.entries, gone), slices.DeleteFunc(o.added, gone)
		o.removed = false
	}
	if len(o.added) > 16 {
		o.entries = append(o.entries, o.added...)
		slices.SortFunc(o.entries, o.compare)
		o.added = nil
	}
	for _, e := range o.added {
		at, _ := slices.BinarySearchFunc(o.entries, e, o.compare)
		o.entries = slices.Insert(o.entries, at, e)
	}
	o.added = o.added[:0]
	return o.entries
}
