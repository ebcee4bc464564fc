package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/slipstream-mcp/slipstream/budget"
	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
	"github.com/slipstream-mcp/slipstream/server/internal/project"
	"github.com/slipstream-mcp/slipstream/symbols"
)

const spSymbolDoc = "Use to read one declaration instead of a whole file. Gives its doc comment, decorators and body, byte for byte. symbol is a name from sp_map or sp_search, Type.member, default, or name#2 for the second of one name."

type spSymbolArgs struct {
	File   string `json:"file" jsonschema_description:"path in the project"`
	Symbol string `json:"symbol" jsonschema_description:"name, Type.member, default or name#2"`
	Root   string `json:"root,omitempty" jsonschema_description:"another project folder"`
}

func spSymbol(d Deps) mcpproto.Tool {
	return schema.Tool("sp_symbol", spSymbolDoc, func(ctx context.Context, in spSymbolArgs) (string, error) {
		p, err := d.Projects.Open(in.Root)
		if err != nil {
			return "", err
		}
		defer p.Close()
		file, err := p.Path(in.File)
		if err != nil {
			return "", err
		}
		src, err := p.Read(in.File, file, project.MaxSource)
		if err != nil {
			if errors.Is(err, project.ErrTooLarge) {
				return "", noSymbols(in.File, "too large")
			}
			return "", missing(ctx, p, file, err, func(hint string) error {
				return fmt.Errorf("no file %q in the project%s", in.File, hint)
			})
		}
		switch why := project.Unparsed(file, src); why {
		case "":
		case "binary":
			return "", fmt.Errorf("%s is binary", plain(in.File))
		default:
			return "", noSymbols(in.File, why)
		}
		text, enc := symbols.Decode(src)
		if enc == symbols.Invalid {
			text = src // the parsers read it as it is; what is served is made valid then
		}
		f, err := d.Projects.Parse(ctx, file, text)
		if err != nil {
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			return "", noSymbols(in.File, project.Refused(err))
		}
		found, err := f.Find(in.Symbol)
		if err != nil {
			return "", symbolMiss(in.File, f, err)
		}
		sliceBytes := 0
		for _, d := range found {
			sliceBytes += d.EndByte - d.StartByte
		}
		readsProject(ctx, p.Dir()+"/"+file, sliceBytes, len(src), budget.TokensOf(src))
		s := symbolSource{file: plain(file), text: text, all: f, decoded: decodedFrom(enc)}
		return s.render(in.Symbol, found), nil
	})
}

func noSymbols(file, why string) error {
	return fmt.Errorf("cannot find symbols in %s (%s); use sp_lines", plain(file), why)
}

// symbolMiss says what the file has instead.
func symbolMiss(file string, f symbols.File, err error) error {
	var miss *symbols.NotFoundError
	if !errors.As(err, &miss) {
		return err
	}
	near := miss.Near
	if len(near) > 0 && !strings.Contains(miss.Name, ".") && !strings.Contains(near[0], ".") {
		near = slices.DeleteFunc(near, func(n string) bool { return strings.Contains(n, ".") })
	}
	has := "it declares none"
	if len(near) > 0 {
		verb := "exports"
		if slices.ContainsFunc(f.Decls, func(d symbols.Decl) bool { return !d.Exported && slices.Contains(near, d.Qualified) }) {
			verb = "declares"
		}
		has = fmt.Sprintf("it %s: %s", verb, plain(strings.Join(near, ", ")))
	}
	if f.Errors {
		has += "; the parser met errors in this file"
	}
	return fmt.Errorf("no symbol %q in %s; %s", miss.Name, plain(file), has)
}
