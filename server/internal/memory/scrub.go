package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/redact"
)

// minSecret is the fewest characters of a secret to take out by itself: less would tear words apart.
const minSecret = 6

// Scrub takes out of every file what the rules know for a secret, and the given one unless it is empty, however it is
// quoted there; it drops the index and reads everything again. It returns the files it changed. An error says what is still
// there.
func (m *Memory) Scrub(ctx context.Context, secret string) ([]string, error) {
	if err := m.CheckRules(); err != nil {
		return nil, err
	}
	if n := utf8.RuneCountInString(secret); n > 0 && n < minSecret {
		return nil, fmt.Errorf("a secret of %d characters cannot be told from other text; at least %d are needed", n, minSecret)
	}
	return m.Files.Scrub(ctx, cleaner(secret, m.rules.text))
}

// cleaner returns a function that takes a secret out of the text of a file, then what the rules know.
func cleaner(secret string, rules func(string) string) func(string) string {
	if secret == "" {
		return rules
	}
	var pairs []string
	seen := map[string]bool{}
	for _, s := range spellings(secret) {
		if !seen[s] {
			seen[s] = true
			pairs = append(pairs, s, redact.Mark)
		}
	}
	if slug := memstore.Slug(secret); utf8.RuneCountInString(slug) >= minSecret && !seen[slug] {
		pairs = append(pairs, slug, "redacted") // in names
	}
	replace := strings.NewReplacer(pairs...)
	return func(s string) string { return rules(replace.Replace(s)) }
}

// spellings returns the ways a text stands in Markdown, JSON and YAML, the longest first.
func spellings(s string) []string {
	inner := func(v []byte, err error) string { return strings.Trim(string(v), `"`) }
	var plain strings.Builder
	e := json.NewEncoder(&plain)
	e.SetEscapeHTML(false)
	e.Encode(s) // a string has no way to fail
	return []string{
		inner(json.Marshal(s)),
		strings.Trim(strings.TrimSpace(plain.String()), `"`),
		strings.ReplaceAll(s, "'", "''"),
		s,
	}
}
