package redact

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Pattern is a user's own rule.
type Pattern struct {
	// Pattern is a regular expression in RE2 syntax. All that it matches is a
	// secret, but for a first group that begins with the match: that is kept.
	Pattern string `json:"pattern"`
	// Flags are of the letters i, m, s (as in RE2) and g, which is always meant.
	Flags string `json:"flags,omitempty"`
	// Label names the pattern in errors.
	Label string `json:"label,omitempty"`
}

// ParseUser reads the patterns of a redact.json file:
// {"patterns": [{"pattern": "…", "flags": "i", "label": "…"}]}. Whether they
// compile is said by [New].
func ParseUser(data []byte) ([]Pattern, error) {
	var file struct {
		Patterns []Pattern `json:"patterns"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("redaction patterns: %w", err)
	}
	return file.Patterns, nil
}

type userRule struct{ re *regexp.Regexp }

func compileUser(patterns []Pattern) ([]userRule, error) {
	var rules []userRule
	var errs []error
	for i, p := range patterns {
		re, err := p.compile()
		if err != nil {
			name := p.Label
			if name == "" {
				name = fmt.Sprint(i + 1)
			}
			errs = append(errs, fmt.Errorf("redaction pattern %q: %w", name, err))
			continue
		}
		rules = append(rules, userRule{re})
	}
	return rules, errors.Join(errs...)
}

func (p Pattern) compile() (*regexp.Regexp, error) {
	if p.Pattern == "" {
		return nil, errors.New("empty")
	}
	flags := ""
	for _, f := range p.Flags {
		switch {
		case f == 'g' || strings.ContainsRune(flags, f):
		case strings.ContainsRune("ims", f):
			flags += string(f)
		default:
			return nil, fmt.Errorf("flag %q is none of g, i, m, s", string(f))
		}
	}
	if flags != "" {
		flags = "(?" + flags + ")"
	}
	return regexp.Compile(flags + p.Pattern)
}

func (u userRule) find(s string) []span {
	var spans []span
	for _, m := range u.re.FindAllStringSubmatchIndex(s, -1) {
		if len(m) > 2 && m[2] == m[0] {
			m[0] = m[3]
		}
		if m[0] < m[1] {
			spans = append(spans, span{m[0], m[1]})
		}
	}
	return spans
}
