// Package journal keeps what happened in the sessions of a project and what
// came of it: events and observations, in JSONL files that people can read.
//
//	j, err := journal.Open(".claude/slipstream", journal.Options{CacheDir: cacheDir})
//	…
//	defer j.Close()
//	err = j.Record(ctx, events...)                          // as they happen
//	n, err := j.Capture(ctx, session, activity.FoldOptions{}) // at the end of a turn
//	hits, err := j.Search(ctx, hybrid.Query{Text: "flaky checkout test", Limit: 10})
//
// The files are the truth: what is edited, added or removed by hand counts from
// the next call on. What makes the search fast is kept in the cache folder and
// can be deleted at any time.
//
// An acknowledged write survives kill -9 and a power cut. Processes share a
// journal: writers take turns by one short lock, readers need none. Numbers of
// observations are the project's own and never given twice. The package refuses
// to write without the lock and to keep a secret that Options.Redact knows.
package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
	"github.com/slipstream-mcp/slipstream/memstore/redact"
)

const (
	eventFolder       = "dashboard"
	observationFolder = "observations"
	logSuffix         = ".jsonl"
	cursorSuffix      = ".cursor"
	counterName       = ".counter"
)

// DefaultWait is how long a writer waits for its turn when Options name no time.
const DefaultWait = 10 * time.Second

// maxLine is the size in bytes above which a line is taken for no record.
const maxLine = 4 << 20

// Options are the knobs of a Journal; the zero value works.
type Options struct {
	// CacheDir is the folder for the index, created when needed; several
	// journals can share it. Empty, or one that cannot be written, means that
	// each process reads all files once.
	CacheDir string
	// Within is a folder that the journal's must lie in and that no link on
	// the way may lead out of. "" trusts the path.
	Within string
	// Redact masks secrets in all that is written; nil means redact.Text.
	Redact func(string) string
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Wait is how long a writer waits for its turn; 0 means DefaultWait.
	Wait time.Duration
	// Prepare, unless nil, is called once a folder that was missing has been
	// made, for what else belongs in it.
	Prepare func() error
}

// Journal is what happened in a project. It is safe for concurrent use, also by
// other processes.
type Journal struct {
	o      Options
	folder folder.Folder
	cache  string // the file of the index; "" keeps none

	known atomic.Int64 // the largest number seen

	mu      sync.Mutex // guards what follows while it is brought up to date
	index   *hybrid.Index
	sources map[string]*source // by the name of the session's file without its suffix
	loaded  bool
	tally   *activity.Tally // nil until lessons are asked for

	watch     *folder.Watch // nil: all files have to be looked at
	watchedAt time.Time     // when they were last

	problems map[string]string // by session: why its file is left out
}

// Open returns the journal in dir, which need not exist and is not touched yet.
func Open(dir string, o Options) (*Journal, error) {
	if o.Redact == nil {
		o.Redact = redact.Text
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == 0 {
		o.Wait = DefaultWait
	}
	f, err := folder.New(dir, o.Within, o.Wait)
	if err != nil {
		return nil, err
	}
	j := &Journal{o: o, folder: f}
	if o.CacheDir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256([]byte(abs))
		j.cache = filepath.Join(o.CacheDir, "observations-"+hex.EncodeToString(sum[:8])+".index")
	}
	return j, nil
}

// Close saves what is worth keeping of the index. The journal can be used again.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.loaded {
		j.save(1)
	}
	j.forget()
	return nil
}

// Drop throws the index away, in memory and on the disk.
func (j *Journal) Drop() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.forget()
	if j.cache == "" {
		return nil
	}
	if err := os.Remove(j.cache); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (j *Journal) forget() {
	j.index, j.sources, j.loaded, j.tally = nil, nil, false, nil
	j.unwatch()
}

func eventFile(session string) string { return path.Join(eventFolder, session+logSuffix) }

func observationFile(session string) string { return path.Join(observationFolder, session+logSuffix) }

func cursorFile(session string) string { return path.Join(observationFolder, session+cursorSuffix) }

// checkSession refuses a session that names no file of its own.
func checkSession(session string) error {
	if session == "" || len(session) > 200 || session[0] == '.' || strings.ContainsAny(session, "/\\:\x00\n") || !filepath.IsLocal(session+logSuffix) {
		return fmt.Errorf("%q cannot be the name of a session", session)
	}
	return nil
}

// SafeSession returns the name that a session is kept under: its own, unless that
// holds a secret.
func (j *Journal) SafeSession(name string) string {
	if j.o.Redact(name) == name {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return "redacted-" + hex.EncodeToString(sum[:8])
}

// explain says which file an error is about and, where it is known, the cure.
func (j *Journal) explain(doing, file string, err error) error {
	at := filepath.Join(j.folder.Dir, filepath.FromSlash(file))
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err
	}
	if cure := folder.Cure(doing, err); cure != "" {
		return fmt.Errorf("%s %q: %w; %s", doing, at, err, cure)
	}
	return fmt.Errorf("%s %q: %w", doing, at, err)
}
