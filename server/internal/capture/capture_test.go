package capture_test

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
	"github.com/slipstream-mcp/slipstream/server/internal/capture"
	"github.com/slipstream-mcp/slipstream/server/internal/memory"
	"github.com/slipstream-mcp/slipstream/server/internal/project"
	"github.com/slipstream-mcp/slipstream/server/internal/settings"
	"github.com/slipstream-mcp/slipstream/server/internal/state"
)

// newRecorder returns a recorder of a project of its own, and what it logs.
func newRecorder(t *testing.T) (*capture.Recorder, state.Location, *bytes.Buffer) {
	t.Helper()
	dir := t.TempDir()
	memories := memory.New(memory.Options{Projects: project.NewProjects(dir, dir, ""), Wait: 20 * time.Millisecond})
	t.Cleanup(func() { memories.Close() })
	var log bytes.Buffer
	return &capture.Recorder{Memories: memories, Log: slog.New(slog.NewTextHandler(&log, nil))}, state.Location{Root: dir}, &log
}

func used(session, label string, files ...string) activity.Event {
	e := activity.Event{Session: session, Kind: activity.ToolUsed, Label: label}
	e.Data.Files = files
	return e
}

func labels(t *testing.T, r *capture.Recorder, at state.Location, session string) []string {
	t.Helper()
	j, err := r.Memories.JournalAt(at)
	if err != nil {
		t.Fatal(err)
	}
	events, err := j.Events(t.Context(), session, 0)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range events {
		all = append(all, e.Label)
	}
	return all
}

func TestRecorder(t *testing.T) {
	r, at, log := newRecorder(t)
	r.Add(at, used("s", "sp_map"))
	r.Add(at, used("other", "sp_map"))
	r.Add(at, used("s", "sp_symbol a.go f", filepath.Join(at.Root, "a.go")))
	r.Close(t.Context())
	r.Add(at, used("s", "too late"))
	r.Flush(t.Context())
	if got, want := labels(t, r, at, "s"), []string{"mcp session: s", "sp_map", "sp_symbol a.go f", "client left"}; !slices.Equal(got, want) {
		t.Errorf("recorded %q, want %q", got, want)
	}
	j, _ := r.Memories.JournalAt(at)
	o, ok, err := j.Last(t.Context(), "s")
	if err != nil || !ok || !slices.Equal(o.Files, []string{"a.go"}) {
		t.Errorf("captured %+v, %t, %v", o, ok, err)
	}
	if log.Len() > 0 {
		t.Errorf("log: %s", log)
	}
	(*capture.Recorder)(nil).Add(at, used("s", "x"))
	(*capture.Recorder)(nil).Flush(t.Context())
	(*capture.Recorder)(nil).Close(t.Context())
}

// What cannot be written waits, and is written in its order.
func TestRecorder_Locked(t *testing.T) {
	r, at, log := newRecorder(t)
	if err := os.MkdirAll(at.Dir(), 0o700); err != nil {
		t.Fatal(err)
	}
	held, err := lockedfile.Lock(t.Context(), filepath.Join(at.Dir(), lockedfile.LockName))
	if err != nil {
		t.Fatal(err)
	}
	r.Add(at, used("s", "sp_map"))
	r.Flush(t.Context())
	if got := labels(t, r, at, "s"); got != nil || !strings.Contains(log.String(), "not recorded yet") {
		t.Errorf("recorded %q under another's lock; log: %s", got, log)
	}
	if err := held.Unlock(); err != nil {
		t.Fatal(err)
	}
	r.Add(at, used("s", "sp_search x"))
	r.Flush(t.Context())
	if got, want := labels(t, r, at, "s"), []string{"mcp session: s", "sp_map", "sp_search x"}; !slices.Equal(got, want) {
		t.Errorf("recorded %q, want %q", got, want)
	}
}

func TestRecorder_LeftToHooks(t *testing.T) {
	r, at, _ := newRecorder(t)
	r.Hooked = true
	j, err := r.Memories.JournalAt(at)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Record(t.Context(), activity.Event{Session: "s", Kind: activity.PromptSubmitted, Label: "from a hook"}); err != nil {
		t.Fatal(err)
	}
	r.Add(at, used("s", "sp_map"))
	r.Add(at, used("bare", "sp_map"))
	r.Close(t.Context())
	if got := labels(t, r, at, "s"); len(got) != 1 {
		t.Errorf("beside the hooks was recorded: %q", got)
	}
	if got := labels(t, r, at, "bare"); len(got) != 3 {
		t.Errorf("where no hook writes was recorded: %q", got)
	}
}

func TestStale(t *testing.T) {
	r, at, _ := newRecorder(t)
	j, err := r.Memories.JournalAt(at)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	e := activity.Event{Session: "killed", Kind: activity.PromptSubmitted, Label: "Fix it", Time: now}
	if err := j.Record(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		now  time.Time
		want bool
	}{{now.Add(time.Minute), false}, {now.Add(time.Hour), true}, {now.Add(2 * time.Hour), true}} {
		if err := capture.Stale(t.Context(), j, "", c.now); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := j.Last(t.Context(), "killed"); ok != c.want || err != nil {
			t.Errorf("after %v: captured %t, %v", c.now.Sub(now), ok, err)
		}
	}
	all := 0
	for _, err := range j.All(t.Context()) {
		if all++; err != nil {
			t.Error(err)
		}
	}
	if all != 1 {
		t.Errorf("captured %d times", all)
	}
}

func TestKeep(t *testing.T) {
	root := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		t.Fatal(err)
	}
	s := settings.Settings{CaptureIgnore: []string{"*.pem"}}
	abs := func(name string) string { return filepath.Join(root, name) }
	for _, c := range []struct {
		label string
		files []string
		want  string // label and files; "" when nothing is kept
	}{
		{"Bash ls", nil, "Bash ls"},
		{"Read " + abs("src/a.go"), []string{abs("src/a.go")}, "Read src/a.go [src/a.go]"},
		{"Read " + filepath.Join(link, "a.go"), []string{filepath.Join(link, "a.go")}, "Read a.go [a.go]"},
		{"Read /etc/hosts", []string{"/etc/hosts"}, "Read /etc/hosts [/etc/hosts]"},
		{"Read key.pem", []string{"key.pem"}, ""},
		{"Bash cat ./deep/key.pem|head", nil, ""},
		{"Bash openssl x509 -in=" + abs("key.pem"), nil, ""},
		{"Bash ls key.pem.txt", nil, "Bash ls key.pem.txt"},
		{"apply_patch a.go key.pem", []string{"a.go", "key.pem"}, "apply_patch a.go [a.go]"},
	} {
		e := used("s", c.label, c.files...)
		e.Data.Error = "about key.pem"
		got, ok := capture.Keep(s, root, e)
		shown := got.Label
		if len(got.Data.Files) > 0 {
			shown += " [" + strings.Join(got.Data.Files, " ") + "]"
		}
		if ok != (c.want != "") || shown != c.want {
			t.Errorf("%s %q: %t, %q, want %q", c.label, c.files, ok, shown, c.want)
		}
		if len(c.files) > 1 && got.Data.Error != "" {
			t.Errorf("%s: the error %q may name what is ignored", c.label, got.Data.Error)
		}
	}
}
