package symbols

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrUnknownLanguage is returned by [Parser.Parse] for a path that no language
// claims.
var ErrUnknownLanguage = errors.New("unknown language")

// ErrNoGrammar is returned by [Parser.Parse] for a language that this build
// cannot parse, since its parser is written in C.
var ErrNoGrammar = errors.New("no grammar in this build; build with CGO_ENABLED=1 and a C compiler")

// ErrTooSlow is returned by [Parser.Parse] for a text that takes longer than
// [ParseTimeout] or the context's own deadline.
var ErrTooSlow = errors.New("parsing took too long")

// ParseTimeout is the longest that one file may take.
const ParseTimeout = 2 * time.Second

// Language parses the files of one language. Implementations are safe for
// concurrent use.
type Language interface {
	// Name is the language's name in lower case, "typescript".
	Name() string
	// Match reports whether the language claims the path, by its last part.
	Match(path string) bool
	// Parse finds the declarations of src. The path tells dialects apart
	// and is not opened. The error is ErrNoGrammar or the context's.
	Parse(ctx context.Context, path string, src []byte) (File, error)
}

// Parser finds the language of a file and parses it. It is safe for
// concurrent use.
type Parser struct {
	languages []Language
}

// NewParser returns a parser for the given languages; the first that matches a
// path is taken.
func NewParser(languages ...Language) *Parser {
	return &Parser{languages: languages}
}

// Language returns the language that claims path, or nil.
func (p *Parser) Language(path string) Language {
	for _, l := range p.languages {
		if l.Match(path) {
			return l
		}
	}
	return nil
}

// Parse finds the declarations of src, the text of the file at path, which is
// not opened. Besides the context's cancellation the errors are
// ErrUnknownLanguage, ErrNoGrammar and ErrTooSlow; a syntax error is none.
func (p *Parser) Parse(ctx context.Context, path string, src []byte) (File, error) {
	l := p.Language(path)
	if l == nil {
		return File{}, fmt.Errorf("%q: %w", path, ErrUnknownLanguage)
	}
	ctx, cancel := context.WithTimeout(ctx, ParseTimeout)
	defer cancel()
	f, err := l.Parse(ctx, path, src)
	if errors.Is(err, context.DeadlineExceeded) {
		err = ErrTooSlow
	}
	if err != nil {
		return File{}, fmt.Errorf("%q: %s: %w", path, l.Name(), err)
	}
	return f, nil
}
