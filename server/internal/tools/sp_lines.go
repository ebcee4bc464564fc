package tools

import (
	"context"
	"fmt"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
	"github.com/slipstream-mcp/slipstream/server/internal/project"
)

const spLinesDoc = "Use to read an exact line range of a text file, as an error, a search hit or a diff names it. Lines are 1-based and inclusive; the header tells the range served."

type spLinesArgs struct {
	File  string `json:"file" jsonschema_description:"path in the project"`
	Start int    `json:"start" jsonschema_description:"first line, 1-based"`
	End   int    `json:"end" jsonschema_description:"last line, inclusive"`
	Root  string `json:"root,omitempty" jsonschema_description:"another project folder"`
}

func spLines(d Deps) mcpproto.Tool {
	return schema.Tool("sp_lines", spLinesDoc, func(ctx context.Context, in spLinesArgs) (string, error) {
		p, err := d.Projects.Open(in.Root)
		if err != nil {
			return "", err
		}
		defer p.Close()
		file, err := p.Path(in.File)
		if err != nil {
			return "", err
		}
		got, err := p.Lines(ctx, in.File, file, in.Start, in.End, maxAnswer)
		if err != nil {
			return "", missing(ctx, p, file, err, func(hint string) error {
				return fmt.Errorf("%w%s", err, hint)
			})
		}
		readsProject(ctx, p.Dir()+"/"+file, len(got.Text), got.Bytes, got.Tokens)
		return renderLines(plain(file), got), nil
	})
}

func renderLines(file string, got project.Slice) string {
	if got.Total == 0 {
		return fmt.Sprintf("// %s:0-0 (empty file)", file)
	}
	return slice{
		file: file, text: got.Text, first: got.First, last: got.Last, total: got.Total, label: decodedFrom(got.Encoding),
	}.String()
}
