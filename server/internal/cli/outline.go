package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/slipstream-mcp/slipstream/server/internal/project"
	"github.com/slipstream-mcp/slipstream/symbols"
	"github.com/slipstream-mcp/slipstream/symbols/languages"
)

// outlined is every declaration of one file, as outline --json prints it.
type outlined struct {
	File     string        `json:"f"` // relative to the path asked for
	Language string        `json:"lang,omitempty"`
	Tags     []outlinedTag `json:"tags"`
	Skipped  string        `json:"skipped,omitempty"` // why there are no tags
}

type outlinedTag struct {
	Name      string `json:"n"`
	Qualified string `json:"q"`
	Kind      string `json:"k"`
	Start     int    `json:"s"` // with the doc comment
	NameLine  int    `json:"nl"`
	End       int    `json:"e"`
	Exported  bool   `json:"x"`
}

func outline(p *program) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "outline PATH",
		Short: "Print every declaration of a file or a folder with its lines",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			print := printOutline
			if asJSON {
				print = printOutlineJSON
			}
			if err := p.outline(cmd.Context(), args[0], print); err != nil {
				return failure{err}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a file: f, lang, tags [n q k s nl e x], skipped")
	return cmd
}

// outline prints each file of path in order while others are still being parsed.
func (p *program) outline(ctx context.Context, path string, print func(io.Writer, outlined) error) error {
	if p.root != "" && !filepath.IsAbs(path) {
		path = filepath.Join(p.root, path)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.Dir, path)
	}
	source, file, err := project.NewProjects(filepath.Dir(path), p.Dir, "").OpenFile(path)
	if err != nil {
		return err
	}
	defer source.Close()
	files := []string{file}
	if file == "" {
		if files, err = source.List(ctx); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	pending := make(chan chan outlined, 4*runtime.GOMAXPROCS(0))
	go func() {
		defer close(pending)
		busy := make(chan struct{}, runtime.GOMAXPROCS(0))
		for _, f := range files {
			one := make(chan outlined, 1)
			select {
			case pending <- one:
			case <-ctx.Done():
				return
			}
			busy <- struct{}{}
			go func() {
				one <- outlineFile(ctx, source, f)
				<-busy
			}()
		}
	}()
	out := bufio.NewWriter(p.Stdout)
	for one := range pending {
		if err := print(out, <-one); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return out.Flush()
}

func outlineFile(ctx context.Context, source *project.Project, file string) outlined {
	o := outlined{File: file, Tags: []outlinedTag{}}
	src, err := source.Read(file, file, project.MaxSource)
	var read *project.ReadError
	switch {
	case errors.As(err, &read):
		o.Skipped = read.Reason
	case err != nil:
		o.Skipped = err.Error()
	default:
		o.Skipped = project.Unparsed(file, src)
	}
	if o.Skipped != "" {
		return o
	}
	text, _ := symbols.Decode(src)
	f, err := languages.Parse(ctx, file, text)
	if err != nil {
		o.Skipped = project.Refused(err)
		return o
	}
	o.Language = f.Language
	for _, d := range f.Decls {
		o.Tags = append(o.Tags, outlinedTag{d.Name, d.Qualified, string(d.Kind), d.Start, d.NameLine, d.End, d.Exported})
	}
	return o
}

func printOutlineJSON(w io.Writer, o outlined) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(o)
}

func printOutline(w io.Writer, o outlined) error {
	if o.Skipped != "" {
		_, err := fmt.Fprintf(w, "%s (%s)\n", o.File, o.Skipped)
		return err
	}
	if _, err := fmt.Fprintln(w, o.File); err != nil {
		return err
	}
	for _, t := range o.Tags {
		private := ""
		if !t.Exported {
			private = ", not exported"
		}
		if _, err := fmt.Fprintf(w, "  %d-%d %s (%s%s)\n", t.Start, t.End, t.Qualified, t.Kind, private); err != nil {
			return err
		}
	}
	return nil
}
