package cli

import "github.com/spf13/cobra"

func lines(p *program) *cobra.Command {
	return &cobra.Command{
		Use:     "lines FILE START [END]",
		Short:   "Print a range of lines (sp_lines)",
		Example: "  slipstream lines src/greet.ts 14 20",
		Args:    cobra.RangeArgs(2, 3),
		RunE: func(cmd *cobra.Command, args []string) error {
			end := args[len(args)-1]
			return p.callTool(cmd.Context(), "sp_lines", map[string]string{"file": args[0], "start": args[1], "end": end}, 0)
		},
	}
}
