package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/server/internal/memory"
	"github.com/slipstream-mcp/slipstream/server/internal/visible"
)

// memoryVerb groups what can be done with the facts and the observations of a project.
func memoryVerb(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "memory",
		Short: "The project's facts and what was done in its sessions: list, find, remove",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(memoryList(p), memoryShow(p), memoryAdd(p), memoryRecall(p), memoryForget(p),
		memorySearch(p), memoryTimeline(p), memoryObservations(p), memoryLessons(p), memorySessions(p), memoryPrune(p), memoryDelete(p), memoryScrub(p))
	return cmd
}

// withMemories runs f on what projects remember; what goes wrong is a failure, not a misuse.
func (p *program) withMemories(ctx context.Context, f func(context.Context, *memory.Memories) error) error {
	deps, err := p.open(nil, 0)
	if err != nil {
		return failure{err}
	}
	err = f(ctx, deps.Memories)
	if closed := deps.Memories.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return failure{err}
	}
	return nil
}

// withMemory runs f on the project's facts.
func (p *program) withMemory(ctx context.Context, f func(context.Context, *memory.Memory) error) error {
	return p.withMemories(ctx, func(ctx context.Context, memories *memory.Memories) error {
		m, err := memories.Open("")
		if err != nil {
			return err
		}
		return f(ctx, m)
	})
}

func memoryList(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "One line a fact: name, type, description",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withMemory(cmd.Context(), func(ctx context.Context, m *memory.Memory) error {
				facts, err := m.List(ctx)
				if err != nil {
					return err
				}
				if len(facts) == 0 {
					_, err := fmt.Fprintf(p.Stdout, "no memories yet in %s\n", m.Dir)
					return err
				}
				for _, f := range facts {
					if _, err := fmt.Fprintf(p.Stdout, "%s (%s): %s\n", oneLine(f.Name), f.Type, oneLine(f.Description)); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}

// oneLine is s with its white space folded, so that it cannot break a list.
func oneLine(s string) string { return visible.Text(strings.Join(strings.Fields(s), " ")) }

func memoryShow(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "show NAME",
		Short: "One fact with all that is kept of it",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withMemory(cmd.Context(), func(ctx context.Context, m *memory.Memory) error {
				f, err := m.Get(ctx, args[0])
				if errors.Is(err, memstore.ErrNotFound) {
					return fmt.Errorf("no memory named %q; slipstream memory list shows them", args[0])
				}
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(p.Stdout, "## %s (%s)\n%s\n", f.Name, f.Type, oneLine(f.Description))
				if err == nil && len(f.Tags) > 0 {
					_, err = fmt.Fprintf(p.Stdout, "tags: %s\n", strings.Join(f.Tags, ", "))
				}
				if err == nil {
					_, err = fmt.Fprintf(p.Stdout, "created %s, updated %s\n\n%s\n",
						f.Created.Format("2006-01-02"), f.Updated.Format("2006-01-02"), f.Body)
				}
				return err
			})
		},
	}
}

func memoryAdd(p *program) *cobra.Command {
	var description, kind string
	var tags []string
	cmd := &cobra.Command{
		Use:   "add FACT...",
		Short: "Keep a fact (sp_remember); - reads it from stdin",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			fact := strings.Join(args, " ")
			if fact == "-" {
				text, err := io.ReadAll(p.Stdin)
				if err != nil {
					return failure{err}
				}
				fact = string(text)
			}
			arguments := map[string]any{"fact": fact}
			if description != "" {
				arguments["description"] = description
			}
			if kind != "" {
				arguments["type"] = kind
			}
			if len(tags) > 0 {
				arguments["tags"] = tags
			}
			return p.callTool(cmd.Context(), "sp_remember", arguments, 0)
		},
	}
	cmd.Flags().StringVar(&description, "description", "", "one line to find it by (default: the fact)")
	cmd.Flags().StringVar(&kind, "type", "", "decision, convention, architecture, gotcha, credential-location, todo or fact (default decision)")
	cmd.Flags().StringSliceVar(&tags, "tags", nil, "words to find it by, with commas between")
	return cmd
}

func memoryRecall(p *program) *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Use:   "recall QUERY...",
		Short: "Find facts, best first (sp_recall)",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.callTool(cmd.Context(), "sp_recall", map[string]any{"query": strings.Join(args, " "), "limit": limit}, 0)
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 5, "most facts, 1 to 50")
	return cmd
}

func memoryForget(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "forget NAME",
		Short: "Delete a fact (sp_forget)",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.callTool(cmd.Context(), "sp_forget", map[string]string{"name": args[0]}, 0)
		},
	}
}

func memoryScrub(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "scrub [-]",
		Short: "Take secrets out of all that is kept: those the rules know now, and with - the one on the first line of stdin",
		Long: "Takes secrets out of every file of the memory and drops the index, then reads everything again to prove that none\n" +
			"is left. Without an argument the secrets are those the rules know now; with - the first line of stdin is one more,\n" +
			"so that it need not stand in the shell's history. What git has already recorded stays there.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			secret := ""
			if len(args) == 1 {
				if args[0] != "-" {
					return errors.New("memory scrub takes the secret from stdin: printf %s SECRET | slipstream memory scrub -")
				}
				line, err := bufio.NewReader(p.Stdin).ReadString('\n')
				if err != nil && !errors.Is(err, io.EOF) {
					return failure{err}
				}
				secret = strings.TrimRight(line, "\r\n")
			}
			return p.withMemories(cmd.Context(), func(ctx context.Context, m *memory.Memories) error {
				changed, err := m.Scrub(ctx, "", secret)
				for _, file := range changed {
					fmt.Fprintf(p.Stdout, "cleaned %s\n", file)
				}
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(p.Stdout, "%d files cleaned; read again, none holds a secret the rules know%s\n",
					len(changed), map[bool]string{true: " or the one given", false: ""}[secret != ""])
				return err
			})
		},
	}
}
