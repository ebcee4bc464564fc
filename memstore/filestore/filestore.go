// Package filestore keeps records in files that people can read, edit, search
// and commit: a memstore.Backend over a folder.
//
//	backend, err := filestore.Open(".claude/slipstream", filestore.Options{CacheDir: cacheDir})
//	…
//	defer backend.Close()
//	store, err := memstore.New(backend, memstore.Options{})
//
// A fact is a Markdown file with frontmatter in the folder's memory folder,
// beside a generated page, MEMORY.md, that lists them all. The files are the
// truth: what is edited, added, renamed or removed by hand counts from the
// next call on. On Linux and a local disk the kernel tells which changed;
// elsewhere each call looks at all of them. What is made of them for searching is
// kept in the cache folder and can be deleted at any time.
//
// The package refuses to follow a link out of its folder, to write without
// the lock that all writers of the folder share, and to acknowledge what a
// power cut could still undo. It creates folders with 0700 and files with
// 0600, and nothing before the first write.
package filestore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/index"
	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
	"github.com/slipstream-mcp/slipstream/memstore/rank"
	"github.com/slipstream-mcp/slipstream/memstore/redact"
)

const (
	factFolder = "memory"
	pageName   = "MEMORY.md"
	// lockWait is long enough for many writers of one store to have their turn.
	lockWait = 10 * time.Second
	// maxFile is the size in bytes above which a file is taken for no fact.
	maxFile = 4 << 20
)

// ignore keeps out of git what is of one machine only.
const ignore = "*\n!/memory/\n!/memory/**\n!/budget.json\n!/dashboard.json\n!/redact.json\n!/settings.json\n"

// Options are the knobs of a Dir; the zero value works.
type Options struct {
	// CacheDir is the folder for the index, created when needed; several
	// stores can share it. Empty, or one that cannot be written, means that
	// each process reads all files once.
	CacheDir string
	// Within is a folder that the store's must lie in and that no link on the
	// way may lead out of; one with an absolute path counts as such. "" trusts
	// the path.
	Within string
	// Redact masks secrets in whatever is read from a file, so that one
	// written by hand spreads no further; nil means redact.Text. It is called
	// for several files at once.
	Redact func(string) string
}

// Dir is a store in a folder. It is safe for concurrent use, also by other
// processes.
type Dir struct {
	folder folder.Folder
	redact func(string) string

	// blind lets tests do without a watch.
	blind bool

	mu     sync.Mutex
	facts  map[string]*entry // by key; nil before the first look
	byKey  ordered           // those without a problem
	byPage ordered           // the same in the order of MEMORY.md
	corpus *rank.Corpus
	looks  uint64 // at all files, so far

	watch     *folder.Watch // nil: all files have to be looked at
	watchedAt time.Time
	loose     map[string]bool // keys of files that may change without being told of

	cache *index.Index    // nil: none, or given up
	dirty map[string]bool // keys of what the index does not have
	rows  map[string]bool // keys of what changed since all was written to the index
}

// Open returns the store in dir, which need not exist and is not touched yet.
func Open(dir string, o Options) (*Dir, error) {
	at, err := folder.New(dir, o.Within, lockWait)
	if err != nil {
		return nil, err
	}
	d := &Dir{folder: at, redact: o.Redact, byKey: ordered{compare: compareKeys}, byPage: ordered{compare: comparePage}}
	if d.redact == nil {
		d.redact = redact.Text
	}
	if o.CacheDir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256([]byte(abs))
		d.cache = index.New(filepath.Join(o.CacheDir, "memory-"+hex.EncodeToString(sum[:8])+".sqlite"))
	}
	return d, nil
}

// Close writes what is worth keeping to the index and closes it. The store
// can be used again.
func (d *Dir) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.unwatch()
	if d.cache == nil {
		return nil
	}
	d.saveIndex(context.Background(), 1)
	if d.cache == nil {
		return nil
	}
	return d.cache.Close()
}

// Drop throws the index away, in memory and on the disk: the next call reads all
// files.
func (d *Dir) Drop() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.unwatch()
	d.facts = nil
	d.byKey, d.byPage = ordered{compare: compareKeys}, ordered{compare: comparePage}
	if d.cache == nil {
		return nil
	}
	return d.cache.Drop()
}

