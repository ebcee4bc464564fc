// Package storetest holds the suite that every memstore.Backend passes.
//
//	func TestBackend(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) memstore.Backend { return inmem.New() })
//	}
package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore"
)

// Run checks a backend. Each call of open returns an empty one; what needs
// closing is open's to register with t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) memstore.Backend) {
	for _, c := range []struct {
		name string
		run  func(*testing.T, memstore.Backend)
	}{
		{"empty", testEmpty},
		{"round_trip", testRoundTrip},
		{"texts", testTexts},
		{"conflict", testConflict},
		{"delete", testDelete},
		{"scan", testScan},
		{"cancelled", testCancelled},
		{"own_copy", testOwnCopy},
		{"one_winner", testOneWinner},
		{"store", testStore},
		{"store_names", testStoreNames},
		{"store_concurrent", testStoreConcurrent},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, open(t)) })
	}
}

var made = time.Date(2026, 5, 4, 14, 23, 0, 120e6, time.UTC)

func fact(key, description, body string, tags ...string) memstore.Record {
	return memstore.Record{Kind: memstore.KindFact, Key: key, Fact: &memstore.Fact{
		Name: key, Description: description, Type: memstore.Decision, Tags: tags, Body: body,
		Created: made, Updated: made.Add(time.Hour),
	}}
}

func put(t *testing.T, b memstore.Backend, rec memstore.Record) {
	t.Helper()
	if err := b.Put(t.Context(), rec); err != nil {
		t.Fatalf("Put(%q): %v", rec.Key, err)
	}
}

func get(t *testing.T, b memstore.Backend, key string) memstore.Record {
	t.Helper()
	rec, err := b.Get(t.Context(), memstore.KindFact, key)
	if err != nil {
		t.Fatalf("Get(%q): %v", key, err)
	}
	return rec
}

func keys(t *testing.T, b memstore.Backend) []string {
	t.Helper()
	keys := []string{}
	for rec, err := range b.Scan(t.Context(), memstore.KindFact) {
		if err != nil {
			t.Fatalf("Scan: %v", err)
		}
		keys = append(keys, rec.Key)
	}
	return keys
}

func testEmpty(t *testing.T, b memstore.Backend) {
	if _, err := b.Get(t.Context(), memstore.KindFact, "x"); !errors.Is(err, memstore.ErrNotFound) {
		t.Errorf("Get: got %v, want ErrNotFound", err)
	}
	if err := b.Delete(t.Context(), memstore.KindFact, "x"); !errors.Is(err, memstore.ErrNotFound) {
		t.Errorf("Delete: got %v, want ErrNotFound", err)
	}
	if got := keys(t, b); len(got) != 0 {
		t.Errorf("Scan: got %q, want nothing", got)
	}
}

func testRoundTrip(t *testing.T, b memstore.Backend) {
	want := fact("deploys", "deploys run from main", "Only ever.\n\n- really", "ci", "git flow")
	put(t, b, want)
	got := get(t, b, "deploys")
	if got.Version == "" {
		t.Error("a stored record has no version")
	}
	if got.Kind != want.Kind || got.Key != want.Key || !reflect.DeepEqual(got.Fact, want.Fact) {
		t.Errorf("got %+v, want %+v", got.Fact, want.Fact)
	}
}

func testTexts(t *testing.T, b memstore.Backend) {
	for i, text := range []string{
		"plain", "with: colon", "with # hash", "'single'", `"double" \ back`, "two\nlines", "a\n\n\nb", "tab\tbed",
		"emoji 😀", "café — naïve", "部署规则", "---", "- item", "yes", "null", "2026-05-04", "0x1f", "[flow, list]", "{a: b}",
		"&anchor", "*alias", "!tag", "%directive", "@at", "`tick`", "| bar", "> arrow", "nbsp\u00a0here", "zero\u200bwidth",
		"a very long line that goes on and on until it has to be folded into several lines, since nobody likes to scroll sideways",
	} {
		key := fmt.Sprintf("text-%d", i)
		put(t, b, fact(key, text, text, text))
		f := get(t, b, key).Fact
		if f.Description != text || f.Body != text || len(f.Tags) != 1 || f.Tags[0] != text {
			t.Errorf("got %q, %q, %q, want %q thrice", f.Description, f.Tags, f.Body, text)
		}
	}
}

