package cli

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slipstream-mcp/slipstream/symbols/languages"
)

func version(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and the languages this build knows",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			fmt.Fprintf(p.Stdout, "slipstream %s %s %s/%s\n", Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			missing := map[string]bool{}
			for _, m := range languages.Missing() {
				missing[m] = true
			}
			var has []string
			for _, l := range languages.All() {
				if !missing[l.Name()] {
					has = append(has, l.Name())
				}
			}
			fmt.Fprintf(p.Stdout, "languages: %s\n", strings.Join(has, ", "))
			if m := languages.Missing(); len(m) > 0 {
				fmt.Fprintf(p.Stdout, "missing: %s (built without cgo; build with CGO_ENABLED=1 and a C compiler)\n", strings.Join(m, ", "))
			}
			return nil
		},
	}
}
