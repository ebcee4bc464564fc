package testscripts_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const prefix = "github.com/slipstream-mcp/slipstream/"

// siblings says which modules of this repository a module's own code may import; its tests may import more only where they
// compose, in server and testscripts. A module that is not listed is a fault.
func siblings() map[string][]string {
	leaves := []string{"mcpproto", "symbols", "mapper", "memstore", "budget", "mermaid"}
	table := map[string][]string{"server": leaves, "testscripts": {"server"}}
	for _, leaf := range leaves {
		table[leaf] = nil
	}
	return table
}

// thirdParty says which folders alone may import a module of others, and all below them.
func thirdParty() map[string]string {
	return map[string]string{
		"github.com/invopop/jsonschema":            "mcpproto/schema",
		"github.com/santhosh-tekuri/jsonschema/v5": "mcpproto/schema",
		"github.com/smacker/go-tree-sitter":        "symbols",
		"github.com/blevesearch/snowballstem":      "mapper memstore",
		"github.com/gofrs/flock":                   "memstore/lockedfile",
		"github.com/goccy/go-yaml":                 "memstore/internal/frontmatter",
		"modernc.org/sqlite":                       "memstore/index",
		"github.com/rogpeppe/go-internal":          "testscripts",
		"github.com/spf13/cobra":                   "server/internal/cli",
		"github.com/vbauerster/mpb/v8":             "server/internal/cli",
		"golang.org/x/term":                        "server/internal/cli",
	}
}

// source is one Go file of the repository, path from its root.
type source struct {
	path string
	text string
	fset *token.FileSet
	file *ast.File
}

func (s source) module() string { m, _, _ := strings.Cut(s.path, "/"); return m }
func (s source) isTest() bool   { return strings.HasSuffix(s.path, "_test.go") }

// repository returns the root of the repository; a test that needs it is skipped in a copy of this module alone.
func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.work")); err != nil {
		t.Skip("this module stands alone, outside its repository: ", err)
	}
	return root
}

// walk calls f with every file of the repository that is its own work: no history, no downloads, nothing built, nothing
// hidden but .ci.
func walk(t *testing.T, f func(rel string)) {
	t.Helper()
	root := repository(t)
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		if d.IsDir() {
			if base := d.Name(); base == "node_modules" || base == "dist" || rel == "bin" || strings.HasPrefix(base, ".") && rel != "." && rel != ".ci" {
				return filepath.SkipDir
			}
			return nil
		}
		if ext := filepath.Ext(rel); ext != ".test" && ext != ".prof" {
			f(filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// sources parses every Go file that is code and not somebody's fixture.
func sources(t *testing.T) []source {
	t.Helper()
	root := repository(t)
	var all []source
	walk(t, func(rel string) {
		if !strings.HasSuffix(rel, ".go") || strings.Contains(rel, "testdata/") {
			return
		}
		text, err := os.ReadFile(filepath.Join(root, rel))
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, rel, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, source{rel, string(text), fset, file})
	})
	return all
}

func TestPolicy_Imports(t *testing.T) {
	allowed, others := siblings(), thirdParty()
	coreBans := []string{"os", "net", "net/http", "os/exec", "bufio", "log", "log/slog", "time", "math/rand", "math/rand/v2"}
	for _, s := range sources(t) {
		own, listed := allowed[s.module()]
		if !listed {
			t.Errorf("%s: module %q is not in the table of siblings", s.path, s.module())
			continue
		}
		judge := strings.HasPrefix(s.path, "testscripts/judge/")
		if judge && !strings.HasPrefix(s.text, "//go:build ignore\n") {
			t.Errorf("%s does not begin with %q; go mod tidy reads files of every other tag", s.path, "//go:build ignore")
		}
		for _, spec := range s.file.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			first, _, _ := strings.Cut(name, "/")
			switch {
			case strings.HasPrefix(name, prefix):
				module, _, _ := strings.Cut(strings.TrimPrefix(name, prefix), "/")
				composes := s.isTest() && (s.module() == "testscripts" || s.module() == "server")
				if module != s.module() && !slices.Contains(own, module) && !composes && !judge {
					t.Errorf("%s imports sibling %q; %s may import %q", s.path, name, s.module(), own)
				}
			case strings.Contains(first, "."):
				if !judge && !importedIn(others, name, s.path) {
					t.Errorf("%s imports %q, which the table of third-party code does not give it", s.path, name)
				}
			case path.Dir(s.path) == "mcpproto" && !s.isTest() && slices.Contains(coreBans, name):
				t.Errorf("%s imports %q; the protocol core takes bytes and gives bytes", s.path, name)
			}
		}
	}
}

func importedIn(table map[string]string, name, file string) bool {
	for module, folder := range table {
		if name == module || strings.HasPrefix(name, module+"/") {
			return slices.ContainsFunc(strings.Fields(folder), func(f string) bool { return strings.HasPrefix(file, f+"/") })
		}
	}
	return false
}

func TestPolicy_Packages(t *testing.T) {
	banned := []string{"util", "utils", "common", "helper", "helpers", "types", "base", "misc", "shared", "core", "lib", "pkg", "models", "internal"}
	comments := map[string]int{}
	for _, s := range sources(t) {
		if slices.Contains(banned, strings.TrimSuffix(s.file.Name.Name, "_test")) {
			t.Errorf("%s: package %q says nothing of what its caller gets", s.path, s.file.Name.Name)
		}
		for _, decl := range s.file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s: func init; tables are written by hand, values made where they are used", s.path)
			}
		}
		if s.isTest() {
			continue
		}
		dir := path.Dir(s.path)
		if _, seen := comments[dir]; !seen {
			comments[dir] = 0
		}
		if doc := s.file.Doc; doc != nil && len(strings.TrimSpace(doc.Text())) > 0 {
			comments[dir]++
		}
	}
	for dir, n := range comments {
		if n == 0 {
			t.Errorf("%s: no package comment", dir)
		}
	}
}

