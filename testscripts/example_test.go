package testscripts_test

import (
	"testing"

	"github.com/slipstream-mcp/slipstream/testscripts"
)

// A server behind a command's stdin and stdout, with every transcript of a folder.
func ExampleRun() {
	_ = func(t *testing.T) { // TestTools in a file of your own
		testscripts.Run(t, "testdata/tools", testscripts.Options{
			Command: []string{"my-server", "--root={root}"},
		})
	}
}
