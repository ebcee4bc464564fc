// Package mapper turns a project into a map: the files git sees, what each
// declares and is for, which of them the rest of the project leans on, and a
// search over all of it. It renders the map as Markdown that fits a token
// budget.
//
// It parses no language and keeps no source text: a [Options.Parse] function
// gives the declarations, and a [Map] holds names, lines and purposes only. It
// writes nothing, follows no symbolic link and watches nothing; a second
// [Scan] with the same [Cache] looks at every file again and parses what
// changed.
//
//	m, err := mapper.Scan(ctx, root.FS(), mapper.Options{Parse: parse, Dir: dir})
//	if err != nil {
//		return err
//	}
//	fmt.Print(m.Outline(mapper.OutlineOptions{MaxTokens: 4000}))
package mapper

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// File is one file of a project, mapped or skipped.
type File struct {
	Path     string   // slash-separated, relative to the scanned root
	Language string   // "" when unknown
	Purpose  string   // one line; made from the main exports when the file says nothing itself
	Lines    int      // as an editor counts: none extra after a final newline
	Bytes    int64    // size on disk
	Symbols  []Symbol // every declaration, in source order
	Imports  []string // import specifiers as written
	Idents   []string // distinct identifiers in the file, sorted: every word of it outside comments and strings, keywords too
	Skipped  string   // why the file is not mapped, see the Skip constants; "" = mapped
}

// Why a file is listed and not mapped. A parse function may give reasons of
// its own in [File.Skipped].
const (
	SkipBinary     = "binary"
	SkipMinified   = "minified"
	SkipTooLarge   = "too large"
	SkipUnreadable = "unreadable"
	SkipFolder     = "unreadable folder" // the path is a folder's; what is in it is unknown
	SkipSymlink    = "symlink"
	SkipIrregular  = "not a regular file"
	SkipUnparsed   = "not parsed" // the parse function returned an error
	SkipUnknown    = "unknown language"
)

// Symbol is one declaration of a file.
type Symbol struct {
	Name      string // "Serve"
	Qualified string // "Server.Serve"; the name itself at top level
	Kind      string // "function", "method", …
	Signature string // first line of the declaration; never rendered
	Exported  bool   // part of the public surface, by the language's own rule
	Top       bool   // declared at top level, not a member
	Forwarded bool   // declared in another file and only exported again; found after the declaration itself
	Line      int    // line of the name, from 1
	End       int    // last line
}

// Map is a scanned project. It does not change after [Scan]; what its methods
// need beyond the files is computed on first use. It is safe for concurrent use.
type Map struct {
	Files       []File   // mapped and skipped, in the order of [ComparePaths]
	EntryPoints []string // paths where the project starts, sorted

	tokens  func(string) int
	bodies  []*body // parallel to Files
	vocab   *vocabulary
	symbols int
	bytes   int64
	mapped  int

	ranks func() []float64
	index func() *index

	mu          sync.Mutex
	whole       *pieces // of the unnarrowed map, counted by tokens
	outlined    string  // the last outline of whole
	outlinedFor int
}

// ComparePaths orders slash-separated paths by folder, then by name, both byte
// by byte, so that the files of a folder stand together and a folder stands
// right before its subfolders.
func ComparePaths(a, b string) int {
	da, na := splitPath(a)
	db, nb := splitPath(b)
	if c := compareFolders(da, db); c != 0 {
		return c
	}
	return cmp.Compare(na, nb)
}

// compareFolders orders folders name by name: a slash sorts below every other
// byte.
func compareFolders(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] == b[i] {
			continue
		}
		switch {
		case a[i] == '/':
			return -1
		case b[i] == '/':
			return 1
		}
		return cmp.Compare(a[i], b[i])
	}
	return cmp.Compare(len(a), len(b))
}

// splitPath gives the folder of a path, "" for the root, and its last name.
func splitPath(path string) (folder, name string) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", path
	}
	return path[:i], path[i+1:]
}

// File gives the file at path, a slash-separated path relative to the root.
func (m *Map) File(path string) (File, bool) {
	i, ok := m.find(path)
	if !ok {
		return File{}, false
	}
	return m.Files[i], true
}

// Importance gives how much the rest of the project refers to a file, 1 on
// average; 0 for a file that is not mapped.
func (m *Map) Importance(path string) float64 {
	i, ok := m.find(path)
	if !ok || m.ranks == nil {
		return 0
	}
	return m.ranks()[i]
}

func (m *Map) find(path string) (int, bool) {
	return slices.BinarySearchFunc(m.Files, path, func(f File, p string) int { return ComparePaths(f.Path, p) })
}

// Mapped gives the files that are mapped, in order.
func (m *Map) Mapped() []File {
	files := make([]File, 0, m.mapped)
	for _, f := range m.Files {
		if f.Skipped == "" {
			files = append(files, f)
		}
	}
	return files
}

// Skipped counts the files that are listed and not mapped, by reason.
func (m *Map) Skipped() map[string]int {
	reasons := map[string]int{}
	for i := range m.Files {
		if r := m.Files[i].Skipped; r != "" {
			reasons[r]++
		}
	}
	return reasons
}

// SymbolCount counts the exported top-level names of the mapped files;
// declarations that share a name within a file count once.
func (m *Map) SymbolCount() int { return m.symbols }

// Bytes is the size of all mapped files.
func (m *Map) Bytes() int64 { return m.bytes }

// newMap completes a map from what was parsed, in the order of the paths.
func newMap(files []*parsed, vocab *vocabulary, tokens func(string) int) *Map {
	m := &Map{vocab: vocab, bodies: make([]*body, len(files)), tokens: tokens, Files: make([]File, len(files))}
	if m.tokens == nil {
		m.tokens = thirdOfBytes
	}
	for i, p := range files {
		m.bodies[i] = p.body
		m.Files[i] = p.file
		if p.file.Skipped == "" {
			m.mapped++
			m.symbols += len(p.exports)
			m.bytes += p.file.Bytes
		}
	}
	m.EntryPoints = m.entryPoints()
	m.ranks = sync.OnceValue(m.rank)
	m.index = sync.OnceValue(m.buildIndex)
	return m
}

// madeOf reports whether the map was made of exactly these files.
func (m *Map) madeOf(files []*parsed) bool {
	return slices.EqualFunc(m.bodies, files, func(b *body, p *parsed) bool { return b == p.body })
}

// thirdOfBytes is the token count used when the caller gives none: a little
// above what source text really takes, so that a budget holds.
func thirdOfBytes(s string) int { return (len(s) + 2) / 3 }
