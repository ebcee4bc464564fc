package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

func search(p *program) *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Use:     "search QUERY...",
		Short:   "Find files and symbols, best first (sp_search)",
		Example: "  slipstream search where are sessions closed",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.callTool(cmd.Context(), "sp_search", map[string]any{"query": strings.Join(args, " "), "limit": limit}, 0)
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 8, "most files, 1 to 50")
	return cmd
}
