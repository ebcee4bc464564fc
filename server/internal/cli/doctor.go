package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/slipstream-mcp/slipstream/server/internal/doctor"
)

func doctorVerb(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Look for what keeps slipstream from working here, and say the cure",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			deps, err := p.open(nil, 0)
			if err != nil {
				return failure{err}
			}
			defer deps.Memories.Close()
			report, well := doctor.Report(cmd.Context(), doctor.Surroundings{Deps: deps, CacheDir: cacheDir(p.Getenv)})
			fmt.Fprint(p.Stdout, report)
			if !well {
				return failure{errors.New("something is not right; see the lines marked BAD")}
			}
			return nil
		},
	}
}
