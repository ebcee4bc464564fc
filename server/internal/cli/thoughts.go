package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slipstream-mcp/slipstream/memstore/thought"
	"github.com/slipstream-mcp/slipstream/memstore/vault"
	"github.com/slipstream-mcp/slipstream/server/internal/memory"
	"github.com/slipstream-mcp/slipstream/server/internal/tools"
	"github.com/slipstream-mcp/slipstream/server/internal/visible"
)

// thoughtsVerb groups what can be done with the thoughts of a vault.
func thoughtsVerb(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "thoughts",
		Short: "List, find, show, count, delete the thoughts of a vault",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(thoughtsList(p), thoughtsSearch(p), thoughtsShow(p), thoughtsStats(p), thoughtsDelete(p))
	return cmd
}

// withVault runs f on the vault; what goes wrong is a failure, not a misuse.
func (p *program) withVault(ctx context.Context, f func(context.Context, *vault.Vault) error) error {
	return p.withMemories(ctx, func(ctx context.Context, memories *memory.Memories) error {
		v, err := memories.Vault()
		if err != nil {
			return err
		}
		return f(ctx, v)
	})
}

// filterFlags adds the flags that say which thoughts are meant.
func filterFlags(cmd *cobra.Command, f *thought.Filter, after, before *string) {
	cmd.Flags().StringSliceVar(&f.Prefix, "prefix", nil, "any of these categories, with commas between")
	cmd.Flags().StringSliceVar(&f.Source, "source", nil, "any of these sources")
	cmd.Flags().StringSliceVar(&f.Tags, "tags", nil, "any of these tags")
	cmd.Flags().StringSliceVar(&f.Portability, "portability", nil, "portable, sensitive, block")
	cmd.Flags().StringVar(after, "after", "", "created after this ISO date or time")
	cmd.Flags().StringVar(before, "before", "", "created before this ISO date or time")
}

// readTimes reads the times of filterFlags.
func readTimes(f *thought.Filter, after, before string) (err error) {
	if after != "" {
		if f.CreatedAfter, err = tools.ParseTime("--after", after); err != nil {
			return err
		}
	}
	if before != "" {
		f.CreatedBefore, err = tools.ParseTime("--before", before)
	}
	return err
}

// thoughtRow is a thought in a line.
func thoughtRow(t thought.Thought) string {
	body, _, _ := strings.Cut(strings.TrimSpace(t.Body), "\n")
	if own := "[" + t.Prefix + "]"; len(body) > len(own) && strings.EqualFold(body[:len(own)], own) {
		body = strings.TrimSpace(body[len(own):])
	}
	const most = 100
	if r := []rune(body); len(r) > most {
		body = string(r[:most]) + "…"
	}
	return fmt.Sprintf("%s %s [%s] %s", t.ID, t.CreatedAt.UTC().Format("2006-01-02 15:04"), oneLine(t.Prefix), oneLine(body))
}

// getThought is Vault.Get for a person, to whom an unknown id is an error.
func getThought(ctx context.Context, v *vault.Vault, id string) (thought.Thought, error) {
	t, ok, err := v.Get(ctx, id)
	if err == nil && !ok {
		err = fmt.Errorf("no thought %s; slipstream thoughts list shows them", id)
	}
	return t, err
}

func thoughtsList(p *program) *cobra.Command {
	var f thought.Filter
	var after, before, sort string
	var limit, offset int
	cmd := &cobra.Command{
		Use:   "list",
		Short: "One line a thought, newest first",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := readTimes(&f, after, before); err != nil {
				return err
			}
			return p.withVault(cmd.Context(), func(ctx context.Context, v *vault.Vault) error {
				list, total, err := v.List(ctx, f, vault.Sort(sort), limit, offset)
				if err != nil {
					return err
				}
				for _, t := range list {
					if _, err := fmt.Fprintln(p.Stdout, thoughtRow(t)); err != nil {
						return err
					}
				}
				_, err = fmt.Fprintf(p.Stdout, "%d of %s in %s\n", len(list), counted(total, "thought"), v.Dir())
				return err
			})
		},
	}
	filterFlags(cmd, &f, &after, &before)
	cmd.Flags().StringVar(&sort, "sort", string(vault.Newest), "created_at_desc, created_at_asc or updated_at_desc")
	cmd.Flags().IntVar(&limit, "limit", 50, "most thoughts")
	cmd.Flags().IntVar(&offset, "offset", 0, "how many to pass over")
	return cmd
}

