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
	"github.com/slipstream-mcp/slipstream/server/internal/memory"
	"github.com/slipstream-mcp/slipstream/server/internal/transfer"
)

func exportVerb(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the memory to carry it to another machine",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(exportMemory(p))
	return cmd
}

func exportMemory(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "memory [FILE]",
		Short: "Write facts and observations as JSON Lines, to FILE or stdout",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.exportMemory(cmd.Context(), args)
		},
	}
}

func (p *program) exportMemory(ctx context.Context, args []string) error {
	return p.withJournal(ctx, func(ctx context.Context, memories *memory.Memories, j *memory.Journal) error {
		if len(args) == 0 || args[0] == "-" {
			_, _, err := writeMemory(ctx, p.Stdout, memories, j)
			return err
		}
		path := args[0]
		if !filepath.IsAbs(path) {
			path = filepath.Join(p.Dir, path)
		}
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s is no regular file; an export would take its place", path)
		}
		if rel, err := filepath.Rel(resolvedPath(j.At.Dir()), resolvedPath(filepath.Dir(path))); err == nil && filepath.IsLocal(rel) {
			return fmt.Errorf("%s lies in the memory itself; export to another folder", path)
		}
		// Beside its place first, so that an export that fails leaves an older one as it is.
		f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
		if err != nil {
			return err
		}
		defer os.Remove(f.Name())
		defer f.Close()
		facts, observations, err := writeMemory(ctx, f, memories, j)
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
		_, err = fmt.Fprintf(p.Stdout, "%s and %s in %s\n", counted(facts, "fact"), counted(observations, "observation"), args[0])
		return err
	})
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
