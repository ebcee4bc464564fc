package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/slipstream-mcp/slipstream/mcpproto/stdio"
	"github.com/slipstream-mcp/slipstream/server/internal/tools"
)

func serve(p *program) *cobra.Command {
	var trial bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the tools on stdin and stdout, as MCP clients start it",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			log, done := newLogger(p.Stderr, p.Getenv("SLIPSTREAM_LOG"))
			defer done()
			o := p.options(log, 0)
			o.Count, o.Capture, o.EmbedRetry = !trial, !trial, time.Second
			deps, err := Open(o)
			if err != nil {
				return failure{err}
			}
			defer deps.Close()
			signal.Ignore(syscall.SIGPIPE) // a client that reads no more is told by the write
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			err = stdio.Serve(ctx, tools.Handler(deps, Version()), p.Stdin, p.Stdout, stdio.Options{})
			if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, syscall.EPIPE) {
				return failure{err}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&trial, "trial", false, "leave nothing behind in the project, not even what reads saved")
	return cmd
}
