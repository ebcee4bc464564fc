package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/budget"
	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/memstore/redact"
	"github.com/slipstream-mcp/slipstream/server/internal/hook"
)

// observe is what every call passes through: its answer is held to the size clients accept, the ledger counts it, and one
// line of log tells how it went, without arguments or content.
func observe(d Deps, tool string) func(next mcpproto.CallFunc) mcpproto.CallFunc {
	most := maxAnswer
	if tool == "fetch" {
		most = fetchWidth
	}
	return func(next mcpproto.CallFunc) mcpproto.CallFunc {
		return func(ctx context.Context, c *mcpproto.Call) (mcpproto.Result, error) {
			start := time.Now()
			var r reading
			result, err := next(context.WithValue(ctx, readingKey{}, &r), c)
			if err != nil {
				err = shortError{err}
			}
			for i := range result.Content {
				result.Content[i].Text = clip(result.Content[i].Text, most)
			}
			if err == nil {
				d.count(c, r, budget.Tokens(result.Text()))
			}
			if d.Capture != nil {
				d.capture(c, result, err)
			}
			d.Log.Info("tool call", "tool", tool, "ms", time.Since(start).Milliseconds(), "refused", err != nil || result.IsError)
			return result, err
		}
	}
}

// count enters an answer into the ledger.
func (d Deps) count(c *mcpproto.Call, r reading, tokens int) {
	if !r.scoped {
		d.Ledger.Answer(tokens)
		return
	}
	var arguments struct{ Root string }
	_ = json.Unmarshal(c.Arguments, &arguments) // the tool has read them already
	at, err := d.Memories.Locate(arguments.Root)
	if err != nil {
		d.Ledger.Answer(tokens)
		return
	}
	r.saving.Answer = tokens
	d.Ledger.Add(at, r.file, r.saving)
}

// capture notes a call as something that happened in the client's session.
func (d Deps) capture(c *mcpproto.Call, result mcpproto.Result, err error) {
	var arguments struct{ Root string }
	_ = json.Unmarshal(c.Arguments, &arguments)
	at, located := d.Memories.Locate(arguments.Root)
	if located != nil {
		return
	}
	if err != nil || result.IsError {
		return // what was asked wrongly is no work
	}
	j, err := d.Memories.JournalAt(at)
	if err != nil {
		return
	}
	e := hook.Tool(activity.ToolUsed, c.Tool, hook.Mask(c.Arguments, j.Redact))
	e.Session = j.SafeSession(d.sessionOf(c))
	e.Data.Bytes = int64(len(result.Text()))
	if dir, err := d.Projects.Dir(arguments.Root); err == nil {
		for i, f := range e.Data.Files {
			if !filepath.IsAbs(f) {
				e.Data.Files[i] = filepath.Join(dir, filepath.FromSlash(f))
				e.Label = strings.Replace(e.Label, f, e.Data.Files[i], 1)
			}
		}
	}
	d.Capture.Add(at, e)
}

// sessionOf names the session of a call: what the host set in the environment, what the client says with the call, else the
// client and when this process began to serve it.
func (d Deps) sessionOf(c *mcpproto.Call) string {
	if d.Session != "" {
		return hook.SessionName(d.Session)
	}
	var meta struct{ ThreadID, SessionID string }
	_ = json.Unmarshal(c.Meta, &meta)
	if id := cmp.Or(meta.ThreadID, meta.SessionID); id != "" {
		return hook.SessionName(id)
	}
	client := memstore.Slug(c.Client.Name)
	return hook.SessionName(cmp.Or(client, "client") + "-" + strconv.FormatInt(d.Started.UnixMilli(), 36))
}

// reading is what a scoped read tells of itself, for the ledger.
type reading struct {
	scoped bool
	file   string
	saving budget.Saving
}

type readingKey struct{}

// readsProject says that the call reads of the project: of file, sliceBytes of its fileBytes, which are fileTokens; or of
// no file alone, as a map does.
func readsProject(ctx context.Context, file string, sliceBytes, fileBytes, fileTokens int) {
	if r, ok := ctx.Value(readingKey{}).(*reading); ok {
		*r = reading{scoped: true, file: file, saving: budget.Saving{SliceBytes: sliceBytes, FileBytes: fileBytes, FileTokens: fileTokens}}
	}
}

// maxRefusal bounds the text of an error, in UTF-16 units.
const maxRefusal = 2000

// shortError is an error as a client is told it: without secrets, and short, whatever argument it repeats.
type shortError struct{ error }

func (e shortError) Error() string { return clip(redact.Text(e.error.Error()), maxRefusal) }

func (e shortError) Unwrap() error { return e.error }
