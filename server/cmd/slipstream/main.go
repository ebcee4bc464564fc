// Command slipstream lets a coding agent read a project in small exact pieces, over the Model Context Protocol.
package main

import (
	"context"
	"os"
	"time"

	"github.com/slipstream-mcp/slipstream/server"
)

func main() {
	stdout := os.Stdout
	os.Stdout = os.Stderr // stdout is the protocol's; what a dependency prints must not reach it
	dir, _ := os.Getwd()
	self, _ := os.Executable()
	os.Exit(server.Main(context.Background(), server.Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Dir: dir, Now: time.Now, Executable: self,
	}))
}
