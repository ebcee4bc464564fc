package thought

import (
	"encoding/json"
	"slices"
	"time"
)

// Filter says which thoughts are meant: those that every field lets pass. A
// list lets pass what equals any of its items, an empty one everything; so does
// a zero time.
type Filter struct {
	Prefix, Portability, Source, Vault []string
	// Tags lets pass what has any of them.
	Tags []string
	// CreatedAfter and CreatedBefore are exclusive.
	CreatedAfter, CreatedBefore time.Time
	// Type, Topics and People look at the keys type, topics and people, which
	// Open Brain keeps.
	Type, Topics, People []string
}

// Empty reports whether everything passes.
func (f *Filter) Empty() bool {
	return len(f.Prefix)+len(f.Portability)+len(f.Source)+len(f.Vault)+len(f.Tags)+len(f.Type)+len(f.Topics)+len(f.People) == 0 &&
		f.CreatedAfter.IsZero() && f.CreatedBefore.IsZero()
}

// Match reports whether a thought passes.
func (f *Filter) Match(t *Thought) bool {
	in := func(list []string, s string) bool { return len(list) == 0 || slices.Contains(list, s) }
	return in(f.Prefix, t.Prefix) && in(f.Portability, t.Portability) && in(f.Source, t.Source) && in(f.Vault, t.Vault) &&
		anyOf(f.Tags, t.Tags) &&
		(f.CreatedAfter.IsZero() || t.CreatedAt.After(f.CreatedAfter)) &&
		(f.CreatedBefore.IsZero() || t.CreatedAt.Before(f.CreatedBefore)) &&
		(len(f.Type) == 0 || anyOf(f.Type, t.Texts("type"))) &&
		(len(f.Topics) == 0 || anyOf(f.Topics, t.Texts("topics"))) &&
		(len(f.People) == 0 || anyOf(f.People, t.Texts("people")))
}

func anyOf(wanted, have []string) bool {
	return len(wanted) == 0 || slices.ContainsFunc(have, func(s string) bool { return slices.Contains(wanted, s) })
}

// Texts returns the texts of a key of Extra: its items, or the one it is.
func (t *Thought) Texts(key string) []string {
	for _, f := range t.Extra {
		if f.Key != key {
			continue
		}
		var one string
		if json.Unmarshal(f.Value, &one) == nil {
			return []string{one}
		}
		var items []any
		_ = json.Unmarshal(f.Value, &items)
		var texts []string
		for _, item := range items {
			if s, ok := item.(string); ok {
				texts = append(texts, s)
			}
		}
		return texts
	}
	return nil
}
