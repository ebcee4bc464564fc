package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/slipstream-mcp/slipstream/memstore/thought"
	"github.com/slipstream-mcp/slipstream/memstore/thought/openbrain"
	"github.com/slipstream-mcp/slipstream/memstore/vault"
	"github.com/slipstream-mcp/slipstream/server/internal/memory"
)

// importOpenBrain is a verb of its own, too, under the name that engram gives it.
func importOpenBrain(p *program, use string) *cobra.Command {
	var dry bool
	cmd := &cobra.Command{
		Use:   use,
		Short: "Add the thoughts of an Open Brain export (JSON, JSON Lines or CSV) to the vault; - reads stdin",
		Long: "Adds each row of an export of Open Brain's table thoughts: its content, times and metadata, its old id as legacy_id. What is\n" +
			"there already stays as it is, so that a repeated import adds nothing, and secrets are masked.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withVault(cmd.Context(), func(ctx context.Context, v *vault.Vault) error {
				in, size, err := p.input(args[0])
				if err != nil {
					return err
				}
				defer in.Close()
				bar := p.progress(size)
				defer bar.done()
				left := leftOut{p: p}
				rows := func(yield func(thought.Thought, error) bool) {
					for t, err := range openbrain.Rows(bar.reader(in)) {
						if bad := (*openbrain.RowError)(nil); errors.As(err, &bad) {
							left.add(err)
							continue
						}
						if !yield(t, err) {
							return
						}
					}
				}
				counts, err := v.Import(ctx, rows, vault.ImportOptions{DryRun: dry, Failed: left.add})
				bar.done()
				return left.tell(counts, dry, err)
			})
		},
	}
	dryRun(cmd, &dry)
	return cmd
}

func importEngram(p *program) *cobra.Command {
	var dry bool
	cmd := &cobra.Command{
		Use:   "engram PATH",
		Short: "Add the thoughts of an engram vault to the vault, with their ids and files",
		Long: "Copies the Markdown files of another vault: with their names, ids, keys and times, but for secrets, which are masked. What is\n" +
			"there already stays as it is. Engram's index and archive are not copied. To work on a vault in place, name it by --vault.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := args[0]
			if !filepath.IsAbs(path) {
				path = filepath.Join(p.Dir, path)
			}
			return p.withMemories(cmd.Context(), func(ctx context.Context, memories *memory.Memories) error {
				v, err := memories.Vault()
				if err != nil {
					return err
				}
				from, err := memories.OtherVault(path)
				if err != nil {
					return err
				}
				defer from.Close()
				s, err := from.Stats(ctx)
				if err != nil {
					return err
				}
				bar := p.count(s.Total)
				defer bar.done()
				left := leftOut{p: p}
				counts, err := v.Copy(ctx, from, vault.ImportOptions{DryRun: dry, Progress: bar.at, Failed: left.add})
				bar.done()
				return left.tell(counts, dry, err)
			})
		},
	}
	dryRun(cmd, &dry)
	return cmd
}

func dryRun(cmd *cobra.Command, dry *bool) {
	cmd.Flags().BoolVar(dry, "dry-run", false, "write nothing, only count")
}

// leftOut counts what an import cannot take in and tells of each on stderr.
type leftOut struct {
	p *program
	n int
}

func (l *leftOut) add(err error) {
	l.n++
	fmt.Fprintf(l.p.Stderr, "left out: %v\n", err)
}

// tell prints what became of an import, also of one that err ended.
func (l *leftOut) tell(c vault.Counts, dry bool, err error) error {
	would := ""
	if dry {
		would = "dry run, nothing written: "
	}
	_, failed := fmt.Fprintf(l.p.Stdout, "%s%s added, %d known, %d merged with what was there, %d left out\n", would, counted(c.Added, "thought"), c.Known, c.Merged, l.n)
	switch {
	case err != nil:
		return err
	case failed != nil:
		return failed
	case l.n > 0:
		return fmt.Errorf("%s left out", counted(l.n, "thought"))
	}
	return nil
}
