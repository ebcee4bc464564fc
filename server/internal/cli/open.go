package cli

import (
	"cmp"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/vault/remote"
	"github.com/slipstream-mcp/slipstream/server/internal/capture"
	"github.com/slipstream-mcp/slipstream/server/internal/ledger"
	"github.com/slipstream-mcp/slipstream/server/internal/memory"
	"github.com/slipstream-mcp/slipstream/server/internal/project"
	"github.com/slipstream-mcp/slipstream/server/internal/tools"
)

// Options says what the tools work on.
type Options struct {
	Root            string         // the default root, absolute or relative to Dir
	MemoryRoot      string         // the folder that holds .claude/slipstream, absolute or relative to Dir; "" finds it
	Vault           string         // the folder of the thoughts, absolute or relative to Dir; "" is none
	Embed           remote.Options // the model that makes the vectors of thoughts; without a URL there is none
	EmbedRetry      time.Duration  // after which pending thoughts are tried again in the background; 0 never
	User            string         // whose thoughts they are when nobody says
	Dir             string         // the working directory; "" asks the system
	Home            string         // the home folder, which is no project; "" asks the system
	CacheDir        string         // where what can be made again is kept; "" keeps nothing
	Now             func() time.Time
	Getenv          func(string) string // nil is an empty environment
	Log             *slog.Logger        // nil logs nothing
	MaxResultTokens int                 // 0 is the project's setting
	Count           bool                // count what answers save in the project's ledger
	Capture         bool                // note the calls in the project's journal, unless its settings or the environment say otherwise
}

// Open makes what the tools are made of. Nothing is read yet: a root that does not exist is for the calls to say.
func Open(o Options) (tools.Deps, error) {
	if o.Dir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return tools.Deps{}, fmt.Errorf("the working directory cannot be told: %w", err)
		}
		o.Dir = dir
	}
	if o.Home == "" {
		o.Home, _ = os.UserHomeDir() // without one, no folder is taken for it
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	if o.MemoryRoot != "" && !filepath.IsAbs(o.MemoryRoot) {
		o.MemoryRoot = filepath.Join(o.Dir, o.MemoryRoot)
	}
	if o.Vault != "" && !filepath.IsAbs(o.Vault) {
		o.Vault = filepath.Join(o.Dir, o.Vault)
	}
	projects := project.NewProjects(o.Root, o.Dir, o.Home)
	kept := memory.Options{Projects: projects, Root: o.MemoryRoot, Vault: o.Vault, User: o.User, CacheDir: o.CacheDir, Now: o.Now}
	if o.Embed.URL != "" {
		model, err := remote.New(o.Embed)
		if err != nil {
			return tools.Deps{}, fmt.Errorf("%w; see --embed-url, --embed-model, --embed-dim", err)
		}
		kept.Embedder, kept.Trusted, kept.Retry = model, model.Local(), o.EmbedRetry
	}
	memories := memory.New(kept)
	books := &ledger.Ledger{}
	if o.Count {
		books.Prepare = memories.Prepare
	}
	var recorder *capture.Recorder
	session := ""
	if o.Capture && o.Getenv("SLIPSTREAM_MCP_EMIT") != "0" {
		session = cmp.Or(o.Getenv("CLAUDE_CODE_SESSION_ID"), o.Getenv("CLAUDE_SESSION_ID"))
		recorder = &capture.Recorder{Memories: memories, Getenv: o.Getenv, Home: o.Home, Now: o.Now, Log: o.Log, Hooked: session != ""}
	}
	started := time.Now
	if o.Now != nil {
		started = o.Now
	}
	return tools.Deps{
		Capture:         recorder,
		Session:         session,
		Now:             o.Now,
		Started:         started(),
		Projects:        projects,
		Memories:        memories,
		Ledger:          books,
		Log:             o.Log,
		Getenv:          o.Getenv,
		MaxResultTokens: o.MaxResultTokens,
	}, nil
}

// open is Open with what the program was started with.
func (p *program) open(log *slog.Logger, maxResultTokens int) (tools.Deps, error) {
	return Open(p.options(log, maxResultTokens))
}

func (p *program) options(log *slog.Logger, maxResultTokens int) Options {
	embed := p.embed
	embed.URL = cmp.Or(embed.URL, p.Getenv("SLIPSTREAM_EMBED_URL"))
	embed.Model = cmp.Or(embed.Model, p.Getenv("SLIPSTREAM_EMBED_MODEL"))
	embed.Key = p.Getenv("SLIPSTREAM_EMBED_KEY")
	embed.QueryPrefix, embed.TextPrefix = p.Getenv("SLIPSTREAM_EMBED_QUERY_PREFIX"), p.Getenv("SLIPSTREAM_EMBED_TEXT_PREFIX")
	if dim := p.Getenv("SLIPSTREAM_EMBED_DIM"); dim != "" && embed.Dimensions == 0 {
		var err error
		if embed.Dimensions, err = strconv.Atoi(dim); err != nil {
			embed.Dimensions = -1 // refused, with the bounds
		}
	}
	if wait := p.Getenv("SLIPSTREAM_EMBED_TIMEOUT"); wait != "" {
		embed.Timeout = -1 // refused, when it is no duration
		if d, err := time.ParseDuration(wait); err == nil && d > 0 {
			embed.Timeout = d
		}
	}
	return Options{
		Embed:           embed,
		Root:            cmp.Or(p.root, p.Getenv("SLIPSTREAM_ROOT"), p.Getenv("CLAUDE_PROJECT_DIR")),
		MemoryRoot:      p.memoryRoot,
		Vault:           cmp.Or(p.vault, p.Getenv("SLIPSTREAM_VAULT"), dataDir(p.Getenv, "vault")),
		User:            cmp.Or(p.Getenv("USER"), p.Getenv("USERNAME")),
		Dir:             p.Dir,
		Home:            cmp.Or(p.Getenv("HOME"), p.Getenv("USERPROFILE")),
		CacheDir:        cacheDir(p.Getenv),
		Now:             p.Now,
		Getenv:          p.Getenv,
		Log:             log,
		MaxResultTokens: maxResultTokens,
	}
}

// dataDir is a folder of slipstream's in the user's data folder; "" when there is none. It is never in the cache folder, which
// anybody may empty.
func dataDir(getenv func(string) string, name string) string {
	dir := userDir(getenv, "AppData", filepath.Join("Library", "Application Support"), "XDG_DATA_HOME", filepath.Join(".local", "share"))
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, name)
}

// cacheDir is slipstream's folder in the user's cache folder, where os.UserCacheDir puts it; "" when there is none.
func cacheDir(getenv func(string) string) string {
	return userDir(getenv, "LocalAppData", filepath.Join("Library", "Caches"), "XDG_CACHE_HOME", ".cache")
}

// userDir is slipstream's folder in one of the user's own: on Windows and elsewhere what a variable says, else, as on macOS
// always, below the home folder.
func userDir(getenv func(string) string, windows, darwin, variable, elsewhere string) string {
	dir := ""
	home := getenv("HOME")
	switch runtime.GOOS {
	case "windows":
		dir = getenv(windows)
	case "darwin":
		if home != "" {
			dir = filepath.Join(home, darwin)
		}
	default:
		dir = getenv(variable)
		if dir == "" && home != "" {
			dir = filepath.Join(home, elsewhere)
		}
	}
	if !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Join(dir, "slipstream")
}
