package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slipstream-mcp/slipstream/budget"
	"github.com/slipstream-mcp/slipstream/server/internal/project"
)

func demo(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Show a conversation with the server about this project, and what it costs in tokens",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := p.demo(cmd.Context()); err != nil {
				return failure{err}
			}
			return nil
		},
	}
}

// demo plays an agent: it reads the map, looks something up, reads one declaration and a few lines.
func (p *program) demo(ctx context.Context) error {
	deps, err := p.open(nil, 0)
	if err != nil {
		return err
	}
	source, err := deps.Projects.Open("")
	if err != nil {
		return err
	}
	defer source.Close()
	agent, err := startClient(ctx, p, source.Dir())
	if err != nil {
		return err
	}
	defer agent.close()
	fmt.Fprintf(p.Stdout, "slipstream serve is started on %s, as an MCP client does it.\nWhat a coding agent asks (->), what it gets (<-), and the tokens:\n\n", source.Dir())
	d := &demonstration{out: p.Stdout, agent: agent, source: source}
	if err := d.initialize(); err != nil {
		return err
	}
	projectMap, err := d.ask("sp_map", "{}", d.wholeProject(ctx))
	if err != nil {
		return err
	}
	file, name := pick(projectMap)
	if file == "" {
		fmt.Fprintln(p.Stdout, "This project has no file with symbols slipstream can read; try --root with another one.")
		return nil
	}
	if _, err := d.ask("sp_search", fmt.Sprintf(`{"query": %s, "limit": 3}`, quoted(name)), 0); err != nil {
		return err
	}
	whole := d.wholeFile(file)
	declaration, err := d.ask("sp_symbol", fmt.Sprintf(`{"file": %s, "symbol": %s}`, quoted(file), quoted(name)), whole)
	if err != nil {
		return err
	}
	start := 1
	fmt.Sscanf(declaration[strings.LastIndexByte(firstOf(declaration), ':')+1:], "%d", &start)
	if _, err := d.ask("sp_lines", fmt.Sprintf(`{"file": %s, "start": %d, "end": %d}`, quoted(file), start, start+2), whole); err != nil {
		return err
	}
	return d.sum(whole)
}

// demonstration prints a conversation and keeps its accounts.
type demonstration struct {
	out    io.Writer
	agent  *client
	source *project.Project
	mapped int // tokens of the map
	served int // and of all other answers
}

func (d *demonstration) initialize() error {
	var r struct {
		ProtocolVersion string
		ServerInfo      struct{ Name, Version string }
	}
	params := map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
		"clientInfo": map[string]string{"name": "slipstream-demo", "version": Version()},
	}
	if err := d.agent.request("initialize", params, &r); err != nil {
		return err
	}
	fmt.Fprintf(d.out, "-> initialize\n<- %s %s, protocol %s\n\n", r.ServerInfo.Name, r.ServerInfo.Version, r.ProtocolVersion)
	return d.agent.notify("notifications/initialized")
}

// ask calls a tool and shows the call in one line, the answer in a few, and its tokens against whole ones.
func (d *demonstration) ask(tool, arguments string, whole int) (string, error) {
	text, err := d.agent.call(tool, json.RawMessage(arguments))
	if err != nil {
		return "", fmt.Errorf("%s: %w", tool, err)
	}
	fmt.Fprintf(d.out, "-> %s %s\n<- %s\n", tool, arguments, shorten(text))
	tokens := budget.Tokens(text)
	of := "file"
	if tool == "sp_map" {
		d.mapped, of = tokens, "project"
	} else {
		d.served += tokens
	}
	if whole == 0 {
		fmt.Fprintf(d.out, "   %d tokens\n\n", tokens)
	} else {
		fmt.Fprintf(d.out, "   %d tokens instead of %d for the whole %s\n\n", tokens, whole, of)
	}
	return text, nil
}

// sum sets the search and the two reads against the one file they were about.
func (d *demonstration) sum(whole int) error {
	less := ""
	if whole > d.served {
		less = fmt.Sprintf(", %d %% less", 100*(whole-d.served)/whole)
	}
	_, err := fmt.Fprintf(d.out, "The search and the two reads: %d tokens instead of %d for the file%s. The map: %d, once a session.\nConnect your client to: slipstream serve\n",
		d.served, whole, less, d.mapped)
	return err
}

// wholeFile is what a file costs to read in full.
func (d *demonstration) wholeFile(file string) int {
	src, err := d.source.Read(file, file, project.MaxSource)
	if err != nil {
		return 0
	}
	return budget.TokensOf(src)
}

// wholeProject is what the project's text files cost to read in full.
func (d *demonstration) wholeProject(ctx context.Context) int {
	m, err := d.source.Map(ctx, nil)
	if err != nil {
		return 0
	}
	total := 0
	for _, f := range m.Mapped() {
		total += d.wholeFile(f.Path)
	}
	return total
}

// shownLines and shownWidth bound how much of an answer the demonstration prints.
const (
	shownLines = 12
	shownWidth = 110
)

// shorten keeps the first lines of an answer, indented under its arrow.
func shorten(text string) string {
	lines := strings.Split(text, "\n")
	left := len(lines) - shownLines
	if left > 1 {
		lines = append(lines[:shownLines:shownLines], fmt.Sprintf("… %d more lines", left))
	}
	for i, l := range lines {
		if r := []rune(l); len(r) > shownWidth {
			lines[i] = string(r[:shownWidth-1]) + "…"
		}
	}
	return strings.Join(lines, "\n   ")
}

// quoted is s as a JSON string.
func quoted(s string) string {
	text, _ := json.Marshal(s) // a string has no way to fail
	return string(text)
}

func firstOf(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// pick chooses the symbol to show from a map: a function of the longest file that has one, else any export.
func pick(projectMap string) (file, symbol string) {
	dir, name, longest := ".", "", -1
	lines := 0
	function := false
	for _, l := range strings.Split(projectMap, "\n") {
		if rest, ok := strings.CutPrefix(l, "### "); ok {
			dir, _, _ = strings.Cut(rest, " (")
		} else if rest, ok := strings.CutPrefix(l, "- `"); ok {
			name, rest, _ = strings.Cut(rest, "` (")
			lines = 0
			fmt.Sscanf(rest, "%d lines", &lines)
		} else if rest, ok := strings.CutPrefix(l, "  - exports: "); ok {
			found, isFunction := pickExport(rest)
			if found == "" || function && !isFunction || isFunction == function && lines <= longest {
				continue
			}
			file, symbol, function, longest = path.Join(dir, name), found, isFunction, lines
		}
	}
	return file, symbol
}

// pickExport returns the first function of an export list, else its first name.
func pickExport(list string) (name string, function bool) {
	for _, item := range strings.Split(list, ", ") {
		n, kind, ok := strings.Cut(item, " (")
		switch {
		case !ok:
		case strings.HasPrefix(kind, "function"):
			return n, true
		case name == "":
			name = n
		}
	}
	return name, false
}

// serverCommand is how the demonstration starts the server: this program again.
func serverCommand(p *program, root string) ([]string, error) {
	self := p.Executable
	if self == "" {
		return nil, fmt.Errorf("the program's own file cannot be told: %w", os.ErrNotExist)
	}
	return []string{self, "serve", "--trial", "--root", root}, nil
}
