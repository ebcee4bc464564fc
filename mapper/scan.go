package mapper

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"time"
)

// Options says how a project is scanned. The zero value lists the files by our
// own ignore rules and maps none of them.
type Options struct {
	// Parse fills Language, Purpose, Symbols and Imports of one file, and may
	// set Skipped. It is called on several goroutines at once. nil maps nothing.
	Parse func(ctx context.Context, path string, src []byte) (File, error)

	// Tokens counts the tokens of a text, for maps under a budget; nil =
	// bytes/3. It need not be additive.
	Tokens func(string) int

	// Dir is the root of fsys as a real directory, for git; "" = our own rules
	// on fsys alone.
	Dir string

	// Cache keeps parsed files between scans of one root; nil = none.
	Cache *Cache

	// MaxFileBytes bounds what is read of one file; 0 = 10 MiB.
	MaxFileBytes int64

	// Progress is told how many files are done of how many; calls do not
	// overlap. nil = nobody is told.
	Progress func(done, total int)

	// Env is the environment git runs in, "key=value"; nil = the process's own.
	Env []string

	// Now gives the time; nil = time.Now. It tells files that were touched a
	// moment ago from those that are at rest.
	Now func() time.Time
}

const defaultMaxFileBytes = 10 << 20

func (o Options) env() []string {
	if o.Env != nil {
		return o.Env
	}
	return os.Environ()
}

func (o Options) now() time.Time {
	if o.Now != nil {
		return o.Now()
	}
	return time.Now()
}

func (o Options) maxBytes() int64 {
	if o.MaxFileBytes > 0 {
		return o.MaxFileBytes
	}
	return defaultMaxFileBytes
}

// Scan maps the project below the root of fsys. The answer describes the files
// as they are during the call, whatever the cache holds. Every listed file is
// in the map, mapped or skipped with a reason; a folder that cannot be read
// costs that folder. The error is ctx's, or says that the root cannot be read.
func Scan(ctx context.Context, fsys fs.FS, opts Options) (*Map, error) {
	kept := opts.Cache.snapshot(opts.Dir)
	l := kept.listing
	var files []found
	ok := false
	var err error
	if l != nil {
		if files, ok, err = l.check(ctx, fsys); err != nil {
			return nil, err
		}
	}
	if !ok {
		if l, files, err = list(ctx, fsys, opts); err != nil {
			return nil, err
		}
	}
	s := &scanner{fsys: fsys, opts: opts, kept: kept.files, vocab: kept.vocab, now: opts.now()}
	out, err := s.scan(ctx, files)
	if err != nil {
		return nil, err
	}
	m := kept.last
	if m != nil && ok && len(s.todo) == 0 && len(out) == len(kept.files) {
		return m, nil
	}
	if m == nil || !m.madeOf(out) {
		m = newMap(out, kept.vocab, opts.Tokens)
	}
	opts.Cache.keep(opts.Dir, l, out, m)
	return m, nil
}

type scanner struct {
	fsys  fs.FS
	opts  Options
	kept  map[string]*parsed
	vocab *vocabulary
	now   time.Time

	todo []int // files to look into

	mu   sync.Mutex
	done int
}

// scan gives the parsed files in the order of files, without those that have
// vanished since they were listed.
func (s *scanner) scan(ctx context.Context, files []found) ([]*parsed, error) {
	out := make([]*parsed, len(files))
	for i, f := range files {
		if p := s.kept[f.path]; f.info != nil && p.current(stampOf(f.info)) {
			out[i] = p
		} else {
			s.todo = append(s.todo, i)
		}
	}
	s.done = len(files) - len(s.todo)
	err := each(ctx, len(s.todo), func(i int) {
		at := s.todo[i]
		out[at] = s.file(ctx, files[at])
		s.progress(len(files))
	})
	if err != nil {
		return nil, err
	}
	n := 0
	for _, p := range out {
		if p != nil {
			out[n] = p
			n++
		}
	}
	return out[:n], nil
}

func (s *scanner) progress(total int) {
	if s.opts.Progress == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done++
	s.opts.Progress(s.done, total)
}

