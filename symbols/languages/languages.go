// Package languages is the table of all languages that slipstream reads.
// Importing it links every grammar; a program that needs one language imports
// that language's package instead.
package languages

import (
	"context"

	"github.com/slipstream-mcp/slipstream/symbols"
	"github.com/slipstream-mcp/slipstream/symbols/golang"
	"github.com/slipstream-mcp/slipstream/symbols/javascript"
	"github.com/slipstream-mcp/slipstream/symbols/python"
	"github.com/slipstream-mcp/slipstream/symbols/treesitter"
	"github.com/slipstream-mcp/slipstream/symbols/typescript"
)

// All lists every language; the first that matches a path is taken.
func All() []symbols.Language {
	return []symbols.Language{
		golang.Language{},
		javascript.Language{},
		python.Language{},
		typescript.Language{},
	}
}

// Parse finds the declarations of src, the text of the file at path, which is
// not opened. The errors are those of symbols.Parser.
func Parse(ctx context.Context, path string, src []byte) (symbols.File, error) {
	return symbols.NewParser(All()...).Parse(ctx, path, src)
}

// Missing names the languages that this build knows and cannot parse, in the
// order of All: those with a parser in C when cgo is off.
func Missing() []string {
	if treesitter.Available {
		return nil
	}
	var names []string
	for _, l := range All() {
		if l.Name() != (golang.Language{}).Name() {
			names = append(names, l.Name())
		}
	}
	return names
}
