package cli

import "github.com/spf13/cobra"

func savings(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "savings",
		Short: "Print what scoped reads saved in this project (sp_savings)",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.callTool(cmd.Context(), "sp_savings", map[string]any{}, 0)
		},
	}
}
