// Package cli is the command line: one file a verb, and what they share. It alone opens files of its own, sockets and
// signals; a verb of a tool calls the same handler a client does.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/slipstream-mcp/slipstream/memstore/vault/remote"
)

// Env is all that the program takes from the outside. Its fields are those of server.Env.
type Env struct {
	Args           []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Dir            string
	Now            func() time.Time
	Executable     string
}

// Exit codes of the program.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// program is one run of the program: its surroundings and the flags every verb has.
type program struct {
	Env
	root       string // --root
	memoryRoot string // --memory-root
	vault      string // --vault
	embed      remote.Options
}

// verbs lists the verbs in the order help shows them.
func verbs(p *program) []*cobra.Command {
	return []*cobra.Command{
		p.embeds(serve(p)),
		demo(p),
		p.embeds(call(p)),
		mapVerb(p),
		symbol(p),
		lines(p),
		search(p),
		outline(p),
		memoryVerb(p),
		p.embeds(thoughtsVerb(p)),
		savings(p),
		budgetVerb(p),
		mindmap(p),
		hookVerb(p),
		p.embeds(doctorVerb(p)),
		p.embeds(reindex(p)),
		importVerb(p),
		exportVerb(p),
		importOpenBrain(p, "migrate-from-open-brain FILE"),
		version(p),
	}
}

// embeds adds the flags that say which model makes the vectors of thoughts.
func (p *program) embeds(cmd *cobra.Command) *cobra.Command {
	flags := cmd.PersistentFlags()
	flags.StringVar(&p.embed.URL, "embed-url", "", "endpoint whose model makes the vectors of thoughts, OpenAI's kind or Ollama (default $SLIPSTREAM_EMBED_URL, none)")
	flags.StringVar(&p.embed.Model, "embed-model", "", "its model (default $SLIPSTREAM_EMBED_MODEL); the key is $SLIPSTREAM_EMBED_KEY")
	flags.IntVar(&p.embed.Dimensions, "embed-dim", 0, "dimensions to ask for (default $SLIPSTREAM_EMBED_DIM, the model's)")
	return cmd
}

// failure is an error of what was asked for, not of how: its exit code is 1.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// Run runs the program and returns its exit code.
func Run(ctx context.Context, env Env) int {
	p := &program{Env: env}
	root := &cobra.Command{
		Use:           "slipstream",
		Short:         "Small exact reads of a project for coding agents, over the Model Context Protocol",
		Version:       Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return cmd.Help()
		},
	}
	root.SetArgs(env.Args)
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	root.PersistentFlags().StringVar(&p.root, "root", "", "project folder (default $SLIPSTREAM_ROOT, $CLAUDE_PROJECT_DIR, the working directory)")
	root.PersistentFlags().StringVar(&p.memoryRoot, "memory-root", "", "folder that holds .claude/slipstream (default: found from the root)")
	root.PersistentFlags().StringVar(&p.vault, "vault", "", "folder of the thoughts (default $SLIPSTREAM_VAULT, slipstream/vault in the data folder)")
	cobra.EnableCommandSorting = false
	root.AddCommand(verbs(p)...)
	verb, err := root.ExecuteContextC(ctx)
	var failed failure
	switch {
	case err != nil && verb.Name() == "hook":
		fmt.Fprintf(env.Stderr, "slipstream hook: %v\n", err) // to a host any other code than 0 says more than it should
		return exitOK
	case err == nil:
		return exitOK
	case errors.As(err, &failed):
		if text := err.Error(); text != "" {
			fmt.Fprintln(env.Stderr, text)
		}
		return exitFailed
	default:
		fmt.Fprintf(env.Stderr, "slipstream: %v\nslipstream -h shows the verbs, slipstream VERB -h the use of one\n", err)
		return exitUsage
	}
}

// release is the version of the program when the build does not say one.
const release = "0.1.0"

// Version returns the version of the program: the module's where the build knows it.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return release
}
