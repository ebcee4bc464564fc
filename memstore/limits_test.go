package memstore_test

import (
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore"
)

func TestRemember_TooLarge(t *testing.T) {
	many := strings.Split(strings.Repeat("tag ", memstore.MaxTags+1), " ")
	for _, c := range []struct {
		fact memstore.Fact
		want string
	}{
		{memstore.Fact{Body: strings.Repeat("x", memstore.MaxBody+1)}, "fact: 1048577 bytes are more than the limit of 1048576; keep it shorter"},
		{memstore.Fact{Body: "x", Description: strings.Repeat("é", memstore.MaxDescription+1)}, "description: 2001 characters are more than the limit of 2000;"},
		{memstore.Fact{Body: "x", Tags: many}, "tags: 102 are more than the limit of 100;"},
		{memstore.Fact{Body: "x", Tags: []string{"a", strings.Repeat("x", 1<<20)}}, "tags: number 2 has 1048576 characters, more than the limit of 200;"},
	} {
		s := newStore(t)
		if _, err := s.Remember(t.Context(), c.fact); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
		if facts, err := s.List(t.Context()); len(facts) != 0 || err != nil {
			t.Errorf("%q: got %d facts, %v", c.want, len(facts), err)
		}
	}
}

func TestRemember_LongBody(t *testing.T) {
	long := strings.Repeat("word ", 120)
	for _, c := range []struct{ body, want string }{
		{strings.Repeat("x", 500), strings.Repeat("x", 500)},
		{"two\nlines", "two\nlines"},
		{"A title\n\n" + long, "A title"},
		{"One. Two. " + long, "One. Two."},
		{long, strings.Repeat("word ", 59) + "word…"},
		{strings.Repeat("部", 501), strings.Repeat("部", 300) + "…"},
	} {
		got := remember(t, newStore(t), memstore.Fact{Body: c.body}).Fact
		if got.Description != c.want || got.Body != strings.TrimSpace(c.body) {
			t.Errorf("got %q, want %q", got.Description, c.want)
		}
	}
}

// TestRemember_LongBodiesAlike shows that facts that begin alike are kept apart,
// also from one of that description, and that the same one is still the same.
func TestRemember_LongBodiesAlike(t *testing.T) {
	s := newStore(t)
	one, two := "Plan\n"+strings.Repeat("one ", 200), "Plan\n"+strings.Repeat("two ", 200)
	remember(t, s, memstore.Fact{Body: "x", Description: "Plan"})
	for _, body := range []string{one, two} {
		if r := remember(t, s, memstore.Fact{Body: body}); r.Updated {
			t.Errorf("%.9q took the place of another", body)
		}
	}
	if r := remember(t, s, memstore.Fact{Body: two}); !r.Updated || r.Fact.Name != "plan-3" {
		t.Errorf("the same again: got %q, updated %v", r.Fact.Name, r.Updated)
	}
	if facts, err := s.List(t.Context()); len(facts) != 3 || err != nil {
		t.Errorf("got %d facts, %v", len(facts), err)
	}
}
