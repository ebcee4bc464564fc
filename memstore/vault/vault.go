// Package vault keeps thoughts in a folder of Markdown files that people can
// read and edit: an engram vault, opened in place.
//
//	v, err := vault.Open(dir, vault.Options{User: "dana"})
//	…
//	t, kept, err := v.Capture(ctx, "[Decision] We run CI on two cores.", vault.Metadata{})
//	list, total, err := v.List(ctx, thought.Filter{}, vault.Newest, 50, 0)
//	found, err := v.Search(ctx, "how many cores for CI?", 10, thought.Filter{})
//	t, ok, err := v.Get(ctx, t.ID)
//
// The files are the truth: what is edited, added, renamed or removed by hand or
// by git counts from the next call on. One that cannot be read is a Problem and
// hides no other. An acknowledged capture survives kill -9 and a power cut, and
// processes that share a vault take turns by the lock file .locked in its root,
// which engram does not look at. Engram's own index, archive and git files are
// never touched.
package vault

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/index"
	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
	"github.com/slipstream-mcp/slipstream/memstore/internal/frontmatter"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
	"github.com/slipstream-mcp/slipstream/memstore/redact"
)

// DefaultWait is how long a writer waits for its turn when Options name no time.
const DefaultWait = 10 * time.Second

// Options are the knobs of a Vault; the zero value works.
type Options struct {
	// CacheDir is where the index is kept between processes, in a folder of its
	// own, and what an Embedder made; "" keeps none. It must not lie in the
	// vault.
	CacheDir string
	// Embedder makes the vectors; nil means package embed, which cannot fail.
	Embedder Embedder
	// Trusted says that the Embedder may read every thought; else it is given
	// portable ones alone, and the others are compared by package embed.
	Trusted bool
	// Retry is how long after a failure of the Embedder pending thoughts are
	// tried again, in the background; twice as long after each further one, up
	// to 64 times. 0 means by Repair alone.
	Retry time.Duration
	// Within, unless "", is a folder that the vault must lie in.
	Within string
	// Redact takes secrets out of what is captured; nil means the built-in
	// rules.
	Redact *redact.Rules
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Random fills ids; nil means crypto/rand.
	Random func() [10]byte
	// User is the source of a capture that names none; "" means "unknown".
	User string
	// Wait is how long the lock is waited for; 0 means DefaultWait.
	Wait time.Duration
	// Wrap, unless nil, stands between the vault and the disk, for tests.
	Wrap func(lockedfile.FS) lockedfile.FS
}

// Vault is a folder of thoughts. It is safe for concurrent use.
type Vault struct {
	folder   folder.Folder
	thoughts string // folder of thoughts, relative to the vault, with "/"
	redact   *redact.Rules
	now      func() time.Time
	random   func() [10]byte
	user     string
	cache    *index.Index // nil when nothing is kept

	turn chan struct{} // held by the one goroutine that writes

	mu      sync.Mutex
	known   known
	index   searchIndex
	vectors embedding
	loaded  bool // the cache was looked into
	ahead   int  // changes since it was saved

	watch   *folder.Watch
	folders map[string]bool  // that are watched
	closed  map[string]error // folders that could not be read
	linked  map[string]bool  // files that can change under another name
	walked  time.Time        // when all files were last looked at; zero when they must be
}

// Open opens the vault at dir, which need not be there yet; it reads nothing
// but the setting thoughts_dir of engram.config.yaml. An error says that the
// setting leaves the vault, or that dir does not lie in Within.
func Open(dir string, opts Options) (*Vault, error) {
	wait := opts.Wait
	if wait == 0 {
		wait = DefaultWait
	}
	f, err := folder.New(dir, opts.Within, wait)
	if err != nil {
		return nil, err
	}
	f.Wrap = opts.Wrap
	v := &Vault{
		folder: f, redact: opts.Redact, now: opts.Now, random: opts.Random, user: opts.User,
		turn: make(chan struct{}, 1), known: newKnown(),
	}
	if v.redact == nil {
		v.redact = new(redact.Rules)
	}
	if v.now == nil {
		v.now = time.Now
	}
	if v.random == nil {
		v.random = func() (b [10]byte) {
			_, _ = rand.Read(b[:]) // never fails
			return b
		}
	}
	if v.user == "" {
		v.user = "unknown"
	}
	if v.thoughts, err = v.setting(); err != nil {
		return nil, err
	}
	if opts.CacheDir != "" {
		place, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256([]byte(filepath.Clean(place)))
		v.cache = index.New(filepath.Join(opts.CacheDir, "vault-"+hex.EncodeToString(sum[:8])+".sqlite"))
	}
	v.vectors.init(opts)
	return v, nil
}

