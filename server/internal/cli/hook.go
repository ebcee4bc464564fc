package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/slipstream-mcp/slipstream/budget"
	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
	"github.com/slipstream-mcp/slipstream/server/internal/capture"
	"github.com/slipstream-mcp/slipstream/server/internal/checkout"
	"github.com/slipstream-mcp/slipstream/server/internal/hook"
	"github.com/slipstream-mcp/slipstream/server/internal/memory"
	"github.com/slipstream-mcp/slipstream/server/internal/settings"
)

const (
	// hookPatience is how long a hook waits for other processes: a host waits for the hook, and ends that of a session's end
	// after 1.5 s.
	hookPatience = time.Second
	// stdinPatience is how long it waits for the event.
	stdinPatience = 10 * time.Second
	// gitPatience is how long it waits for git to tell what has been changed.
	gitPatience = 200 * time.Millisecond
	// manyFacts is from how many facts on they are not looked at one by one.
	manyFacts = 500
	// nearest is how many observations that speak of the work at hand are told.
	nearest = 3
	// closestFacts is how many of many facts are looked at.
	closestFacts = 50
)

func hookVerb(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "hook EVENT",
		Short: "Take an event from Claude Code on stdin, as its hooks start it",
		Long: "Reads the JSON of a hook on stdin and keeps what happened. At a session's start it prints what the project\n" +
			"remembers of the work at hand, within the contextTokens of the settings; else it prints nothing. A hook never holds\n" +
			"up the host: whatever goes wrong is one line on stderr, and the exit code is always 0.\n\n" +
			"The events: " + strings.Join(hook.Names(), ", ") + ".",
		Example:            `  echo '{"session_id": "s1", "prompt": "fix the login"}' | slipstream hook UserPromptSubmit`,
		Args:               cobra.ArbitraryArgs,
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(cmd *cobra.Command, args []string) error {
			name := ""
			if len(args) > 0 {
				name = args[0]
			}
			if err := p.hookEvent(cmd.Context(), name); err != nil {
				fmt.Fprintf(p.Stderr, "slipstream hook: %s\n", oneLine(err.Error()))
			}
			return nil
		},
	}
}

// readAll reads what a host says, no longer than it may take and no more than a payload may be.
func readAll(r io.Reader, patience time.Duration) ([]byte, error) {
	type read struct {
		text []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		text, err := io.ReadAll(io.LimitReader(r, hook.MaxPayload+1))
		done <- read{text, err}
	}()
	select {
	case r := <-done:
		return r.text, r.err
	case <-time.After(patience):
		return nil, fmt.Errorf("the host did not close stdin within %v", patience)
	}
}

// hookEvent takes one event. What can still be done after an error is done.
func (p *program) hookEvent(ctx context.Context, name string) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%v", v)
		}
	}()
	stdin, err := readAll(p.Stdin, stdinPatience)
	if err != nil {
		return err
	}
	payload, err := hook.Decode(stdin, name)
	if err != nil {
		return err
	}
	p.root = cmp.Or(p.root, p.Getenv("SLIPSTREAM_ROOT"), p.Getenv("CLAUDE_PROJECT_DIR"), payload.Dir)
	o := p.options(nil, 0)
	deps, err := Open(o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, deps.Memories.Close()) }()
	at, err := deps.Memories.Locate("")
	if err != nil {
		return err
	}
	j, err := deps.Memories.JournalAt(at)
	if err != nil {
		return err
	}
	s, _ := settings.Load(at, p.Getenv)
	now := p.now()
	session := j.SafeSession(hook.Session(payload.SessionID, p.Getenv))
	result := hook.Handle(payload.Masked(j.Redact), session, now)
	told := result.Context && s.ContextTokens > 0
	work := make(chan checkout.Work, 1)
	if told { // git takes as long as all the rest
		go func() { work <- checkout.Of(ctx, cmp.Or(p.root, p.Dir), gitPatience) }()
	}
	err = p.captureHook(ctx, j, s, session, result, o.Home)
	if told {
		text := p.sessionContext(ctx, deps.Memories, j, s.ContextTokens, session, result, work)
		_, printed := p.Stdout.Write(hook.Render(text))
		err = errors.Join(err, printed)
	}
	return err
}

func (p *program) now() time.Time {
	if p.Now == nil {
		return time.Now()
	}
	return p.Now()
}

// captureHook keeps what an event came to.
func (p *program) captureHook(ctx context.Context, j *memory.Journal, s settings.Settings, session string, r hook.Result, home string) error {
	if !s.Captures() {
		return nil
	}
	if err := j.CheckRules(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, hookPatience)
	defer cancel()
	var events []activity.Event
	for _, e := range r.Events {
		if e, ok := capture.Keep(s, j.At.Root, e); ok {
			events = append(events, e)
		}
	}
	if err := j.Record(ctx, events...); err != nil {
		return err
	}
	if r.Context {
		return capture.Stale(ctx, j, home, p.now())
	}
	if !r.Fold && !r.Final {
		return nil
	}
	_, err := j.Capture(ctx, session, activity.FoldOptions{Root: j.At.Root, Home: home, Final: r.Final})
	return err
}

// sessionContext is the text a session begins with; what cannot be read is left out of it.
func (p *program) sessionContext(ctx context.Context, memories *memory.Memories, j *memory.Journal, tokens int, session string, r hook.Result, work <-chan checkout.Work) string {
	ctx, cancel := context.WithTimeout(ctx, 5*hookPatience)
	defer cancel()
	in := hook.Signal{}
	if r.Compacted {
		if events, err := j.Events(ctx, session, 0); err == nil && len(events) > 0 {
			digest := hook.DigestOf(events)
			in.Digest = &digest
			in.Prompt = digest.Request
		}
	}
	in.Last, _ = j.Latest(ctx, 20, session)
	at := <-work
	in.Branch, in.Changed = at.Branch, at.Changed
	if words := in.Words(); words != "" {
		hits, _ := j.Search(ctx, hybrid.Query{Text: words, Limit: nearest})
		for _, h := range hits {
			if h.Session != session && h.Score > 0.5 {
				in.Near = append(in.Near, h.Observation)
			}
		}
	}
	if m, err := memories.Open(""); err == nil {
		in.Facts = factsFor(ctx, m, in)
	}
	return hook.Context(in, hook.ContextOptions{Tokens: budget.Tokens, Budget: tokens, Root: j.At.Root})
}

// factsFor returns the facts a session's context may tell: all, or of very many those the work at hand finds.
func factsFor(ctx context.Context, m *memory.Memory, in hook.Signal) []hook.Fact {
	var facts []memstore.Fact
	entries, err := os.ReadDir(filepath.Join(m.Dir, "memory"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case len(entries) <= manyFacts:
		facts, _ = m.List(ctx)
	default:
		facts, _ = m.Recall(ctx, strings.Join(append([]string{in.Branch, in.Prompt}, in.Changed...), " "), closestFacts)
	}
	told := make([]hook.Fact, len(facts))
	for i, f := range facts {
		told[i] = hook.Fact{Name: f.Name, Type: string(f.Type), Description: f.Description, Body: f.Body, Tags: f.Tags, Updated: f.Updated}
	}
	return told
}
