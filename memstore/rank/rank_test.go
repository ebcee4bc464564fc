package rank_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/rank"
)

var day = time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC)

// corpus holds texts by key: head, body.
func corpus(texts map[string][2]string) *rank.Corpus {
	var c rank.Corpus
	for key, text := range texts {
		c.Put(key, rank.NewDoc(text[0], text[1], day))
	}
	return &c
}

func keysOf(hits []rank.Hit) []string {
	keys := []string{}
	for _, h := range hits {
		keys = append(keys, h.Key)
	}
	return keys
}

func TestSearch(t *testing.T) {
	c := corpus(map[string][2]string{
		"start":     {"how to start", "Run make, then wait."},
		"art":       {"the art folder", "Pictures are there."},
		"deploy":    {"deploys run from main", "Never from a branch."},
		"branch":    {"branch names", "They begin with the ticket, deployment or not."},
		"cache":     {"cache keys", "cache cache cache"},
		"caching":   {"caching rules", "By mtime."},
		"webhook":   {"PaymentWebhookHandler verifies twice", "See max_files and HTTPServer2."},
		"cafe":      {"Café naming", "Größe heißt size."},
		"kanji":     {"部署规则", "只能从 main 部署。"},
		"cyrillic":  {"Порядок миграций", "Сначала схема."},
		"postgres":  {"the queue lives in Postgres", "Not in Redis."},
		"error":     {"E1234 means a full disk", "Error 0x80070057 too."},
		"weekends":  {"on weekends", "Nothing is released then."},
		"emptyhead": {"", "onlybody"},
	})
	for _, c2 := range []struct {
		query string
		want  []string
	}{
		{"art", []string{"art"}},
		{"deploying", []string{"deploy", "branch"}},
		{"branch", []string{"branch", "deploy"}},
		{"caching", []string{"caching", "cache"}},
		{"cache", []string{"cache", "caching"}},
		{"webhook handler", []string{"webhook"}},
		{"PaymentWebhookHandler", []string{"webhook"}},
		{"maxFiles", []string{"webhook"}},
		{"http server", []string{"webhook"}},
		{"cafe", []string{"cafe"}},
		{"CAFÉ", []string{"cafe"}},
		{"groesse", []string{"cafe"}},
		{"grosse", []string{"cafe"}},
		{"部署", []string{"kanji"}},
		{"规则是什么", []string{"kanji"}},
		{"миграций", []string{"cyrillic"}},
		{"миграция", []string{"cyrillic"}},
		{"postgress", []string{"postgres"}},
		{"e1234", []string{"error"}},
		{"0x80070057", []string{"error"}},
		{"onlybody", []string{"emptyhead"}},
		{"what is there on the weekend?", []string{"weekends"}},
		{"zzzz", []string{}},
		{"", []string{}},
		{"?!", []string{}},
	} {
		if got := keysOf(c.Search(c2.query, 10)); !slices.Equal(got, c2.want) {
			t.Errorf("%q: got %q, want %q", c2.query, got, c2.want)
		}
	}
}

// TestSearch_HeadFirst holds that a match in the head comes first, however
// often the body of another matches.
func TestSearch_HeadFirst(t *testing.T) {
	c := corpus(map[string][2]string{
		"head": {"rotate the key", "x"},
		"body": {"other", "key key key key rotate rotate rotate key rotate"},
		"more": {"third", "rotate key rotate key"},
	})
	if got := keysOf(c.Search("rotate key", 3)); got[0] != "head" {
		t.Errorf("got %q", got)
	}
	if got := c.Search("rotate key", 1); len(got) != 1 || got[0].Tier != 2 {
		t.Errorf("got %+v, want one of tier 2", got)
	}
}

func TestSearch_NewerOfEqual(t *testing.T) {
	var c rank.Corpus
	c.Put("a", rank.NewDoc("lint rule one", "same", day))
	c.Put("b", rank.NewDoc("lint rule two", "same", day.Add(time.Hour)))
	c.Put("c", rank.NewDoc("lint rule six", "same", day.Add(-time.Hour)))
	if got := keysOf(c.Search("lint rule", 5)); !slices.Equal(got, []string{"b", "a", "c"}) {
		t.Errorf("got %q", got)
	}
	c.Put("d", rank.NewDoc("lint", "", day.Add(-24*time.Hour)))
	if got := keysOf(c.Search("lint", 5)); got[0] != "d" {
		t.Errorf("a better match must not lose to a newer one: got %q", got)
	}
}

