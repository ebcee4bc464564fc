package cli

import (
	"errors"

	"github.com/spf13/cobra"
)

func mapVerb(p *program) *cobra.Command {
	var maxTokens int
	cmd := &cobra.Command{
		Use:   "map [FOLDER|FILE]",
		Short: "Print the project map (sp_map)",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if maxTokens < minMapTokens {
				return errors.New("--max-tokens is less than 200")
			}
			arguments := map[string]string{}
			if len(args) == 1 {
				arguments["root"] = args[0]
			}
			return p.callTool(cmd.Context(), "sp_map", arguments, maxTokens)
		},
	}
	cmd.Flags().IntVar(&maxTokens, "max-tokens", DefaultResultTokens, "most tokens to print, 200 or more")
	return cmd
}

// minMapTokens is the smallest budget a map has a shape in.
const minMapTokens = 200
