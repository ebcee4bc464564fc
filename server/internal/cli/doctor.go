package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/slipstream-mcp/slipstream/server/internal/doctor"
	"github.com/slipstream-mcp/slipstream/server/internal/tools"
)

func doctorVerb(p *program) *cobra.Command {
	var repair bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look for what keeps slipstream from working here, and say the cure",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			deps, err := p.open(nil, 0)
			if err != nil {
				return failure{err}
			}
			defer deps.Memories.Close()
			if repair {
				if err := repairThoughts(cmd.Context(), p.Stdout, deps); err != nil {
					return failure{err}
				}
			}
			report, well := doctor.Report(cmd.Context(), doctor.Surroundings{Deps: deps, CacheDir: cacheDir(p.Getenv)})
			fmt.Fprint(p.Stdout, report)
			if !well {
				return failure{errors.New("something is not right; see the lines marked BAD")}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&repair, "repair", false, "first give vectors to the thoughts that are pending or failed")
	return cmd
}

// repairThoughts gives the thoughts that have none their vectors. That the model does not answer is for the report to say.
func repairThoughts(ctx context.Context, to io.Writer, deps tools.Deps) error {
	v, err := deps.Memories.Vault()
	if err != nil {
		return err
	}
	done, err := v.Repair(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	fmt.Fprintf(to, "repair: %s embedded, %d refused, %d pending\n", counted(done.Embedded, "thought"), done.Failed, done.Pending)
	if err != nil {
		fmt.Fprintf(to, "repair: %v\n", err)
	}
	return nil
}
