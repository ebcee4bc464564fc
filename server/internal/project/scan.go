package project

import (
	"context"
	"errors"

	"github.com/slipstream-mcp/slipstream/budget"
	"github.com/slipstream-mcp/slipstream/mapper"
	"github.com/slipstream-mcp/slipstream/symbols"
	"github.com/slipstream-mcp/slipstream/symbols/languages"
)

// MaxSource is the size in bytes beyond which a source file is not parsed.
const MaxSource = 10 << 20

// Map scans the project: files that did not change since the last scan are not read again.
func (p *Project) Map(ctx context.Context, progress func(done, total int)) (*mapper.Map, error) {
	select {
	case p.scans.busy <- struct{}{}:
		defer func() { <-p.scans.busy }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return mapper.Scan(ctx, files{p.root}, mapper.Options{
		Parse:        parse,
		Tokens:       budget.Tokens,
		Dir:          p.dir,
		Cache:        &p.scans.cache,
		MaxFileBytes: MaxSource,
		Progress:     progress,
	})
}

// Near returns paths of the project that are close to one that is not there, best first.
func (p *Project) Near(ctx context.Context, file string) []string {
	paths, err := p.List(ctx)
	if err != nil {
		return nil
	}
	m := mapper.Map{Files: make([]mapper.File, len(paths))}
	for i, path := range paths {
		m.Files[i].Path = path
	}
	return m.Near(file)
}

// List returns the paths of the project's files.
func (p *Project) List(ctx context.Context) ([]string, error) {
	return mapper.List(ctx, files{p.root}, p.dir)
}

// Unparsed says in a few words why symbols cannot be had from a file, "" when they can. It is asked before a parse.
func Unparsed(file string, src []byte) string {
	switch {
	case symbols.IsBinary(src):
		return "binary"
	case symbols.IsMinified(file, src):
		return "minified"
	default:
		return ""
	}
}

// Refused says in a few words why a parse gave nothing.
func Refused(err error) string {
	for _, known := range []error{symbols.ErrUnknownLanguage, symbols.ErrNoGrammar, symbols.ErrTooSlow} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return err.Error()
}

// parse gives mapper what symbols knows of one file.
func parse(ctx context.Context, path string, src []byte) (mapper.File, error) {
	text, _ := symbols.Decode(src)
	f, err := languages.Parse(ctx, path, text)
	if err != nil {
		if ctx.Err() != nil {
			return mapper.File{}, ctx.Err()
		}
		return mapper.File{Skipped: Refused(err)}, nil
	}
	out := mapper.File{Language: f.Language, Purpose: f.Purpose, Imports: f.Imports, Symbols: make([]mapper.Symbol, len(f.Decls))}
	for i, d := range f.Decls {
		out.Symbols[i] = mapper.Symbol{
			Name: d.Name, Qualified: d.Qualified, Kind: string(d.Kind), Signature: d.Signature,
			Exported: d.Exported, Top: d.Top, Forwarded: d.Kind == symbols.ReExport, Line: d.NameLine, End: d.End,
		}
	}
	return out, nil
}
