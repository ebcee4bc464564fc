package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slipstream-mcp/slipstream/server/internal/capture"
	"github.com/slipstream-mcp/slipstream/server/internal/memory"
	"github.com/slipstream-mcp/slipstream/server/internal/settings"
	"github.com/slipstream-mcp/slipstream/server/internal/tools"
)

// withJournal runs f on the project's journal.
func (p *program) withJournal(ctx context.Context, f func(context.Context, *memory.Memories, *memory.Journal) error) error {
	return p.withMemories(ctx, func(ctx context.Context, memories *memory.Memories) error {
		j, err := memories.Journal("")
		if err != nil {
			return err
		}
		return f(ctx, memories, j)
	})
}

// callJournal calls a tool over the observations, once sessions that nobody ended are captured.
func (p *program) callJournal(ctx context.Context, tool string, arguments map[string]any) error {
	o := p.options(nil, 0)
	err := p.withJournal(ctx, func(ctx context.Context, _ *memory.Memories, j *memory.Journal) error {
		if s, _ := settings.Load(j.At, p.Getenv); !s.Captures() || j.CheckRules() != nil {
			return nil
		}
		return capture.Stale(ctx, j, o.Home, p.now())
	})
	if err != nil {
		fmt.Fprintf(p.Stderr, "sessions nobody ended are not captured: %v\n", err)
	}
	return p.callTool(ctx, tool, arguments, 0)
}

func memorySearch(p *program) *cobra.Command {
	var kind, session, since string
	var limit int
	cmd := &cobra.Command{
		Use:   "search QUERY...",
		Short: "Find past work, one line a hit (sp_search_memory)",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			arguments := map[string]any{"query": strings.Join(args, " "), "limit": limit}
			for name, value := range map[string]string{"kind": kind, "session": session, "since": since} {
				if value != "" {
					arguments[name] = value
				}
			}
			return p.callJournal(cmd.Context(), "sp_search_memory", arguments)
		},
	}
	cmd.Flags().StringVar(&kind, "kind", "", "edit, read, command, search, prompt or note")
	cmd.Flags().StringVar(&session, "session", "", "one session only")
	cmd.Flags().StringVar(&since, "since", "", "ISO date or time")
	cmd.Flags().IntVar(&limit, "limit", 10, "most hits, 1 to 100")
	return cmd
}

func memoryTimeline(p *program) *cobra.Command {
	var session string
	var window int
	cmd := &cobra.Command{
		Use:   "timeline ID|QUERY...",
		Short: "What came before and after, one line each (sp_timeline)",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			arguments := map[string]any{"around": strings.Join(args, " "), "window": window}
			if session != "" {
				arguments["session"] = session
			}
			return p.callJournal(cmd.Context(), "sp_timeline", arguments)
		},
	}
	cmd.Flags().StringVar(&session, "session", "", "one session only")
	cmd.Flags().IntVar(&window, "window", 3, "neighbours a side, 1 to 50")
	return cmd
}

func memoryObservations(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "observations ID...",
		Short: "Observations in full (sp_observations)",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ids := make([]int64, len(args))
			for i, arg := range args {
				var err error
				if ids[i], err = observationID(arg); err != nil {
					return err
				}
			}
			return p.callJournal(cmd.Context(), "sp_observations", map[string]any{"ids": ids})
		},
	}
}

func observationID(s string) (int64, error) {
	id, err := strconv.ParseInt(strings.TrimPrefix(s, "#"), 10, 64)
	if err != nil || id < 1 {
		return 0, fmt.Errorf("%q is not the number of an observation, such as 12", s)
	}
	return id, nil
}

func memoryLessons(p *program) *cobra.Command {
	var minCount, limit int
	cmd := &cobra.Command{
		Use:   "lessons",
		Short: "What keeps coming back (sp_lessons)",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.callJournal(cmd.Context(), "sp_lessons", map[string]any{"minCount": minCount, "limit": limit})
		},
	}
	cmd.Flags().IntVar(&minCount, "min-count", 3, "fewest observations, 2 to 1000")
	cmd.Flags().IntVar(&limit, "limit", 10, "most lessons, 1 to 100")
	return cmd
}

