// Package redact takes secrets out of text before the text is kept or shown.
//
// What is recognised is one table of rules: the tokens of some hundred and
// fifty vendors by their shape, private keys, credentials in URLs, headers and
// command lines, and values assigned to names such as password or API_KEY. A
// secret becomes [Mark]; the text around it, names and quotes included, stays.
// What stands between <private> and </private> is dropped.
//
//	redact.Text(`postgres://app:s3cr3t@db/orders`)
//	// postgres://app:[redacted]@db/orders
//
// The package is pure and does its work in time linear in the text. It is a
// net, not a proof: a secret without a known shape and without a telling name
// beside it looks like any other text and passes.
package redact

import (
	"maps"
	"slices"
	"strings"
)

// Mark stands where a secret was.
const Mark = "[redacted]"

// Text returns s without the secrets that the built-in rules know. The result
// is valid UTF-8 (U+FFFD where s was not), and Text of it is itself.
func Text(s string) string { return (&Rules{}).Text(s) }

// Rules are the built-in rules and a user's own. The zero value has the
// built-in ones only. Rules are safe for concurrent use.
type Rules struct {
	user []userRule
}

// New returns the built-in rules with the user's patterns after them. A
// pattern that does not compile is left out and named in the error, which
// joins one error for each; the rules are usable in any case.
func New(user []Pattern) (*Rules, error) {
	compiled, err := compileUser(user)
	return &Rules{user: compiled}, err
}

// Text returns s without what the rules match; see the function [Text].
func (r *Rules) Text(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	sc := builtin()
	for range rounds {
		// What one round takes away can bring together what the next one finds.
		before := s
		s = dropPrivate(s)
		s, _ = blank(s, sc.find(s))
		for _, u := range r.user {
			s, _ = blank(s, u.find(s))
		}
		if s == before {
			break
		}
	}
	return s
}

// Value returns a copy of v, a value as encoding/json decodes it, with every
// string in it redacted: elements of slices and values of maps, at any depth.
// Map keys are kept, and a name such as password decides about its value.
// Values of other types are returned as they are.
func (r *Rules) Value(v any) any {
	switch v := v.(type) {
	case string:
		return r.Text(v)
	case []string:
		out := slices.Clone(v)
		for i := range out {
			out[i] = r.Text(out[i])
		}
		return out
	case []any:
		out := slices.Clone(v)
		for i := range out {
			out[i] = r.Value(out[i])
		}
		return out
	case map[string]string:
		out := maps.Clone(v)
		for k, s := range out {
			out[k] = r.named(k, s)
		}
		return out
	case map[string]any:
		out := maps.Clone(v)
		for k, e := range out {
			if s, ok := e.(string); ok {
				out[k] = r.named(k, s)
			} else {
				out[k] = r.Value(e)
			}
		}
		return out
	}
	return v
}

// named returns the value s of the key as text that is assigned to it.
func (r *Rules) named(key, s string) string {
	if s = r.Text(s); s != Mark && secretAssigned(key, s) {
		return Mark
	}
	return s
}
