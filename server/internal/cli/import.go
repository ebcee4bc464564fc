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
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/server/internal/capture"
	"github.com/slipstream-mcp/slipstream/server/internal/hook"
	"github.com/slipstream-mcp/slipstream/server/internal/memory"
	"github.com/slipstream-mcp/slipstream/server/internal/settings"
	"github.com/slipstream-mcp/slipstream/server/internal/state"
	"github.com/slipstream-mcp/slipstream/server/internal/transfer"
)

func importVerb(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Bring in past sessions, another machine's memory, thoughts kept elsewhere",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(importTranscripts(p), importMemory(p), importOpenBrain(p, "open-brain FILE"), importEngram(p))
	return cmd
}

func importTranscripts(p *program) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "transcripts [PATH]",
		Short: "Make observations of the sessions Claude Code has written down",
		Long: "Reads Claude Code's transcripts, a file or a folder of them: without PATH, those of this project. A session that was\n" +
			"captured while it went on is left as it is, and a repeated import takes what is new alone.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.importTranscripts(cmd.Context(), args, all)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "take sessions of other projects too")
	return cmd
}

func (p *program) importTranscripts(ctx context.Context, args []string, all bool) error {
	return p.withJournal(ctx, func(ctx context.Context, memories *memory.Memories, j *memory.Journal) error {
		o := p.options(nil, 0)
		s, _ := settings.Load(j.At, p.Getenv)
		if !s.Captures() {
			return fmt.Errorf("capture is off in this project: %s", s.Off)
		}
		if err := j.CheckRules(); err != nil {
			return err
		}
		paths := args
		if len(paths) == 0 {
			var err error
			if paths, err = p.transcriptFolders(j.At.Root); err != nil {
				return err
			}
		}
		var found []capture.Transcript
		var size int64
		for _, path := range paths {
			if !filepath.IsAbs(path) {
				path = filepath.Join(p.Dir, path)
			}
			here, err := capture.FindTranscripts(path)
			if err != nil {
				return fmt.Errorf("transcripts %s: %w", path, inner(err))
			}
			for _, t := range here {
				size += t.Size
			}
			found = append(found, here...)
		}
		bar := p.progress(size)
		defer bar.done()
		t := &capture.Transcripts{Journal: j, Settings: s, Home: o.Home, Now: p.now(), Read: bar.add}
		if !all {
			t.Belongs = func(dir string) bool { return belongs(memories, j.At, dir) }
		}
		for _, tr := range found {
			if err := t.Import(ctx, tr); err != nil {
				return err
			}
		}
		bar.done()
		c := t.Counts()
		_, err := fmt.Fprintf(p.Stdout, "%s made %s; %d known already, %d captured live, %d of other projects, %s unreadable\n",
			counted(c.Sessions, "session"), counted(c.Observations, "observation"), c.Known, c.Live, c.Elsewhere, counted(c.Broken, "line"))
		return err
	})
}

// inner is an error of the system without the call that failed.
func inner(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// counted is 1 session, 2 sessions.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// belongs reports whether a session that began in dir is one of the project kept at: a folder that is gone counts by its
// name.
func belongs(memories *memory.Memories, at state.Location, dir string) bool {
	if !filepath.IsAbs(dir) {
		return false
	}
	if other, err := memories.Locate(dir); err == nil {
		return other.Root == at.Root
	}
	rel, err := filepath.Rel(at.Root, dir)
	return err == nil && filepath.IsLocal(rel)
}

// transcriptFolders returns where Claude Code keeps the transcripts of a project and of the folders in it.
func (p *program) transcriptFolders(root string) ([]string, error) {
	home := cmp.Or(p.Getenv("HOME"), p.Getenv("USERPROFILE"))
	config := cmp.Or(p.Getenv("CLAUDE_CONFIG_DIR"), filepath.Join(home, ".claude"))
	projects := filepath.Join(config, "projects")
	entries, err := os.ReadDir(projects)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var folders []string
	for _, name := range []string{root, resolvedPath(root)} {
		own := regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(name, "-")
		if len(own) > maxProjectName {
			own = own[:maxProjectName] // a hash follows
		}
		for _, e := range entries {
			if path := filepath.Join(projects, e.Name()); e.IsDir() && strings.HasPrefix(e.Name(), own) && !slices.Contains(folders, path) {
				folders = append(folders, path)
			}
		}
	}
	if len(folders) == 0 {
		return nil, fmt.Errorf("no transcripts of this project in %s; slipstream import transcripts PATH reads others", projects)
	}
	return folders, nil
}

// maxProjectName is the length from which Claude Code cuts the name of a project's folder, in bytes.
const maxProjectName = 200

func importMemory(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "memory FILE",
		Short: "Add facts and observations that slipstream export memory wrote; - reads stdin",
		Long: "Adds the facts and observations of another machine. What is here already stays, so that a repeated import adds\n" +
			"nothing; of two versions of a fact the newer stands. Observations get numbers of this project.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.importMemory(cmd.Context(), args[0])
		},
	}
}

// batch is how many observations are merged at once.
const batch = 5000

func (p *program) importMemory(ctx context.Context, path string) error {
	return p.withJournal(ctx, func(ctx context.Context, memories *memory.Memories, j *memory.Journal) error {
		if err := j.CheckRules(); err != nil {
			return err
		}
		m, err := memories.Open("")
		if err != nil {
			return err
		}
		in, size, err := p.input(path)
		if err != nil {
			return err
		}
		defer in.Close()
		bar := p.progress(size)
		defer bar.done()
		var facts [3]int // by memstore.Merged
		var waiting []activity.Observation
		observations, added, bad := 0, 0, 0
		flush := func() error {
			_, n, err := j.Merge(ctx, waiting)
			observations += len(waiting)
			added += n
			waiting = waiting[:0]
			return err
		}
		for item, err := range transfer.Read(bar.reader(in)) {
			var refused error
			switch {
			case err != nil:
				refused = err
			case item.Fact != nil:
				merged, err := m.Merge(ctx, *item.Fact)
				if refused = err; err == nil {
					facts[merged]++
				}
			case item.Observation != nil:
				item.Observation.Session = hook.SessionName(item.Observation.Session)
				if waiting = append(waiting, *item.Observation); len(waiting) == batch {
					if err := flush(); err != nil {
						return err
					}
				}
			}
			if refused != nil {
				if err := ctx.Err(); err != nil {
					return err
				}
				bad++
				fmt.Fprintf(p.Stderr, "left out: %v\n", refused)
			}
		}
		if err := flush(); err != nil {
			return err
		}
		bar.done()
		if _, err := fmt.Fprintf(p.Stdout, "%s: %d added, %d replaced by newer ones, %d kept; %s: %d added, %d known\n",
			counted(facts[0]+facts[1]+facts[2], "fact"), facts[memstore.MergedAdded], facts[memstore.MergedReplaced], facts[memstore.MergedKept],
			counted(observations, "observation"), added, observations-added); err != nil {
			return err
		}
		if bad > 0 {
			return fmt.Errorf("%s left out", counted(bad, "line"))
		}
		return nil
	})
}

// input opens a file the user named, - for stdin, and tells its size, -1 when that is not known.
func (p *program) input(path string) (io.ReadCloser, int64, error) {
	if path == "-" {
		return io.NopCloser(p.Stdin), -1, nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.Dir, path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a folder; a file is wanted", path)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}