// Get implements memstore.Backend.
func (d *Dir) Get(ctx context.Context, kind memstore.Kind, key string) (memstore.Record, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.refreshKind(ctx, kind); err != nil {
		return memstore.Record{}, err
	}
	e := d.facts[key]
	if e == nil || e.problem != "" {
		return memstore.Record{}, fmt.Errorf("%s %q: %w", kind, key, memstore.ErrNotFound)
	}
	return e.record(), nil
}

// Scan implements memstore.Backend. It yields what was there when it began.
func (d *Dir) Scan(ctx context.Context, kind memstore.Kind) iter.Seq2[memstore.Record, error] {
	return func(yield func(memstore.Record, error) bool) {
		recs, err := d.all(ctx, kind)
		if err != nil {
			yield(memstore.Record{}, err)
			return
		}
		for _, rec := range recs {
			if !yield(rec, nil) {
				return
			}
		}
	}
}

func (d *Dir) all(ctx context.Context, kind memstore.Kind) ([]memstore.Record, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.refreshKind(ctx, kind); err != nil {
		return nil, err
	}
	entries := d.byKey.all()
	recs, facts := make([]memstore.Record, len(entries)), make([]memstore.Fact, len(entries))
	for i, e := range entries {
		recs[i] = e.recordIn(&facts[i])
	}
	return recs, nil
}

// Search implements memstore.Searcher.
func (d *Dir) Search(ctx context.Context, kind memstore.Kind, query string, limit int) ([]memstore.Record, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.refreshKind(ctx, kind); err != nil {
		return nil, err
	}
	var recs []memstore.Record
	for _, hit := range d.corpus.Search(query, limit) {
		recs = append(recs, d.facts[hit.Key].record())
	}
	return recs, nil
}

// Problems implements memstore.Inspector: files that are no facts, a MEMORY.md
// that does not list the facts there are, and what keeps the store from being
// read or written at all.
func (d *Dir) Problems(ctx context.Context) ([]memstore.Problem, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p, is := d.linkProblem(); is {
		return []memstore.Problem{p}, nil
	}
	if err := d.refresh(ctx); err != nil {
		return nil, err
	}
	var found []memstore.Problem
	if p, is := d.lockProblem(); is {
		found = append(found, p)
	}
	for key, e := range d.facts {
		if e.problem != "" {
			found = append(found, memstore.Problem{Path: d.path(factFile(key)), Reason: e.problem})
		}
	}
	if p := d.pageProblem(); p != "" {
		found = append(found, memstore.Problem{Path: d.path(path.Join(factFolder, pageName)), Reason: p})
	}
	slices.SortFunc(found, func(a, b memstore.Problem) int { return strings.Compare(a.Path, b.Path) })
	return found, nil
}

// Put implements memstore.Backend. When it returns nil the fact is on the
// disk; a MEMORY.md that could not be written is a Problem, not an error.
func (d *Dir) Put(ctx context.Context, rec memstore.Record) error {
	if rec.Kind != memstore.KindFact || rec.Fact == nil {
		return fmt.Errorf("record %q of kind %q holds no fact", rec.Key, rec.Kind)
	}
	if err := checkKey(rec.Key); err != nil {
		return err
	}
	if _, err := encodeReadable(rec.Key, nil, rec.Fact); err != nil {
		return err // before anything is created
	}
	return d.write(ctx, factFile(rec.Key), func(root *os.Root, h *lockedfile.Held) error {
		file := factFile(rec.Key)
		old, err := h.ReadFile(file)
		inTheWay := false
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			// What is there but cannot be read must not be replaced either.
			if _, gone := root.Lstat(file); gone != nil || rec.Version != "" {
				return err
			}
			inTheWay = true
		}
		if inTheWay || versionOf(old) != rec.Version {
			return fmt.Errorf("fact %q: %w", rec.Key, memstore.ErrConflict)
		}
		text, err := encodeReadable(rec.Key, old, rec.Fact)
		if err != nil {
			return err
		}
		return h.WriteFile(file, text)
	})
}