// TestCorpus_SameAfterChanges holds that what was in a corpus before leaves no
// trace.
func TestCorpus_SameAfterChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"deploy", "main", "cache", "caching", "queue", "worker", "release", "branch", "token", "edge"}
	text := func() string {
		s := ""
		for range 1 + r.IntN(12) {
			s += words[r.IntN(len(words))] + " "
		}
		return s
	}
	var lived rank.Corpus
	docs := map[string]rank.Doc{}
	for range 2000 {
		key := fmt.Sprint(r.IntN(60))
		if r.IntN(3) == 0 {
			lived.Delete(key)
			delete(docs, key)
			continue
		}
		docs[key] = rank.NewDoc(text(), text(), day.Add(time.Duration(r.IntN(5))*time.Hour))
		lived.Put(key, docs[key])
	}
	var fresh rank.Corpus
	for key, d := range docs {
		fresh.Put(key, d)
	}
	if lived.Len() != len(docs) {
		t.Errorf("got %d docs, want %d", lived.Len(), len(docs))
	}
	for range 100 {
		q := text()
		if got, want := lived.Search(q, 20), fresh.Search(q, 20); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: got %v, want %v", q, got, want)
		}
	}
}

func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		close bool
	}{
		{"Use Postgres for the queue", "Use Redis for the queue", true},
		{"We deploy on Fridays", "We never deploy on Fridays", true},
		{"Deploys run from main", "Deploys run from the release branch", true},
		{"Deploys run from main", "Tests run in Docker", false},
		{"Tabs, never spaces", "Prices are in cents", false},
		{"cache", "cache", true},
		{"cache", "cache keys", false},
		{"", "", false},
	} {
		if got := rank.NewWords(c.a).Overlap(c.b); (got >= rank.CloseOverlap) != c.close {
			t.Errorf("%q and %q: got %.2f, want close %v", c.a, c.b, got, c.close)
		}
	}
}

func TestDoc_Decode(t *testing.T) {
	for _, d := range []rank.Doc{rank.NewDoc("a head", "a body, längere 部署", day), rank.NewDoc("", "", time.Time{})} {
		got, err := rank.DecodeDoc(d.Append(nil))
		if err != nil || !reflect.DeepEqual(got, d) {
			t.Errorf("got %+v, %v, want %+v", got, err, d)
		}
	}
}

func FuzzDecodeDoc(f *testing.F) {
	f.Add(rank.NewDoc("a head", "a body", day).Append(nil))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := rank.DecodeDoc(b)
		if err != nil {
			return
		}
		again, err := rank.DecodeDoc(d.Append(nil))
		if err != nil || !reflect.DeepEqual(again, d) {
			t.Errorf("got %+v, %v, want %+v", again, err, d)
		}
	})
}

func BenchmarkNewDoc(b *testing.B) {
	const text = "Webhooks are verified twice: once at the edge and once more in the handler, because the edge can be bypassed from inside the network."
	b.SetBytes(int64(3 * len(text)))
	for b.Loop() {
		rank.NewDoc(text, text+text, day)
	}
}

// BenchmarkSearch answers queries of four words in a corpus of 10,000 texts of
// a hundred words.
//
//	go test -run - -bench Search ./rank
func BenchmarkSearch(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 4, 8000)
	text := func(n int) (s string) {
		for range n {
			w := rune(zipf.Uint64())
			s += string([]rune{'k' + w%7, 'a' + w/7%7, 'p' + w/49%7, 'e' + w/343%7, 'l' + w/2401, ' '})
		}
		return s
	}
	var c rank.Corpus
	for i := range 10000 {
		c.Put(fmt.Sprint(i), rank.NewDoc(text(10), text(90), day))
	}
	for b.Loop() {
		c.Search(text(4), 5)
	}
}
