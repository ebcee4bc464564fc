package capture

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/server/internal/hook"
	"github.com/slipstream-mcp/slipstream/server/internal/memory"
	"github.com/slipstream-mcp/slipstream/server/internal/settings"
	"github.com/slipstream-mcp/slipstream/server/internal/transcript"
)

// maxTranscriptLine is the length of the longest line of a transcript that is read, in bytes: answers of tools stand in it
// whole. A longer one is counted as broken.
const maxTranscriptLine = 256 << 20

// Transcripts brings sessions that Claude Code wrote down into a journal. A session that was captured while it went on is
// left as it is; of one that was imported before, what has been added since is taken.
type Transcripts struct {
	Journal  *memory.Journal
	Settings settings.Settings
	Home     string
	Now      time.Time
	// Belongs reports whether a session that began in a folder is one of the project; nil takes all.
	Belongs func(dir string) bool
	// Read is told how many bytes were read; nil is nobody.
	Read func(n int)

	reader transcript.Reader
	counts TranscriptCounts
}

// TranscriptCounts is what an import came to.
type TranscriptCounts struct {
	Sessions, Observations int // with something new; made of it
	Known                  int // sessions with nothing new
	Live                   int // sessions that were captured while they went on
	Elsewhere              int // sessions of other projects
	Broken                 int // lines that could not be read
}

// Transcript is a session's file with those of its subagents.
type Transcript struct {
	Main   string
	Agents []string
	Size   int64 // of all, in bytes
}

// FindTranscripts lists the transcripts at a path, a file or a folder with all below it: the oldest first.
func FindTranscripts(path string) ([]Transcript, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return withAgents([]string{path})
	}
	var files []string
	err = filepath.WalkDir(path, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			if name == path {
				return err
			}
			return nil // what is not ours to read hides nothing else
		}
		if e.IsDir() && name != path && (e.Name() == "subagents" || e.Name() == "tool-results") {
			return fs.SkipDir
		}
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".jsonl") {
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return withAgents(files)
}

func withAgents(files []string) ([]Transcript, error) {
	type dated struct {
		Transcript
		modified time.Time
	}
	var all []dated
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		t := dated{Transcript{Main: file, Size: info.Size()}, info.ModTime()}
		// The pattern is the folder's own name: what is special in it is not meant.
		agents, _ := os.ReadDir(filepath.Join(strings.TrimSuffix(file, ".jsonl"), "subagents"))
		for _, e := range agents {
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() && strings.HasSuffix(e.Name(), ".jsonl") {
				t.Agents = append(t.Agents, filepath.Join(strings.TrimSuffix(file, ".jsonl"), "subagents", e.Name()))
				t.Size += info.Size()
			}
		}
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b dated) int {
		return cmp.Or(a.modified.Compare(b.modified), strings.Compare(a.Main, b.Main))
	})
	found := make([]Transcript, len(all))
	for i, t := range all {
		found[i] = t.Transcript
	}
	return found, nil
}

// Import brings one transcript in.
func (t *Transcripts) Import(ctx context.Context, tr Transcript) error {
	var events []activity.Event
	for i, file := range append([]string{tr.Main}, tr.Agents...) {
		t.reader.Session = hook.SessionName(strings.TrimSuffix(filepath.Base(tr.Main), ".jsonl"))
		if i == 0 {
			t.reader.Dir = ""
		}
		t.reader.Redact = t.Journal.Redact
		found, err := t.read(ctx, file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if len(found) > 0 && t.Belongs != nil && !t.Belongs(t.reader.Dir) {
			t.counts.Elsewhere++
			return nil
		}
		// In the order of the file, whatever its clock says: what was taken before is where it begins.
		for i := 1; i < len(found); i++ {
			if found[i].Time.Before(found[i-1].Time) {
				found[i].Time = found[i-1].Time
			}
		}
		events = append(events, found...)
	}
	slices.SortStableFunc(events, func(a, b activity.Event) int { return a.Time.Compare(b.Time) })
	bySession := map[string][]activity.Event{}
	var order []string
	for _, e := range events {
		e.Session = t.Journal.SafeSession(e.Session)
		if bySession[e.Session] == nil {
			order = append(order, e.Session)
		}
		bySession[e.Session] = append(bySession[e.Session], e)
	}
	for _, session := range order {
		if err := t.session(ctx, session, bySession[session]); err != nil {
			return err
		}
	}
	return nil
}

// Counts returns what all imports came to.
func (t *Transcripts) Counts() TranscriptCounts {
	c := t.counts
	c.Broken += t.reader.Broken
	return c
}

// read returns the events of a file. That a turn is over is only said of a session that nobody is in any more.
func (t *Transcripts) read(ctx context.Context, file string) ([]activity.Event, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var events []activity.Event
	lines := bufio.NewReaderSize(f, 1<<20)
	var long []byte
	for {
		line, err := lines.ReadSlice('\n')
		if t.Read != nil {
			t.Read(len(line))
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			if len(long) <= maxTranscriptLine {
				long = append(long, line...)
			}
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if len(long) > 0 {
			line = append(long, line...)
			long = nil
		}
		if len(line) > maxTranscriptLine {
			t.counts.Broken++
		} else if len(bytes.TrimSpace(line)) > 0 {
			events = append(events, t.reader.Line(line)...)
		}
		if err != nil {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	for _, end := range t.reader.End() {
		if t.Now.Sub(end.Time) >= abandoned {
			events = append(events, end)
		}
	}
	return events, nil
}

// session records what is new of one and was not removed by somebody.
func (t *Transcripts) session(ctx context.Context, session string, events []activity.Event) error {
	kept := events[:0:0]
	for _, e := range events {
		if e, ok := Keep(t.Settings, t.Journal.At.Root, e); ok {
			kept = append(kept, e)
		}
	}
	events = kept
	recorded, err := t.Journal.Events(ctx, session, 0)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(recorded, func(e activity.Event) bool { return e.Data.Source != transcript.Source }) {
		t.counts.Live++
		return nil
	}
	// A transcript only grows, so that what was taken before is where it begins.
	last, taken := time.Time{}, 0
	for _, e := range recorded {
		if e.Time.After(last) {
			last, taken = e.Time, 0
		}
		if e.Time.Equal(last) {
			taken++
		}
	}
	if len(recorded) == 0 {
		if o, ok, err := t.Journal.Last(ctx, session); err != nil {
			return err
		} else if ok {
			last, taken = o.Time, len(events)
		}
	}
	removed, err := t.Journal.RemovedUntil(session)
	if err != nil {
		return err
	}
	var fresh []activity.Event
	for _, e := range events {
		if e.Time.Equal(last) && taken > 0 {
			taken--
			continue
		}
		if e.Time.Before(last) || !e.Time.After(removed) {
			continue
		}
		fresh = append(fresh, e)
	}
	if err := t.Journal.Record(ctx, fresh...); err != nil {
		return err
	}
	// Also without anything new: an import may have been killed before it came to this.
	n, err := t.Journal.Capture(ctx, session, activity.FoldOptions{Root: t.Journal.At.Root, Home: t.Home})
	if len(fresh) == 0 && n == 0 {
		t.counts.Known++
	} else {
		t.counts.Sessions++
		t.counts.Observations += n
	}
	return err
}
