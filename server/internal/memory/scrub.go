package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/filestore"
	"github.com/slipstream-mcp/slipstream/memstore/redact"
)

// minSecret is the fewest characters of a secret to take out by itself: less would tear words apart.
const minSecret = 6

// Scrub takes out of every file that is kept of a root what the rules know for a secret, and the given one unless it is
// empty, however it is quoted there; it drops the indexes and reads everything again. It returns the files it changed. An
// error says what is still there.
func (m *Memories) Scrub(ctx context.Context, root, secret string) ([]string, error) {
	facts, err := m.Open(root)
	if err != nil {
		return nil, err
	}
	j, err := m.Journal(root)
	if err != nil {
		return nil, err
	}
	if err := facts.CheckRules(); err != nil {
		return nil, err
	}
	if n := utf8.RuneCountInString(secret); n > 0 && n < minSecret {
		return nil, fmt.Errorf("a secret of %d characters cannot be told from other text; at least %d are needed", n, minSecret)
	}
	clean := cleaner(secret, facts.rules.text)
	changed, err := facts.Files.Scrub(ctx, clean)
	if err != nil {
		return changed, err
	}
	if dir := j.At.Dir(); dir != facts.Dir { // a worktree's own facts lie apart from what happened
		others, err := filestore.Open(dir, filestore.Options{Within: j.At.Root})
		if err != nil {
			return changed, err
		}
		more, err := others.Scrub(ctx, clean)
		changed = append(changed, more...)
		if err = errors.Join(err, others.Close()); err != nil {
			return changed, err
		}
	}
	return changed, j.Drop()
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