func memoryPrune(p *program) *cobra.Command {
	var before string
	cmd := &cobra.Command{
		Use:   "prune --before DATE",
		Short: "Remove what happened before a date: observations and events",
		Long:  "Removes the observations and events from before a date or time. Facts stay. Numbers are not given again.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if before == "" {
				return errors.New("memory prune needs --before DATE, such as 2026-06-04")
			}
			at, err := tools.ParseTime("--before", before)
			if err != nil {
				return err
			}
			return p.remove(cmd.Context(), func(ctx context.Context, j *memory.Journal) (string, error) {
				removed, err := j.Prune(ctx, at)
				return fmt.Sprintf("%s and %s removed", counted(removed.Observations, "observation"), counted(removed.Events, "event")), err
			})
		},
	}
	cmd.Flags().StringVar(&before, "before", "", "ISO date or time")
	return cmd
}

func memoryDelete(p *program) *cobra.Command {
	var session string
	cmd := &cobra.Command{
		Use:   "delete ID... | --session SESSION",
		Short: "Remove observations with their events, or all of a session",
		Long:  "Removes observations with the events they were made of, or all of a session. No import brings them back.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) > 0) == (session != "") {
				return errors.New("memory delete takes numbers of observations, or --session SESSION")
			}
			if session != "" {
				return p.remove(cmd.Context(), func(ctx context.Context, j *memory.Journal) (string, error) {
					removed, err := j.DeleteSession(ctx, session)
					if err == nil && removed.Observations+removed.Events == 0 {
						err = fmt.Errorf("no session %q; slipstream memory sessions lists them", session)
					}
					return fmt.Sprintf("%s and %s removed", counted(removed.Observations, "observation"), counted(removed.Events, "event")), err
				})
			}
			ids := make([]int64, len(args))
			for i, arg := range args {
				var err error
				if ids[i], err = observationID(arg); err != nil {
					return err
				}
			}
			return p.remove(cmd.Context(), func(ctx context.Context, j *memory.Journal) (string, error) {
				for i, id := range ids {
					there, err := j.Delete(ctx, id)
					if err == nil && !there {
						err = fmt.Errorf("no observation %d", id)
					}
					if err != nil {
						return "", fmt.Errorf("%w; %d removed before", err, i)
					}
				}
				return counted(len(ids), "observation") + " removed", nil
			})
		},
	}
	cmd.Flags().StringVar(&session, "session", "", "all that is kept of this session")
	return cmd
}

func memorySessions(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "sessions",
		Short: "One line a session: its name, how many observations, from when to when",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withJournal(cmd.Context(), func(ctx context.Context, _ *memory.Memories, j *memory.Journal) error {
				sessions, err := j.Sessions(ctx)
				if err != nil {
					return err
				}
				if len(sessions) == 0 {
					_, err := fmt.Fprintf(p.Stdout, "no sessions yet in %s\n", j.At.Dir())
					return err
				}
				const form = "2006-01-02 15:04"
				for _, s := range sessions {
					if _, err := fmt.Fprintf(p.Stdout, "%s %s, %s to %s\n", s.Name, counted(s.Observations, "observation"), s.First.UTC().Format(form), s.Last.UTC().Format(form)); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}

// remove runs f and prints what it tells.
func (p *program) remove(ctx context.Context, f func(context.Context, *memory.Journal) (string, error)) error {
	return p.withJournal(ctx, func(ctx context.Context, _ *memory.Memories, j *memory.Journal) error {
		done, err := f(ctx, j)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(p.Stdout, done)
		return err
	})
}

// resolvedPath is a path without links, as far as it can be told.
func resolvedPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
