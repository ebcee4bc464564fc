package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
)

func lines(p *program) *cobra.Command {
	return &cobra.Command{
		Use:     "lines FILE START [END]",
		Short:   "Print a range of lines (sp_lines)",
		Long:    "Prints a range of lines. FILE:START-END is understood too, as answers write it.",
		Example: "  slipstream lines src/greet.ts 14 20\n  slipstream lines src/greet.ts:14-20",
		Args:    cobra.RangeArgs(1, 3),
		RunE: func(cmd *cobra.Command, args []string) error {
			if at := strings.LastIndexByte(args[0], ':'); len(args) == 1 && at > 0 {
				args = append([]string{args[0][:at]}, strings.Split(args[0][at+1:], "-")...)
			}
			if len(args) < 2 || len(args) > 3 {
				return errors.New("lines needs FILE START [END] or FILE:START-END")
			}
			arguments := map[string]string{"file": args[0], "start": args[1], "end": args[len(args)-1]}
			return p.callTool(cmd.Context(), "sp_lines", arguments, 0)
		},
	}
}