func thoughtsSearch(p *program) *cobra.Command {
	var f thought.Filter
	var after, before string
	var k int
	cmd := &cobra.Command{
		Use:   "search QUERY...",
		Short: "Find thoughts by words and meaning, one line a hit",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := readTimes(&f, after, before); err != nil {
				return err
			}
			return p.withVault(cmd.Context(), func(ctx context.Context, v *vault.Vault) error {
				found, err := v.Search(ctx, strings.Join(args, " "), k, f)
				if err != nil {
					return err
				}
				if len(found.Hits) == 0 {
					_, err := fmt.Fprintln(p.Stdout, "no matching thoughts")
					return err
				}
				for _, h := range found.Hits {
					how := fmt.Sprintf("similarity %.2f", h.Similarity)
					if found.Mode == vault.ByWords {
						how = "by words" // the model gave the query no vector
					}
					if _, err := fmt.Fprintf(p.Stdout, "%s (%s)\n", thoughtRow(h.Thought), how); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	filterFlags(cmd, &f, &after, &before)
	cmd.Flags().IntVarP(&k, "limit", "k", 10, "most hits")
	return cmd
}

func thoughtsShow(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "One thought with all that is kept of it",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, _, err := thought.ParseID(args[0])
			if err != nil {
				return err
			}
			return p.withVault(cmd.Context(), func(ctx context.Context, v *vault.Vault) error {
				t, err := getThought(ctx, v, id)
				if err != nil {
					return err
				}
				fmt.Fprintf(p.Stdout, "%s [%s] %s, from %s\n", t.ID, oneLine(t.Prefix), t.Portability, oneLine(t.Source))
				fmt.Fprintf(p.Stdout, "created %s, updated %s\nfile %s\n", thought.FormatTime(t.CreatedAt), thought.FormatTime(t.UpdatedAt), oneLine(t.FilePath))
				if len(t.Tags) > 0 {
					fmt.Fprintf(p.Stdout, "tags: %s\n", oneLine(strings.Join(t.Tags, ", ")))
				}
				for _, x := range t.Extra {
					fmt.Fprintf(p.Stdout, "%s: %s\n", oneLine(x.Key), oneLine(string(x.Value)))
				}
				lines := strings.Split(strings.TrimRight(t.Body, "\n"), "\n")
				for i, l := range lines {
					lines[i] = visible.Text(l)
				}
				_, err = fmt.Fprintf(p.Stdout, "\n%s\n", strings.Join(lines, "\n"))
				return err
			})
		},
	}
}

func thoughtsStats(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "stats",
		Short: "How many thoughts there are, by category, source and state",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withVault(cmd.Context(), func(ctx context.Context, v *vault.Vault) error {
				s, err := v.Stats(ctx)
				if err != nil {
					return err
				}
				fmt.Fprintf(p.Stdout, "%s in %s\n", counted(s.Total, "thought"), v.Dir())
				for _, part := range []struct {
					name   string
					counts map[string]int
				}{{"category", s.ByPrefix}, {"portability", s.ByPortability}, {"source", s.BySource}, {"vault", s.ByVault}, {"embedding", s.ByStatus}} {
					var words []string
					for _, key := range slices.SortedFunc(maps.Keys(part.counts), func(a, b string) int {
						if part.counts[a] != part.counts[b] {
							return part.counts[b] - part.counts[a]
						}
						return strings.Compare(a, b)
					}) {
						if n := part.counts[key]; n > 0 {
							words = append(words, fmt.Sprintf("%s %d", oneLine(key), n))
						}
					}
					if len(words) > 0 {
						fmt.Fprintf(p.Stdout, "by %s: %s\n", part.name, strings.Join(words, ", "))
					}
				}
				if s.Total > 0 {
					_, err = fmt.Fprintf(p.Stdout, "from %s to %s\n", thought.FormatTime(s.Oldest), thought.FormatTime(s.Newest))
				}
				return err
			})
		},
	}
}

func thoughtsDelete(p *program) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "delete ID",
		Short: "Delete a thought's file; without --yes only show what would go",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, _, err := thought.ParseID(args[0])
			if err != nil {
				return err
			}
			return p.withVault(cmd.Context(), func(ctx context.Context, v *vault.Vault) error {
				t, err := getThought(ctx, v, id)
				if err != nil {
					return err
				}
				if !yes {
					_, err = fmt.Fprintf(p.Stdout, "would delete %s\nthe same with --yes deletes it\n", thoughtRow(t))
					return err
				}
				if _, err := v.Delete(ctx, id); err != nil {
					return err
				}
				_, err = fmt.Fprintf(p.Stdout, "deleted %s\n", thoughtRow(t))
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "delete it")
	return cmd
}
