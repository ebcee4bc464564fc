package cli

import "github.com/spf13/cobra"

func mindmap(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "mindmap [FOLDER]",
		Short: "Print the project as a Mermaid mind map (sp_mindmap)",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			arguments := map[string]string{}
			if len(args) == 1 {
				arguments["root"] = args[0]
			}
			return p.callTool(cmd.Context(), "sp_mindmap", arguments, 0)
		},
	}
}
