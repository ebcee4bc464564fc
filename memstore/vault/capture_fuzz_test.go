package vault_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/memstore/redact"
	"github.com/slipstream-mcp/slipstream/memstore/thought"
	"github.com/slipstream-mcp/slipstream/memstore/vault"
)

// FuzzCapture captures anything: what is kept comes back byte for byte, but for
// line ends, also to whoever opens the vault anew; what is not is refused.
func FuzzCapture(f *testing.F) {
	for _, s := range []string{"[Decision] x", "[日本] x", "---\nid: 1\n---\n", "a\r\nb\rc", "\ufeffx", "x \n\n\n", "[x](y) #[z]", "\x00\xff", "a: b\n...\n", "\u202ex"} {
		f.Add(s, "Note", "dana", "tag")
		f.Add("x", s, s, s)
	}
	var rules redact.Rules
	f.Fuzz(func(t *testing.T, content, prefix, source, tag string) {
		for _, s := range []string{content, prefix, source, tag} {
			if rules.Text(s) != s || !utf8.ValidString(s) {
				return
			}
		}
		dir := t.TempDir()
		v := open(t, dir)
		kept, _, err := v.Capture(t.Context(), content, vault.Metadata{Prefix: prefix, Source: source, Tags: []string{tag}})
		if err != nil {
			if problems, err := v.Problems(t.Context()); err != nil || len(problems) > 0 {
				t.Errorf("%v, %v", problems, err)
			}
			if strings.TrimSpace(content) != "" && thought.CleanPrefix(prefix) == "" && source == "" && len(content) < 1000 {
				t.Errorf("%q is refused: %v", content, err)
			}
			return
		}
		got, ok, err := open(t, dir).Get(t.Context(), kept.ID)
		if err != nil || !ok {
			t.Fatalf("%+v does not come back: %v", kept, err)
		}
		if got.Body != thought.Body(content) || got.Prefix != kept.Prefix || got.Source != kept.Source || !slices.Equal(got.Tags, kept.Tags) ||
			got.Fingerprint != kept.Fingerprint || !got.CreatedAt.Equal(kept.CreatedAt) || got.FilePath != kept.FilePath {
			t.Errorf("%+v came back as %+v", kept, got)
		}
		if again, c := capture(t, v, content, vault.Metadata{Prefix: prefix, Source: source}); !c.Duplicate || again.ID != kept.ID {
			t.Errorf("a repeat of %+v is %+v, %+v", kept, again, c)
		}
		if problems, err := v.Problems(t.Context()); err != nil || len(problems) > 0 {
			t.Errorf("%v, %v", problems, err)
		}
	})
}