func testConflict(t *testing.T, b memstore.Backend) {
	put(t, b, fact("a", "one", "one"))
	if err := b.Put(t.Context(), fact("a", "two", "two")); !errors.Is(err, memstore.ErrConflict) {
		t.Errorf("Put over a record as if it were new: got %v, want ErrConflict", err)
	}
	old := get(t, b, "a")
	next := fact("a", "two", "two")
	next.Version = old.Version
	put(t, b, next)
	if err := b.Put(t.Context(), next); !errors.Is(err, memstore.ErrConflict) {
		t.Errorf("Put with an old version: got %v, want ErrConflict", err)
	}
	if got := get(t, b, "a"); got.Fact.Body != "two" || got.Version == old.Version {
		t.Errorf("got %q with version %q after %q", got.Fact.Body, got.Version, old.Version)
	}
	if err := b.Delete(t.Context(), memstore.KindFact, "a"); err != nil {
		t.Fatal(err)
	}
	if err := b.Put(t.Context(), next); !errors.Is(err, memstore.ErrConflict) {
		t.Errorf("Put of a deleted record: got %v, want ErrConflict", err)
	}
}

func testDelete(t *testing.T, b memstore.Backend) {
	put(t, b, fact("a", "one", "one"))
	put(t, b, fact("b", "two", "two"))
	if err := b.Delete(t.Context(), memstore.KindFact, "a"); err != nil {
		t.Fatal(err)
	}
	if err := b.Delete(t.Context(), memstore.KindFact, "a"); !errors.Is(err, memstore.ErrNotFound) {
		t.Errorf("second Delete: got %v, want ErrNotFound", err)
	}
	if got := keys(t, b); !slices.Equal(got, []string{"b"}) {
		t.Errorf("got %q, want b", got)
	}
}

func testScan(t *testing.T, b memstore.Backend) {
	for _, key := range []string{"m", "a", "z", "b"} {
		put(t, b, fact(key, "about "+key, key))
	}
	if got := keys(t, b); !slices.Equal(got, []string{"a", "b", "m", "z"}) {
		t.Errorf("got %q, want them in order", got)
	}
	for range b.Scan(t.Context(), memstore.KindFact) {
		break
	}
	for rec, err := range b.Scan(t.Context(), memstore.KindFact) {
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Delete(t.Context(), rec.Kind, rec.Key); err != nil {
			t.Fatalf("Delete while scanning: %v", err)
		}
	}
	if got := keys(t, b); len(got) != 0 {
		t.Errorf("got %q, want nothing", got)
	}
}

func testCancelled(t *testing.T, b memstore.Backend) {
	put(t, b, fact("a", "one", "one"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range b.Scan(ctx, memstore.KindFact) {
		if errors.Is(err, context.Canceled) {
			return
		}
	}
	t.Error("Scan does not end with its context")
}

func testOwnCopy(t *testing.T, b memstore.Backend) {
	rec := fact("a", "one", "one", "tag")
	put(t, b, rec)
	rec.Fact.Body, rec.Fact.Tags[0] = "changed", "changed"
	got := get(t, b, "a")
	got.Fact.Body, got.Fact.Tags[0] = "changed", "changed"
	if f := get(t, b, "a").Fact; f.Body != "one" || f.Tags[0] != "tag" {
		t.Errorf("a caller's change is in the store: %+v", f)
	}
}

// testOneWinner has many writers replace the same version: one may succeed.
func testOneWinner(t *testing.T, b memstore.Backend) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	won := 0
	for i := range 8 {
		wg.Go(func() {
			err := b.Put(t.Context(), fact("a", "one", fmt.Sprint(i)))
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won++
			} else if !errors.Is(err, memstore.ErrConflict) {
				t.Errorf("Put: got %v, want ErrConflict", err)
			}
		})
	}
	wg.Wait()
	if won != 1 {
		t.Errorf("%d writers made the same new record", won)
	}
}

