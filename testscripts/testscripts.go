// Package testscripts pins what an MCP server answers, by transcripts that a person can read.
//
// A transcript is a txtar file: commands first, then the files they need, then the answers as goldens.
//
//	# sp_symbol: one declaration with its doc comment
//	call sp_symbol '{"file": "src/greet.ts", "symbol": "VERSION"}'
//	cmp stdout want
//
//	-- want --
//	// src/index.ts:4-4 (const)
//	export const VERSION = "1.0.0";
//
// Run plays every transcript of a folder against a server in this process or behind a command's stdin
// and stdout. It knows nothing of any particular server, keeps no goldens of its own, and replaces one
// thing in an answer: the script's own folder, which is shown as $WORK. Clocks and ids are the
// server's to fix; what it cannot, Options.Show rewrites.
package testscripts

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Handler answers one message of a connection: nil for a message that gets no answer. Messages the
// server sends by itself meanwhile go to notify.
type Handler = func(ctx context.Context, msg []byte, notify func([]byte)) []byte

// Options say which server Run talks to. One of Handle and Command is needed.
type Options struct {
	// Handle opens a connection to a server in this process that works on the folder root. It is
	// called once a script for call, and once for every wire.
	Handle func(root string) (Handler, error)
	// Command starts a stdio server that works on the folder root: program and arguments, "{root}"
	// in an argument replaced. When set, it is used and not Handle.
	Command []string
	// Root is the folder the server works on, relative to the script's own; "" is the script's own.
	Root string
	// Setup prepares a script after its files are there: fixtures, environment. nil does nothing.
	Setup func(*testscript.Env) error
	// Show rewrites what came back, beside the script's folder: for what a server cannot hold still, such
	// as its own version. nil rewrites nothing.
	Show func(text string) string
	// Commands adds script commands, or replaces those of this package.
	Commands map[string]func(ts *testscript.TestScript, neg bool, args []string)
	// Update rewrites the goldens that cmp finds different.
	Update bool
}

// Run plays every .txtar file of dir as a subtest. Beside the commands of testscript itself a script has
//
//	call TOOL [JSON]    one tool call; a refusal goes to stderr and is a failure (! expects one)
//	wire FILE           the lines of FILE to a fresh connection; every answer, indented
//	root DIR            the folder the server works on, before the first call
//	bytes FILE TEXT     TEXT, with Go's escapes such as \x00, as the whole of FILE
//	gen FILE N TEXT     TEXT N times, {n} being the number; an {n} in FILE makes N files
//
// In JSON and in FILE, $WORK is the script's folder, and in what comes back that folder is $WORK.
func Run(t *testing.T, dir string, opts Options) {
	t.Helper()
	if opts.Handle == nil && len(opts.Command) == 0 {
		t.Fatal("testscripts.Run needs Options.Handle or Options.Command")
	}
	cmds := map[string]func(*testscript.TestScript, bool, []string){
		"call":  cmdCall,
		"wire":  cmdWire,
		"root":  cmdRoot,
		"bytes": cmdBytes,
		"gen":   cmdGen,
	}
	for name, cmd := range opts.Commands {
		cmds[name] = cmd
	}
	testscript.Run(t, testscript.Params{
		Dir:  dir,
		Cmds: cmds,
		Setup: func(env *testscript.Env) error {
			if opts.Setup != nil {
				if err := opts.Setup(env); err != nil {
					return err
				}
			}
			s := &session{ctx: t.Context(), opts: opts, env: env, root: filepath.Join(env.WorkDir, opts.Root)}
			env.Values[sessionKey{}] = s
			env.Defer(s.close)
			return nil
		},
		UpdateScripts:       opts.Update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

type sessionKey struct{}

// session is the state of one script: its server and where that works.
type session struct {
	ctx    context.Context // a script command has no other way to get one
	opts   Options
	env    *testscript.Env
	root   string
	server connection // nil before the first call
	calls  int
}

// connect opens a fresh connection to a server on the script's root.
func (s *session) connect() (connection, error) {
	if info, err := os.Stat(s.root); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, errors.New(s.root + " is not a directory")
	}
	if len(s.opts.Command) > 0 {
		return startProcess(s.opts.Command, s.root, s.env.Vars)
	}
	handle, err := s.opts.Handle(s.root)
	if err != nil {
		return nil, err
	}
	return inProcess(handle), nil
}

func (s *session) close() {
	if s.server != nil {
		s.server.close(s.ctx)
	}
}
