package project

import (
	"context"
	"crypto/sha256"
	"errors"
	"path"
	"sync"

	"github.com/slipstream-mcp/slipstream/symbols"
	"github.com/slipstream-mcp/slipstream/symbols/languages"
)

// maxDeclared bounds how many parsed files are kept for the next call; the one unused longest goes first.
const maxDeclared = 64

// declared keeps the declarations of the files asked for last, by what was parsed: the same bytes under a name of the same
// kind. So they never describe another text than the one at hand.
type declared struct {
	mu     sync.Mutex
	files  map[declaredKey]parsed
	recent []declaredKey // the last used at the end
}

type declaredKey struct {
	name string
	sum  [sha256.Size]byte
}

// parsed is what came of a text: its declarations, or that it takes too long.
type parsed struct {
	file symbols.File
	err  error
}

// Parse returns the declarations of text, the content of the file at path. A text asked for before is not parsed again, nor
// one that took too long.
func (p *Projects) Parse(ctx context.Context, file string, text []byte) (symbols.File, error) {
	key := declaredKey{path.Base(file), sha256.Sum256(text)}
	if known, ok := p.declared.get(key); ok {
		return known.file, known.err
	}
	f, err := languages.Parse(ctx, file, text)
	if err == nil || errors.Is(err, symbols.ErrTooSlow) && ctx.Err() == nil {
		p.declared.put(key, parsed{f, err})
	}
	return f, err
}

func (d *declared) get(key declaredKey) (parsed, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f, ok := d.files[key]
	if ok {
		d.use(key)
	}
	return f, ok
}

func (d *declared) put(key declaredKey, f parsed) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.files == nil {
		d.files = map[declaredKey]parsed{}
	}
	d.files[key] = f
	d.use(key)
	if len(d.recent) > maxDeclared {
		delete(d.files, d.recent[0])
		d.recent = d.recent[1:]
	}
}

func (d *declared) use(key declaredKey) {
	for i, k := range d.recent {
		if k == key {
			d.recent = append(d.recent[:i], d.recent[i+1:]...)
			break
		}
	}
	d.recent = append(d.recent, key)
}
