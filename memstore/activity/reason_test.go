package activity_test

import (
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
)

func TestReason(t *testing.T) {
	for in, want := range map[string]string{
		"":            "",
		"Exit code 1": "Exit code 1",
		"Exit code 1\nError: listen EADDRINUSE: address already in use :::4000":   "Error: listen EADDRINUSE: address already in use :::4000",
		"Exit code 2\n\n> vitest run\n\nError: Cannot find module 'jsonwebtoken'": "Error: Cannot find module 'jsonwebtoken'",
		"process exited with code 1\nsome output":                                 "some output",
		"EACCES: permission denied\nError: more":                                  "EACCES: permission denied",
		"first\nsecond":                                                           "first",
		"npm test\n1 test failed\n":                                               "1 test failed",
	} {
		if got := activity.Reason(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
