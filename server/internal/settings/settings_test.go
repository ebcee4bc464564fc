package settings_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/server/internal/settings"
	"github.com/slipstream-mcp/slipstream/server/internal/state"
)

// load returns the settings of a project whose file holds text; "" is no file.
func load(t *testing.T, text string, env map[string]string) (settings.Settings, error) {
	t.Helper()
	at := state.Location{Root: t.TempDir()}
	if text != "" {
		if err := os.MkdirAll(at.Dir(), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at.Dir(), settings.File), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return settings.Load(at, func(name string) string { return env[name] })
}

func TestLoad(t *testing.T) {
	env := func(pairs ...string) map[string]string {
		m := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = pairs[i+1]
		}
		return m
	}
	for _, c := range []struct {
		text     string
		env      map[string]string
		captures bool
		context  int
		err      string // a part of it, "" for none
	}{
		{"", nil, true, 1200, ""},
		{`{"capture": "off", "contextTokens": 0}`, nil, false, 0, ""},
		{`{"capture": "opt-in"}`, nil, false, 1200, ""},
		{`{"capture": "opt-in"}`, env("SLIPSTREAM_CAPTURE", "on"), false, 1200, ""},
		{`{"capture": "on"}`, env("SLIPSTREAM_CAPTURE", "opt-in"), true, 1200, ""},
		{`{}`, env("SLIPSTREAM_CAPTURE", "opt-in"), false, 1200, ""},
		{`{"capture": "on"}`, env("SLIPSTREAM_CAPTURE", "off"), false, 1200, ""},
		{"", env("SLIPSTREAM_CAPTURE", "perhaps"), false, 1200, "SLIPSTREAM_CAPTURE: \"perhaps\""},
		{`{"capture": "yes"}`, nil, false, 1200, `capture: "yes"`},
		{`{"capture": `, nil, false, 1200, "settings.json"},
		{`{"contextTokens": 1201}`, nil, true, 1200, "contextTokens: 1201"},
		{`{"contextTokens": 7}`, env("SLIPSTREAM_CONTEXT_TOKENS", "9"), true, 9, ""},
		{"", env("SLIPSTREAM_CONTEXT_TOKENS", "-1"), true, 1200, "SLIPSTREAM_CONTEXT_TOKENS"},
		{`{"captureIgnore": ["/"]}`, nil, true, 1200, "captureIgnore"},
	} {
		got, err := load(t, c.text, c.env)
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s %v: error %v, want %q", c.text, c.env, err, c.err)
		}
		if got.Captures() != c.captures || got.ContextTokens != c.context {
			t.Errorf("%s %v: captures %t, context %d", c.text, c.env, got.Captures(), got.ContextTokens)
		}
	}
}

func TestIgnores(t *testing.T) {
	for _, c := range []struct{ globs, hit, miss string }{
		{`"*.pem"`, "a.pem deep/in/a.pem", "a.pem.txt pem"},
		{`"/a.txt"`, "a.txt", "b/a.txt"},
		{`"secrets/"`, "secrets/a secrets/b/c deep/secrets/d secrets", "secrets.txt mysecrets/a"},
		{`"docs/private"`, "docs/private docs/private/a.md", "docs/privately other/docs/private"},
		{`"src/**/gen.go"`, "src/gen.go src/a/b/gen.go", "gen.go src/gen.gox"},
		{`"a?c", "[x]"`, "abc aéc [x]", "ac a/c x"},
		{`"**"`, "a a/b .env", ""},
	} {
		s, err := load(t, `{"captureIgnore": [`+c.globs+`]}`, nil)
		if err != nil {
			t.Fatal(err)
		}
		for f := range strings.FieldsSeq(c.hit) {
			if !s.Ignores(f) {
				t.Errorf("%s does not hide %q", c.globs, f)
			}
		}
		for f := range strings.FieldsSeq(c.miss) {
			if s.Ignores(f) {
				t.Errorf("%s hides %q", c.globs, f)
			}
		}
	}
}