// setting returns the folder of thoughts that the vault's configuration names.
func (v *Vault) setting() (string, error) {
	root, err := v.folder.Open()
	if errors.Is(err, fs.ErrNotExist) {
		return "thoughts", nil
	}
	if err != nil {
		return "", v.explain("reading", err)
	}
	defer root.Close()
	src, err := readFile(root, "engram.config.yaml", 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return "thoughts", nil
	}
	if err != nil {
		return "", v.explain("reading", err)
	}
	text := strings.ReplaceAll(strings.TrimPrefix(string(src), "\ufeff"), "\r\n", "\n")
	d, err := frontmatter.ParseHead(strings.TrimPrefix(text, "---\n"))
	if err != nil {
		return "", fmt.Errorf("engram.config.yaml: %w", err)
	}
	dir, ok := d.Scalar("thoughts_dir")
	if !ok || dir == "" {
		return "thoughts", nil
	}
	dir = filepath.ToSlash(filepath.Clean(dir))
	if !filepath.IsLocal(dir) || dir == "." {
		return "", fmt.Errorf("engram.config.yaml: thoughts_dir %q must be a folder inside the vault", dir)
	}
	return dir, nil
}

// Dir returns the vault's folder as it was given.
func (v *Vault) Dir() string { return v.folder.Dir }

// Close ends what runs in the background and keeps the index for the next
// process.
func (v *Vault) Close() error {
	v.vectors.stop()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.save(max(20, len(v.known.files)/50))
	v.forgetAll()
	if v.cache != nil {
		return v.cache.Close()
	}
	return nil
}

// forgetAll goes back to where Open was.
func (v *Vault) forgetAll() {
	v.known, v.index, v.loaded, v.ahead = newKnown(), searchIndex{}, false, 0
	v.vectors.reset()
	v.unwatch()
}

// Drop removes what is kept of the files elsewhere: the index, and vectors that
// an Embedder made. The next call makes all anew.
func (v *Vault) Drop() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.forgetAll()
	if v.cache == nil {
		return nil
	}
	return v.cache.Drop()
}

// Problem is a file that is not, or not wholly, what it should be.
type Problem struct {
	// Path is below the folder of thoughts.
	Path string
	// Text says what is wrong.
	Text string
	// Skipped says that the file is left out of every answer.
	Skipped bool
}

// explain names the vault in an error and the way out.
func (v *Vault) explain(doing string, err error) error {
	if cure := folder.Cure(doing, err); cure != "" {
		return fmt.Errorf("%s the vault %q: %w; %s", doing, v.folder.Dir, err, cure)
	}
	return fmt.Errorf("%s the vault %q: %w", doing, v.folder.Dir, err)
}

// read looks at the files and calls f with the vault open and locked against
// other goroutines. root is nil when there is no vault yet.
func (v *Vault) read(ctx context.Context, f func(root *os.Root) error) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	root, err := v.folder.Open()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return v.explain("reading", err)
	}
	if err == nil {
		defer root.Close()
	} else {
		root = nil
	}
	if err := v.reconcile(ctx, root); err != nil {
		return err
	}
	return f(root)
}

// write waits for its turn, looks at the files and calls f with the vault
// locked against all others. Whoever reads meanwhile waits for f alone, not for
// another process.
func (v *Vault) write(ctx context.Context, f func(root *os.Root, held *lockedfile.Held) error) error {
	select {
	case v.turn <- struct{}{}:
		defer func() { <-v.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	root, held, _, err := v.folder.Lock(ctx)
	if err != nil {
		return v.explain("writing", err)
	}
	defer root.Close()
	defer held.Unlock()
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.reconcile(ctx, root); err != nil {
		return err
	}
	return f(root, held)
}
