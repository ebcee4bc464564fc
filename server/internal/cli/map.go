package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/slipstream-mcp/slipstream/server/internal/settings"
)

func mapVerb(p *program) *cobra.Command {
	var maxTokens int
	cmd := &cobra.Command{
		Use:   "map [FOLDER|FILE]",
		Short: "Print the project map (sp_map)",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("max-tokens") && maxTokens < settings.MinResultTokens {
				return fmt.Errorf("--max-tokens: %d is less than %d", maxTokens, settings.MinResultTokens)
			}
			arguments := map[string]string{}
			if len(args) == 1 {
				arguments["root"] = args[0]
			}
			return p.callTool(cmd.Context(), "sp_map", arguments, maxTokens)
		},
	}
	cmd.Flags().IntVar(&maxTokens, "max-tokens", 0, "most tokens to print, 200 or more (default: the setting maxResultTokens, 4000)")
	return cmd
}
