// Package doctor looks for what keeps slipstream from working on a project and says the cure. It changes nothing.
package doctor

import (
	"context"
	"fmt"
	"strings"

	"github.com/slipstream-mcp/slipstream/server/internal/tools"
)

// Finding is one thing a check has to say.
type Finding struct {
	OK   bool
	Text string // what is so, or what is wrong and the cure
}

// Check is one thing to look at. It gives at least one finding.
type Check struct {
	Name string
	Run  func(ctx context.Context, s Surroundings) []Finding
}

// Surroundings is what the checks look at.
type Surroundings struct {
	tools.Deps
	CacheDir string
}

// Report runs every check in order and returns one line a finding, and whether all is well.
func Report(ctx context.Context, s Surroundings) (string, bool) {
	var b strings.Builder
	well := true
	for _, c := range Checks() {
		for _, f := range c.Run(ctx, s) {
			mark := "ok  "
			if !f.OK {
				mark, well = "BAD ", false
			}
			fmt.Fprintf(&b, "%s %s: %s\n", mark, c.Name, f.Text)
		}
	}
	return b.String(), well
}

func ok(format string, args ...any) Finding {
	return Finding{OK: true, Text: fmt.Sprintf(format, args...)}
}
func bad(format string, args ...any) Finding { return Finding{Text: fmt.Sprintf(format, args...)} }
