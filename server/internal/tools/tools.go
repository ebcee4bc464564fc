// Package tools holds the tools, one file each, named as on the wire: its description, its arguments, its handler and
// what it prints. A handler decodes, asks one leaf module, and renders; what every call shares stands in observe.go.
package tools

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/server/internal/capture"
	"github.com/slipstream-mcp/slipstream/server/internal/ledger"
	"github.com/slipstream-mcp/slipstream/server/internal/memory"
	"github.com/slipstream-mcp/slipstream/server/internal/project"
	"github.com/slipstream-mcp/slipstream/server/internal/settings"
)

// Deps is what the tools are made of.
type Deps struct {
	Projects        *project.Projects
	Memories        *memory.Memories
	Ledger          *ledger.Ledger
	Capture         *capture.Recorder // notes the calls; nil notes none
	Session         string            // the session the calls are of; "" is named by the client
	Now             func() time.Time  // nil is time.Now
	Started         time.Time         // when the serving began; it tells sessions of a client apart
	Log             *slog.Logger
	Getenv          func(string) string
	MaxResultTokens int // the most tokens of an answer that is not source text; 0 is the project's setting
}

// patience is how long a client that has left is made to wait for the last of its session to be captured.
const patience = 2 * time.Second

// Close writes what waits to be written and closes what is open.
func (d Deps) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	d.Capture.Close(ctx)
	return errors.Join(d.Ledger.Flush(context.Background()), d.Memories.Close())
}

// maxResultTokens is the most tokens of an answer about root that is not source text.
func (d Deps) maxResultTokens(root string) int {
	if d.MaxResultTokens > 0 {
		return d.MaxResultTokens
	}
	at, err := d.Memories.Locate(root)
	if err != nil {
		return settings.Defaults().MaxResultTokens
	}
	s, _ := settings.Load(at, d.Getenv) // what is wrong in them, doctor tells
	return s.MaxResultTokens
}

func (d Deps) now() time.Time {
	if d.Now == nil {
		return time.Now()
	}
	return d.Now()
}

// All lists every tool in the order tools/list reports it.
func All(d Deps) []mcpproto.Tool {
	return []mcpproto.Tool{
		spMap(d),
		spSymbol(d),
		spLines(d),
		spSearch(d),
		spRemember(d),
		spRecall(d),
		spForget(d),
		spSearchMemory(d),
		spTimeline(d),
		spObservations(d),
		spLessons(d),
		spSavings(d),
		spBudget(d),
		spMindmap(d),
		captureThought(d),
		searchThoughts(d),
		listThoughts(d),
		thoughtStats(d),
		fetch(d),
	}
}

// Instructions tell a model when to reach for these tools. Some clients show it nothing else but their names.
const Instructions = `Read this project in small exact pieces instead of whole files.
Start with sp_map (what is where), then sp_search (which file, which symbol, which line), then sp_symbol (one declaration with its doc comment) or sp_lines (a line range).
Read a whole file only to edit most of it.
Before a decision, sp_recall what the project already settled; keep what should outlast the session with sp_remember; sp_forget what no longer holds.
What was done in earlier sessions: sp_search_memory finds it in one line a hit, sp_timeline shows what came before and after, sp_observations the full records; sp_lessons tells what keeps coming back.
What is worth keeping beyond this project: capture_thought, search_thoughts, list_thoughts, fetch.
sp_budget tells how full the context is; sp_mindmap draws the project for a person.`

// Handler returns a handler that serves every tool to one connection.
func Handler(d Deps, version string) *mcpproto.Handler {
	all := All(d)
	for i := range all {
		all[i] = mcpproto.Wrap(all[i], observe(d, all[i].Name))
	}
	return mcpproto.New(mcpproto.Info{Name: "slipstream", Title: "slipstream", Version: version}, all, mcpproto.Options{
		Instructions: Instructions,
		OnPanic: func(tool string, value any, stack []byte) {
			d.Log.Error("tool panicked", "tool", tool, "err", value, "stack", string(stack))
		},
	})
}
