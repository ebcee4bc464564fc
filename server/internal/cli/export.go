package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
	"github.com/slipstream-mcp/slipstream/memstore/vault"
	"github.com/slipstream-mcp/slipstream/server/internal/memory"
	"github.com/slipstream-mcp/slipstream/server/internal/transfer"
)

func exportVerb(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the memory, or the thoughts, to carry them to another machine",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(exportMemory(p), exportThoughts(p))
	return cmd
}

func exportMemory(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "memory [FILE]",
		Short: "Write facts and observations as JSON Lines, to FILE or stdout",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withJournal(cmd.Context(), func(ctx context.Context, memories *memory.Memories, j *memory.Journal) error {
				return p.exportTo(args, j.At.Dir(), "memory", func(to io.Writer) (string, error) {
					facts, observations, err := writeMemory(ctx, to, memories, j)
					return counted(facts, "fact") + " and " + counted(observations, "observation"), err
				})
			})
		},
	}
}

func exportThoughts(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "thoughts [FILE]",
		Short: "Write the thoughts of the vault as JSON Lines, oldest first, to FILE or stdout",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withVault(cmd.Context(), func(ctx context.Context, v *vault.Vault) error {
				return p.exportTo(args, v.Dir(), "vault", func(to io.Writer) (string, error) {
					w := bufio.NewWriterSize(to, 64<<10)
					n := 0
					for t, err := range v.All(ctx) {
						var line []byte
						if err == nil {
							line, err = t.MarshalJSON() // as it is, with < and >
						}
						if err == nil {
							_, err = w.Write(append(line, '\n'))
						}
						if err != nil {
							return "", err
						}
						n++
					}
					return counted(n, "thought"), w.Flush()
				})
			})
		},
	}
}

// exportTo writes to the file that is named, stdout without one, and says what it wrote. The file must not lie in dir, which
// holds what is exported.
func (p *program) exportTo(args []string, dir, what string, write func(io.Writer) (string, error)) error {
	if len(args) == 0 || args[0] == "-" {
		_, err := write(p.Stdout)
		return err
	}
	path := args[0]
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.Dir, path)
	}
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file; an export would take its place", path)
	}
	if rel, err := filepath.Rel(resolvedPath(dir), resolvedPath(filepath.Dir(path))); err == nil && filepath.IsLocal(rel) {
		return fmt.Errorf("%s lies in the %s itself; export to another folder", path, what)
	}
	// Beside its place first, so that an export that fails leaves an older one as it is.
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	wrote, err := write(f)
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = f.Close()
	}
	if err == nil {
		err = lockedfile.OS().Rename(f.Name(), path)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.Stdout, "%s in %s\n", wrote, args[0])
	return err
}

func writeMemory(ctx context.Context, to io.Writer, memories *memory.Memories, j *memory.Journal) (facts, observations int, err error) {
	m, err := memories.Open("")
	if err != nil {
		return 0, 0, err
	}
	all, err := m.List(ctx)
	if err != nil {
		return 0, 0, err
	}
	w := bufio.NewWriterSize(to, 64<<10)
	for _, f := range all {
		if err := transfer.WriteFact(w, f); err != nil {
			return facts, observations, err
		}
		facts++
	}
	for o, err := range j.All(ctx) {
		if err == nil {
			err = transfer.WriteObservation(w, o)
		}
		if err != nil {
			return facts, observations, err
		}
		observations++
	}
	return facts, observations, w.Flush()
}