// Delete implements memstore.Backend. It also removes a file that does not
// parse.
func (d *Dir) Delete(ctx context.Context, kind memstore.Kind, key string) error {
	missing := fmt.Errorf("%s %q: %w", kind, key, memstore.ErrNotFound)
	if kind != memstore.KindFact || checkKey(key) != nil {
		return missing
	}
	file := factFile(key)
	// Looked for first, so that forgetting nothing creates nothing.
	root, err := d.openRoot()
	if err != nil {
		return d.explain("writing", file, err)
	}
	if root == nil {
		return missing
	}
	defer root.Close()
	if noFile(root, file) {
		return missing
	}
	return d.write(ctx, file, func(root *os.Root, h *lockedfile.Held) error {
		if noFile(root, file) {
			return missing
		}
		err := h.Remove(file)
		if errors.Is(err, fs.ErrNotExist) {
			return missing
		}
		return err
	})
}

// noFile reports whether nothing, or a folder, is called that.
func noFile(root *os.Root, file string) bool {
	info, err := root.Lstat(file)
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir()
}

// Prepare makes the folder and its .gitignore, for others who keep something in
// it. They need not call it where the folder is there.
func (d *Dir) Prepare(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	root, h, err := d.lock(ctx)
	if err != nil {
		return d.explain("writing", ".gitignore", err)
	}
	defer root.Close()
	defer h.Unlock()
	if err := writeIgnore(root, h); err != nil {
		return d.explain("writing", ".gitignore", err)
	}
	return nil
}

func writeIgnore(root *os.Root, h *lockedfile.Held) error {
	if _, err := root.Lstat(".gitignore"); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return h.WriteFile(".gitignore", []byte(ignore))
}

// write calls f with the lock held and rewrites MEMORY.md after it. Errors
// name the file and, where it is known, the cure.
func (d *Dir) write(ctx context.Context, file string, f func(*os.Root, *lockedfile.Held) error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	root, h, err := d.lock(ctx)
	if err != nil {
		return d.explain("writing", file, err)
	}
	defer root.Close()
	defer h.Unlock()
	if err := f(root, h); err != nil {
		return d.explain("writing", file, err)
	}
	d.writePage(ctx, root, h)
	return nil
}

// writePage brings MEMORY.md, and the list of what git ignores, up to date.
// The fact is stored by now, so what goes wrong here is left to Problems.
func (d *Dir) writePage(ctx context.Context, root *os.Root, h *lockedfile.Held) {
	_ = writeIgnore(root, h)
	// The caller may give up waiting; the page belongs to the write all the same.
	if err := d.refresh(context.WithoutCancel(ctx)); err != nil {
		return
	}
	_ = h.Update(path.Join(factFolder, pageName), func([]byte) ([]byte, error) { return d.page(), nil })
}

func (d *Dir) refreshKind(ctx context.Context, kind memstore.Kind) error {
	if kind != memstore.KindFact {
		return nil
	}
	return d.refresh(ctx)
}

func (d *Dir) path(file string) string { return filepath.Join(d.folder.Dir, filepath.FromSlash(file)) }

func factFile(key string) string { return path.Join(factFolder, key+".md") }

func compareKeys(a, b *entry) int { return strings.Compare(a.key, b.key) }

func keyOf(file string) string { return strings.TrimSuffix(path.Base(file), ".md") }

// checkKey refuses keys that name no file of their own in the folder.
func checkKey(key string) error {
	if key == "" || key[0] == '.' || strings.ContainsAny(key, "/\\:\x00") || !filepath.IsLocal(key+".md") ||
		strings.EqualFold(key, "memory") || len(key) > 240 {
		return fmt.Errorf("%q cannot be the name of a fact", key)
	}
	return nil
}

func versionOf(file []byte) string {
	if file == nil {
		return ""
	}
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:8])
}

var (
	_ memstore.Backend   = (*Dir)(nil)
	_ memstore.Searcher  = (*Dir)(nil)
	_ memstore.Inspector = (*Dir)(nil)
)
