package memstore_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/inmem"
)

func newStore(t *testing.T) *memstore.Store {
	t.Helper()
	now := time.Date(2026, 5, 4, 14, 23, 0, 123456789, time.FixedZone("", 7200))
	s, err := memstore.New(inmem.New(), memstore.Options{Now: func() time.Time { now = now.Add(time.Second); return now }})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func remember(t *testing.T, s *memstore.Store, f memstore.Fact) memstore.Remembered {
	t.Helper()
	r, err := s.Remember(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestNew_NoBackend(t *testing.T) {
	if _, err := memstore.New(nil, memstore.Options{}); err == nil {
		t.Error("want an error")
	}
}

func TestSlug(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"We use Drizzle ORM on D1", "we-use-drizzle-orm-on-d1"},
		{"  --A  b__c!! ", "a-b-c"},
		{"Café", "caf"},
		{"API を使う", "api"},
		{"部署 规则!", "部署-规则"},
		{"Привет, мир", "привет-мир"},
		{strings.Repeat("ab ", 40), strings.Repeat("ab-", 20)},
		{strings.Repeat("部", 40), strings.Repeat("部", 20)},
		{"😀", "fact-33a29608"},
	} {
		if got := memstore.Slug(c.in); got != c.want {
			t.Errorf("Slug(%q): got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestRemember_Refusals(t *testing.T) {
	s := newStore(t)
	for _, c := range []struct {
		fact memstore.Fact
		want string
	}{
		{memstore.Fact{}, "a fact needs text"},
		{memstore.Fact{Body: " \n", Description: "d"}, "a fact needs text"},
		{memstore.Fact{Body: "<private>all of it</private>"}, "a fact needs text"},
		{memstore.Fact{Body: "x", Type: "opinion"}, `type "opinion" is none of decision, convention, architecture, gotcha, credential-location, todo, fact`},
	} {
		if _, err := s.Remember(t.Context(), c.fact); err == nil || err.Error() != c.want {
			t.Errorf("%+v: got %v, want %q", c.fact, err, c.want)
		}
	}
}

func TestRemember_Prepared(t *testing.T) {
	s := newStore(t)
	f := remember(t, s, memstore.Fact{
		Body: "  line one\r\nline two \xff\n\n", Description: " about\n", Tags: []string{" a ", "a", "", "two\nlines"},
	}).Fact
	if f.Body != "line one\nline two \ufffd" || f.Description != "about" || !slices.Equal(f.Tags, []string{"a", "two lines"}) {
		t.Errorf("got %+q", f)
	}
	if want := time.Date(2026, 5, 4, 12, 23, 1, 123e6, time.UTC); f.Created != want || f.Updated != want {
		t.Errorf("got %v, %v, want %v", f.Created, f.Updated, want)
	}
}

func TestRemember_Named(t *testing.T) {
	s := newStore(t)
	first := remember(t, s, memstore.Fact{Name: "The Queue", Body: "Postgres"})
	if first.Fact.Name != "the-queue" {
		t.Errorf("got %q", first.Fact.Name)
	}
	again := remember(t, s, memstore.Fact{Name: "the-queue", Body: "Redis", Description: "queue"})
	if !again.Updated || again.Fact.Created != first.Fact.Created || again.Fact.Description != "queue" {
		t.Errorf("got %+v", again)
	}
	if facts, err := s.List(t.Context()); len(facts) != 1 || err != nil {
		t.Errorf("got %v, %v", facts, err)
	}
}

// TestRemember_Close shows which older facts a correction is told of.
func TestRemember_Close(t *testing.T) {
	s := newStore(t)
	for _, body := range []string{"Use Postgres for the queue", "Tabs, never spaces", "Deploys run from main"} {
		if r := remember(t, s, memstore.Fact{Body: body}); len(r.Close) != 0 {
			t.Errorf("%q: got %+v", body, r.Close)
		}
	}
	r := remember(t, s, memstore.Fact{Body: "Use Redis for the queue"})
	if len(r.Close) != 1 || r.Close[0].Name != "use-postgres-for-the-queue" {
		t.Errorf("got %+v", r.Close)
	}
}

func TestGet_Missing(t *testing.T) {
	if _, err := newStore(t).Get(t.Context(), "x"); !errors.Is(err, memstore.ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
}

func FuzzSlug(f *testing.F) {
	for _, s := range []string{"", "a b", "部署", "😀", "\xff", "con", strings.Repeat("é", 100)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := memstore.Slug(s)
		if got == "" || len(got) > 60 || got[0] == '-' || strings.ContainsAny(got, "/\\.: \x00") || strings.ToValidUTF8(got, "") != got {
			t.Errorf("Slug(%q) is %q", s, got)
		}
	})
}