// file reads and parses one file, nil when it is gone.
func (s *scanner) file(ctx context.Context, f found) *parsed {
	skip := func(reason string) *parsed {
		p := &parsed{body: &body{file: File{Path: f.path, Skipped: reason}}}
		if f.info != nil {
			p.stamp = stampOf(f.info)
			p.file.Bytes = f.info.Size()
			// Whether a file can be read may change without a trace in its stamp.
			p.settled = reason != SkipUnreadable && p.stamp.settled(s.now)
		}
		if old := s.kept[f.path]; old != nil && old.file.Skipped == reason && old.file.Bytes == p.file.Bytes {
			p.body = old.body
		}
		return p
	}
	switch {
	case f.info == nil && f.kind.IsDir():
		return skip(SkipFolder)
	case f.info == nil:
		return skip(SkipUnreadable)
	case f.kind == fs.ModeSymlink:
		return skip(SkipSymlink)
	case !f.kind.IsRegular():
		return skip(SkipIrregular)
	case f.info.Size() > s.opts.maxBytes():
		return skip(SkipTooLarge)
	}
	src, info, err := readFile(s.fsys, f.path, s.opts.maxBytes())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, errTooLarge):
		return skip(SkipTooLarge)
	case errors.Is(err, errIrregular):
		return skip(SkipIrregular)
	case err != nil:
		return skip(SkipUnreadable)
	}
	p := &parsed{stamp: stampOf(info)}
	p.settled = p.stamp.settled(s.now)
	old := s.kept[f.path]
	if !p.settled || old != nil && !old.settled {
		p.sum = sha256.Sum256(src)
	}
	if old.same(p.sum) {
		p.body = old.body
	} else {
		p.body = s.parse(ctx, f.path, src)
	}
	return p
}

// parse makes the body of a file from its content.
func (s *scanner) parse(ctx context.Context, name string, src []byte) *body {
	f := File{Path: name, Skipped: SkipUnknown}
	text := decode(src)
	binary := isBinary(src)
	switch {
	case binary:
		f.Skipped = SkipBinary
	case isMinified(name, text):
		f.Skipped = SkipMinified
	case s.opts.Parse != nil:
		var err error
		if f, err = s.opts.Parse(ctx, name, text); err != nil && f.Skipped == "" {
			f.Skipped = SkipUnparsed
		}
	}
	f.Path, f.Bytes = name, int64(len(src))
	if !binary {
		f.Lines = countLines(text)
	}
	b := &body{test: isTest(name)}
	if f.Skipped == "" {
		f.Idents = identifiers(name, text)
		b.exports = exported(f.Symbols)
		if f.Purpose = strings.Join(strings.Fields(f.Purpose), " "); f.Purpose == "" {
			f.Purpose, b.derived = exportsPurpose(f.Symbols, b.exports), true
		}
	}
	if !binary {
		b.starts = manifest(path.Base(name), f, text)
	}
	b.file = f
	s.number(b)
	return b
}

// number gives the words of a file their numbers.
func (s *scanner) number(b *body) {
	f := &b.file
	b.idents = s.vocab.intern(f.Idents)
	var inner []string
	var names []string
	for _, at := range b.exports {
		if sym := f.Symbols[at]; !sym.Forwarded {
			names = append(names, sym.Name)
		}
	}
	for _, sym := range f.Symbols {
		if !sym.Exported || !sym.Top || sym.Forwarded {
			inner = append(inner, sym.Name)
		}
	}
	b.terms[inPath] = s.vocab.add(strings.Split(f.Path, "/")...)
	b.terms[inExports] = s.vocab.add(names...)
	b.terms[inMembers] = s.vocab.add(inner...)
	if !b.derived {
		b.terms[inPurpose] = s.vocab.add(f.Purpose)
	}
	b.exportIDs = s.vocab.intern(names)
}

var (
	errTooLarge  = errors.New("file is too large")
	errIrregular = errors.New("not a regular file")
)

// readFile reads a regular file of at most limit bytes. What was opened is
// checked, not what was listed: the entry may have been replaced in between.
// The state given is that before the read, so that a write during it shows
// next time.
func readFile(fsys fs.FS, name string, limit int64) ([]byte, fs.FileInfo, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular():
		return nil, nil, errIrregular
	case info.Size() > limit:
		return nil, nil, errTooLarge
	}
	src := make([]byte, 0, info.Size()+1)
	for {
		n, err := f.Read(src[len(src):cap(src)])
		src = src[:len(src)+n]
		switch {
		case err == io.EOF:
			return src, info, nil
		case err != nil:
			return nil, nil, err
		case int64(len(src)) > limit:
			return nil, nil, errTooLarge
		case len(src) == cap(src):
			src = append(src, 0)[:len(src)]
		}
	}
}
