package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/slipstream-mcp/slipstream/server/internal/memory"
)

func reindex(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "reindex",
		Short: "Drop the caches and make them anew from the files; print what was indexed",
		Long: "Drops the caches of the project's memory and of the vault and makes them anew. The files are the truth and are only\n" +
			"read. Vectors that a model made of thoughts go, too.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withMemories(cmd.Context(), func(ctx context.Context, memories *memory.Memories) error {
				facts, err := memories.Open("")
				if err != nil {
					return err
				}
				if err := facts.Files.Drop(); err != nil {
					return err
				}
				all, err := facts.List(ctx)
				if err != nil {
					return err
				}
				j, err := memories.Journal("")
				if err != nil {
					return err
				}
				if err := j.Drop(); err != nil {
					return err
				}
				kept, err := j.Stats(ctx)
				if err != nil {
					return err
				}
				v, err := memories.Vault()
				if err != nil {
					return err
				}
				if err := v.Drop(); err != nil {
					return err
				}
				thoughts, err := v.Stats(ctx)
				if err != nil {
					return err
				}
				waiting := ""
				if n := thoughts.ByStatus["pending"]; n > 0 {
					waiting = fmt.Sprintf(", %d of them pending; slipstream serve and slipstream doctor --repair give them vectors", n)
				}
				_, err = fmt.Fprintf(p.Stdout, "%s, %s in %s, %s%s\n", counted(len(all), "fact"), counted(kept.Observations, "observation"),
					counted(kept.Sessions, "session"), counted(thoughts.Total, "thought"), waiting)
				return err
			})
		},
	}
}
