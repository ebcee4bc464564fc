package cli

import "github.com/spf13/cobra"

func symbol(p *program) *cobra.Command {
	return &cobra.Command{
		Use:     "symbol FILE SYMBOL",
		Short:   "Print one declaration with its doc comment (sp_symbol)",
		Example: "  slipstream symbol src/greet.ts greet",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.callTool(cmd.Context(), "sp_symbol", map[string]string{"file": args[0], "symbol": args[1]}, 0)
		},
	}
}
