package cli

import (
	"cmp"
	"fmt"
	"log/slog"
	"os"

	"github.com/slipstream-mcp/slipstream/server/internal/project"
	"github.com/slipstream-mcp/slipstream/server/internal/tools"
)

// DefaultResultTokens is the most tokens of a map or a list of hits when nothing else is said.
const DefaultResultTokens = 4000

// Options says what the tools work on.
type Options struct {
	Root            string       // the default root, absolute or relative to Dir
	Dir             string       // the working directory; "" asks the system
	Home            string       // the home folder, which is no project; "" asks the system
	Log             *slog.Logger // nil logs nothing
	MaxResultTokens int          // 0 is DefaultResultTokens
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
	return tools.Deps{
		Projects:        project.NewProjects(o.Root, o.Dir, o.Home),
		Log:             o.Log,
		MaxResultTokens: cmp.Or(o.MaxResultTokens, DefaultResultTokens),
	}, nil
}

// open is Open with what the program was started with.
func (p *program) open(log *slog.Logger, maxResultTokens int) (tools.Deps, error) {
	return Open(Options{
		Root:            cmp.Or(p.root, p.Getenv("SLIPSTREAM_ROOT"), p.Getenv("CLAUDE_PROJECT_DIR")),
		Dir:             p.Dir,
		Home:            cmp.Or(p.Getenv("HOME"), p.Getenv("USERPROFILE")),
		Log:             log,
		MaxResultTokens: maxResultTokens,
	})
}