func store(t *testing.T, b memstore.Backend) *memstore.Store {
	t.Helper()
	var mu sync.Mutex
	now := made
	s, err := memstore.New(b, memstore.Options{Now: func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Second)
		return now
	}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func remember(t *testing.T, s *memstore.Store, f memstore.Fact) memstore.Remembered {
	t.Helper()
	r, err := s.Remember(t.Context(), f)
	if err != nil {
		t.Fatalf("Remember(%+v): %v", f, err)
	}
	return r
}

func testStore(t *testing.T, b memstore.Backend) {
	s := store(t, b)
	first := remember(t, s, memstore.Fact{Body: "Deploys run from main only.", Tags: []string{"ci"}})
	if first.Fact.Name != "deploys-run-from-main-only" || first.Fact.Type != memstore.Decision || first.Updated {
		t.Errorf("got %+v", first)
	}
	again := remember(t, s, memstore.Fact{Body: "Only main.", Description: "Deploys run from main only."})
	if !again.Updated || again.Fact.Name != first.Fact.Name || !again.Fact.Created.Equal(first.Fact.Created) ||
		!again.Fact.Updated.After(first.Fact.Updated) {
		t.Errorf("the same description again: got %+v", again)
	}
	remember(t, s, memstore.Fact{Body: "We start builds by hand.", Description: "builds", Type: memstore.Convention})
	for query, want := range map[string]string{
		"deploying": first.Fact.Name, "main": first.Fact.Name, "hand": "builds", "BUILD": "builds", "art": "", "  ?!": "",
	} {
		facts, err := s.Recall(t.Context(), query, 5)
		if err != nil {
			t.Fatal(err)
		}
		if got := best(facts); got != want {
			t.Errorf("Recall(%q): got %q, want %q", query, got, want)
		}
	}
	if ok, err := s.Forget(t.Context(), "builds"); !ok || err != nil {
		t.Errorf("Forget: got %v, %v", ok, err)
	}
	if ok, err := s.Forget(t.Context(), "builds"); ok || err != nil {
		t.Errorf("Forget again: got %v, %v", ok, err)
	}
	facts, err := s.List(t.Context())
	if err != nil || len(facts) != 1 || facts[0].Body != "Only main." {
		t.Errorf("List: got %+v, %v", facts, err)
	}
}

func best(facts []memstore.Fact) string {
	if len(facts) == 0 {
		return ""
	}
	return facts[0].Name
}

func testStoreNames(t *testing.T, b memstore.Backend) {
	s := store(t, b)
	for _, c := range []struct{ description, want string }{
		{"Use tabs!", "use-tabs"},
		{"use tabs?", "use-tabs-2"},
		{"USE TABS", "use-tabs-3"},
		{"Memory", "memory-2"},
		{"nul", "nul-2"},
		{"部署规则", "部署规则"},
		{"😀", memstore.Slug("😀")},
	} {
		got := remember(t, s, memstore.Fact{Description: c.description, Body: c.description}).Fact.Name
		if got != c.want {
			t.Errorf("%q is called %q, want %q", c.description, got, c.want)
		}
		if f, err := s.Get(t.Context(), got); err != nil || f.Description != c.description {
			t.Errorf("Get(%q): got %q, %v", got, f.Description, err)
		}
	}
	for _, name := range []string{"../x", "a/b", `a\b`, "..", "x\x00"} {
		if _, err := s.Forget(t.Context(), name); err == nil {
			t.Errorf("Forget(%q): want a refusal", name)
		}
	}
}

// testStoreConcurrent has writers remember different facts that want the same
// name, and the same fact over and over: no fact is lost, none is there twice.
func testStoreConcurrent(t *testing.T, b memstore.Backend) {
	s := store(t, b)
	const writers, each = 4, 5
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				mark := string("!?.,;:"[w]) + string("!?.,;:"[i])
				if _, err := s.Remember(t.Context(), memstore.Fact{Description: "same" + mark, Body: mark}); err != nil {
					t.Error(err)
				}
				if _, err := s.Remember(t.Context(), memstore.Fact{Description: "shared", Body: mark}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	facts, err := s.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	names, descriptions := map[string]bool{}, map[string]bool{}
	for _, f := range facts {
		names[f.Name] = true
		descriptions[f.Description] = true
	}
	if want := writers*each + 1; len(facts) != want || len(names) != want || len(descriptions) != want {
		t.Errorf("got %d facts, %d names, %d descriptions, want %d", len(facts), len(names), len(descriptions), want)
	}
}
