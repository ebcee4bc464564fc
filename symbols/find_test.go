package symbols_test

import (
	"errors"
	"go/ast"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/symbols"
	"github.com/slipstream-mcp/slipstream/symbols/golang"
)

// twins has overloads, members of one name, an alias and a default.
var twins = symbols.File{Decls: []symbols.Decl{
	{Name: "parse", Qualified: "parse", Top: true, Exported: true, NameLine: 1},
	{Name: "parse", Qualified: "parse", Top: true, Exported: true, NameLine: 2},
	{Name: "parse", Qualified: "parse", Top: true, NameLine: 3},
	{Name: "Server", Qualified: "Server", Top: true, Exported: true, Default: true, NameLine: 4},
	{Name: "close", Qualified: "Server.close", NameLine: 5},
	{Name: "#key", Qualified: "Server.#key", NameLine: 6},
	{Name: "start", Qualified: "Server.start", NameLine: 7},
	{Name: "Conn", Qualified: "Conn", Top: true, NameLine: 8},
	{Name: "close", Qualified: "Conn.close", NameLine: 9},
	{Name: "start", Qualified: "start", Top: true, NameLine: 10},
	{Name: "inner", Qualified: "NS.Deep.inner", NameLine: 11},
	{Name: "main", Qualified: "main", Top: true, Exported: true, Aliases: []string{"run"}, NameLine: 12},
}}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		name string
		want []int // name lines
	}{
		{"parse", []int{1, 2}},
		{"parse#1", []int{1}},
		{"parse#2", []int{2}},
		{"parse#3", []int{3}},
		{"default", []int{4}},
		{"Server", []int{4}},
		{" Server ", []int{4}},
		{"Server.close", []int{5}},
		{"Server.close#1", []int{5}},
		{"Server.#key", []int{6}},
		{"#key", []int{6}},
		{"start", []int{10}},
		{"inner", []int{11}},
		{"Deep.inner", []int{11}},
		{"run", []int{12}},
	} {
		found, err := twins.Find(c.name)
		var got []int
		for _, d := range found {
			got = append(got, d.NameLine)
		}
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("Find(%q) = %v, %v, want %v", c.name, got, err, c.want)
		}
	}
}

func TestFind_Errors(t *testing.T) {
	var ambiguous *symbols.AmbiguousError
	if _, err := twins.Find("close"); !errors.As(err, &ambiguous) || !reflect.DeepEqual(ambiguous.Candidates, []string{"Server.close", "Conn.close"}) {
		t.Errorf("close: %v", err)
	}
	var missing *symbols.NotFoundError
	if _, err := twins.Find("Srever"); !errors.As(err, &missing) || missing.Near[0] != "Server" || len(missing.Near) != 8 {
		t.Errorf("Srever: %v", err)
	}
	if _, err := twins.Find(""); !errors.As(err, &missing) {
		t.Errorf("empty name: %v", err)
	}
	for name, want := range map[string]string{
		"parse#4": `"parse#4" is out of range; declarations of "parse": 3`,
		"parse#0": `"parse#0" is out of range; declarations of "parse": 3`,
	} {
		if _, err := twins.Find(name); err == nil || err.Error() != want {
			t.Errorf("Find(%q): %v, want %s", name, err, want)
		}
	}
}

// TestNear takes real names, changes them as people and models do, and wants
// the real one among the first five suggestions.
func TestNear(t *testing.T) {
	files := parseGo(t, "net/http/*.go", "go/ast/*.go", "reflect/*.go", "strings/*.go")
	rng := rand.New(rand.NewPCG(1, 2))
	const cases = 1000
	hits := 0
	for range cases {
		f := files[rng.IntN(len(files))]
		d := f.Decls[rng.IntN(len(f.Decls))]
		name := change(rng, d.Name)
		if d.Owner() != "" && rng.IntN(2) == 0 {
			name = d.Owner() + "." + name
		}
		_, err := f.Find(name)
		var missing *symbols.NotFoundError
		if !errors.As(err, &missing) {
			hits++ // another declaration has that name
			continue
		}
		if slices.Contains(missing.Near[:min(5, len(missing.Near))], d.Qualified) {
			hits++
		}
	}
	if hits < cases*95/100 {
		t.Errorf("%d of %d changed names bring the right one, want 95 %%", hits, cases)
	}
	t.Logf("%d of %d", hits, cases)
}

func change(rng *rand.Rand, name string) string {
	i := rng.IntN(len(name))
	switch rng.IntN(6) {
	case 0: // a letter more
		return name[:i] + string(rune('a'+rng.IntN(26))) + name[i:]
	case 1: // another letter
		return name[:i] + string(rune('a'+rng.IntN(26))) + name[i+1:]
	case 2: // a letter less
		return name[:i] + name[i+1:]
	case 3: // case
		if ast.IsExported(name) {
			return strings.ToLower(name)
		}
		return strings.ToUpper(name)
	case 4: // two letters swapped
		if i > 0 {
			return name[:i-1] + name[i:i+1] + name[i-1:i] + name[i+1:]
		}
		return name + name[:1]
	default: // suffix
		return name + []string{"s", "er", "ing", "Func", "2", "Async"}[rng.IntN(6)]
	}
}

func parseGo(t *testing.T, patterns ...string) []symbols.File {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip(err)
	}
	var files []symbols.File
	for _, p := range patterns {
		paths, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src", p))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := golang.Language{}.Parse(t.Context(), path, src)
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Decls) > 0 {
				files = append(files, f)
			}
		}
	}
	if len(files) == 0 {
		t.Skip("no sources of the standard library")
	}
	return files
}