func TestPolicy_Files(t *testing.T) {
	const most = 700
	eaten := regexp.MustCompile(`_(aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|` +
		`386|amd64|arm|arm64|loong64|mips|mips64|ppc64|ppc64le|riscv64|s390x|wasm)(_test)?\.go$`)
	for _, s := range sources(t) {
		if n := strings.Count(s.text, "\n"); n > most {
			t.Errorf("%s has %d lines, over %d: split it by meaning", s.path, n, most)
		}
		if m := eaten.FindStringSubmatch(s.path); m != nil && !regexp.MustCompile(`(?m)^//go:build .*\b`+m[1]+`\b`).MatchString(s.text) {
			t.Errorf("%s: the suffix limits the file to %s; say it in a build tag too, or choose a full word", s.path, m[1])
		}
	}
	home := realHome()
	root := repository(t)
	walk(t, func(rel string) {
		if strings.HasPrefix(rel, "internal/") {
			t.Errorf("%s: modules share no internal package", rel)
		}
		if path.Base(rel) == "go.mod" && strings.Contains(rel, "testdata/") {
			t.Errorf("%s cuts its folder out of the module: name it go.mod.txt", rel)
		}
		text, err := os.ReadFile(filepath.Join(root, rel))
		if err != nil {
			t.Fatal(err)
		}
		for _, machine := range []string{root, home} {
			if len(machine) > 1 && regexp.MustCompile(regexp.QuoteMeta(machine)+`\b`).Match(text) {
				t.Errorf("%s names %q, a path of this machine", rel, machine)
			}
		}
	})
}

// TestPolicy_Tools holds that a tool is one file, named as on the wire, with one transcript of that name.
func TestPolicy_Tools(t *testing.T) {
	var names []string
	for _, s := range sources(t) {
		if path.Dir(s.path) != "server/internal/tools" || s.isTest() {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			fun, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || fun.Sel.Name != "Tool" && fun.Sel.Name != "ResultTool" {
				return true
			}
			if x, ok := fun.X.(*ast.Ident); !ok || x.Name != "schema" {
				return true
			}
			name := "?"
			if lit, ok := call.Args[0].(*ast.BasicLit); ok {
				name, _ = strconv.Unquote(lit.Value)
			}
			names = append(names, name)
			if path.Base(s.path) != name+".go" {
				t.Errorf("%s makes tool %q; a tool stands alone in a file of its name", s.path, name)
			}
			if _, err := os.Stat(filepath.Join("tools", name+".txtar")); err != nil {
				t.Errorf("tool %q has no transcript: %v", name, err)
			}
			return true
		})
	}
	var listed []string
	for _, tool := range listTools(t) {
		listed = append(listed, tool.Name)
	}
	slices.Sort(names)
	if got := slices.Sorted(slices.Values(listed)); !slices.Equal(got, names) {
		t.Errorf("tools/list names %q, the files make %q", got, names)
	}
	scripts, err := filepath.Glob("tools/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		base := strings.TrimSuffix(filepath.Base(script), ".txtar")
		if !slices.ContainsFunc(names, func(n string) bool { return base == n || strings.HasPrefix(base, n+"_") }) {
			t.Errorf("%s is named after no tool", script)
		}
	}
}
