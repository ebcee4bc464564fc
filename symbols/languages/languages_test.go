package languages_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/symbols"
	"github.com/slipstream-mcp/slipstream/symbols/languages"
	"github.com/slipstream-mcp/slipstream/symbols/treesitter"
)

func TestParse_UnknownLanguage(t *testing.T) {
	_, err := languages.Parse(t.Context(), "notes.xyz", nil)
	if !errors.Is(err, symbols.ErrUnknownLanguage) {
		t.Errorf("got %v, want %v", err, symbols.ErrUnknownLanguage)
	}
}

func TestParse_ByPath(t *testing.T) {
	for path, want := range map[string]string{
		"a.go": "go", "dir/a.ts": "typescript", "a.tsx": "typescript", "a.d.ts": "typescript", "a.mts": "typescript", "a.cts": "typescript",
		"a.js": "javascript", "a.jsx": "javascript", "a.mjs": "javascript", "a.cjs": "javascript", "A.JS": "javascript",
		"a.py": "python", "a.pyi": "python",
	} {
		if l := symbols.NewParser(languages.All()...).Language(path); l == nil || l.Name() != want {
			t.Errorf("%s: got %v, want %s", path, l, want)
		}
	}
}

func TestMissing(t *testing.T) {
	missing := languages.Missing()
	for _, l := range languages.All() {
		_, err := languages.Parse(t.Context(), "a."+map[string]string{"go": "go", "javascript": "js", "python": "py", "typescript": "ts"}[l.Name()], []byte("x = 1\n"))
		named := strings.Contains(" "+strings.Join(missing, " ")+" ", " "+l.Name()+" ")
		if got := errors.Is(err, symbols.ErrNoGrammar); got != named {
			t.Errorf("%s: %v, missing %v", l.Name(), err, missing)
		}
	}
	if treesitter.Available && len(missing) > 0 {
		t.Errorf("missing %v with cgo", missing)
	}
}

func TestParse_Cancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, path := range []string{"a.go", "a.ts", "a.py"} {
		if _, err := languages.Parse(ctx, path, []byte("x")); !errors.Is(err, context.Canceled) && !errors.Is(err, symbols.ErrNoGrammar) {
			t.Errorf("%s: got %v, want %v", path, err, context.Canceled)
		}
	}
}

// TestParse_Hostile feeds what breaks parsers: each answers soon after its
// deadline, whatever the answer is.
func TestParse_Hostile(t *testing.T) {
	const deep, deadline, late = 100_000, 100 * time.Millisecond, 2 * time.Second
	for name, src := range map[string]string{
		"parentheses": strings.Repeat("(", deep),
		"brackets":    "x = " + strings.Repeat("[", deep) + strings.Repeat("]", deep),
		"braces":      strings.Repeat("{", deep) + strings.Repeat("}", deep),
		"namespaces":  strings.Repeat("namespace A {", deep),
		"classes":     strings.Repeat("class A { static x = ", deep/10),
		"calls":       "package p; var x = " + strings.Repeat("f(", deep),
		"templates":   strings.Repeat("`${", deep),
		"blocks":      "package p; func f() {" + strings.Repeat("if x {", deep),
		"indents":     indents(2000),
		"ternaries":   "x = " + strings.Repeat("a ? ", deep),
		"angles":      "type A = " + strings.Repeat("A<", deep),
		"hex":         "var t = [" + strings.Repeat("0xff, ", 300_000) + "]",
		"nul":         "x = 1\x00\x00\ny = 2",
		"invalid":     "caf\xe9 = \xff\xfe",
		"crs":         strings.Repeat("\r", deep),
		"quotes":      strings.Repeat("'\"`", deep),
	} {
		for _, ext := range []string{"go", "ts", "tsx", "js", "py"} {
			start := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), deadline)
			_, err := languages.Parse(ctx, "a."+ext, []byte(src))
			cancel()
			if err != nil && !errors.Is(err, symbols.ErrTooSlow) && !errors.Is(err, symbols.ErrNoGrammar) {
				t.Errorf("%s as %s: %v", name, ext, err)
			}
			if d := time.Since(start); d > deadline+late {
				t.Errorf("%s as %s took %v", name, ext, d)
			}
		}
	}
}

func indents(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "if x:\n")
	}
	return b.String()
}

func TestParse_Concurrent(t *testing.T) {
	src := []byte("export function f() {}\nexport class C { m() {} }\n")
	want, err := languages.Parse(t.Context(), "a.ts", src)
	if err != nil {
		t.Skip(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if got, err := languages.Parse(t.Context(), "a.ts", src); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("got %v, %v", got, err)
				}
			}
		})
	}
	wg.Wait()
}
