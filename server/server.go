// Package server composes slipstream: the tools over the project and its memory, the command line, the program.
//
// A program or a test that wants the tools without a process calls New and feeds the handler bytes; cmd/slipstream calls
// Main. Inside:
//
//	internal/cli      the verbs; the only package that opens files of its own, sockets and signals
//	internal/tools    the tools, one file each, named as on the wire
//	internal/project  an opened project: paths, reading, scanning
//	internal/ledger   what scoped reads saved
//	internal/memory   what a project remembers; internal/state says where, internal/settings holds its knobs
//	internal/capture  what sessions did, noted; internal/hook and internal/transcript understand what hosts say of them
//	internal/transfer facts and observations on their way to another machine
//	internal/checkout what is being worked on, as git tells it
//	internal/doctor   what keeps the program from working here, and the cure
package server

import (
	"context"
	"io"
	"time"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/server/internal/cli"
	"github.com/slipstream-mcp/slipstream/server/internal/tools"
)

// Env is all that the program takes from the outside.
type Env struct {
	Args           []string // the arguments, without the program's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Dir            string           // the working directory
	Now            func() time.Time // the clock
	Executable     string           // the program's own file, for the verbs that start it again
}

// Main runs the program and returns its exit code: 0 when it did what was asked, 1 when that could not be done, 2 when it
// was asked wrongly.
func Main(ctx context.Context, env Env) int { return cli.Run(ctx, cli.Env(env)) }

// Options says what a handler works on.
type Options struct {
	Root     string           // the default project root: a folder, absolute or relative to the working directory; "" is that directory
	Version  string           // what the server says its version is; "" is the module's own
	Vault    string           // the folder of the thoughts, as Root; "" is none
	CacheDir string           // a folder for what can be made again, created when needed; "" keeps it in memory
	Now      func() time.Time // the clock; nil is time.Now
}

// New returns a handler that serves every tool to one connection, without a process: feed it lines, it gives answers. The
// root need not exist; a call then says so. The error is that of a working directory that cannot be told.
func New(opts Options) (*mcpproto.Handler, error) {
	deps, err := cli.Open(cli.Options{Root: opts.Root, Vault: opts.Vault, CacheDir: opts.CacheDir, Now: opts.Now, Count: true})
	if err != nil {
		return nil, err
	}
	if opts.Version == "" {
		opts.Version = cli.Version()
	}
	return tools.Handler(deps, opts.Version), nil
}
