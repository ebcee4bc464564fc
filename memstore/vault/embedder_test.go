package vault_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/thought"
	"github.com/slipstream-mcp/slipstream/memstore/vault"
)

// model is an Embedder whose vectors follow from the words, and that fails when
// it is told to.
type model struct {
	name string
	dim  int

	mu      sync.Mutex
	err     error                // of every call
	refuses string               // texts that hold it
	lies    int                  // a dimension that is not dim
	vectors map[string][]float32 // of texts that contain a word
	asked   []string
	former  map[string]*model
}

func (m *model) Name() string { return m.name }

func (m *model) set(f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f()
}

func (m *model) calls() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.asked...)
}

func (m *model) vector(text string) []float32 {
	for word, v := range m.vectors {
		if strings.Contains(text, word) {
			return v
		}
	}
	dim := m.dim
	if m.lies > 0 {
		dim = m.lies
	}
	v := make([]float32, dim)
	v[0] = 0.1
	for _, w := range strings.Fields(strings.ToLower(text)) {
		h := fnv.New32a()
		h.Write([]byte(m.name + w))
		v[h.Sum32()%uint32(dim)]++
	}
	return v
}

func (m *model) Texts(ctx context.Context, texts []string) (vectors [][]float32, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, texts...)
	if m.err != nil {
		return nil, m.err
	}
	for _, t := range texts {
		if m.refuses != "" && strings.Contains(t, m.refuses) {
			return nil, fmt.Errorf("%w: too odd", vault.ErrRefused)
		}
		vectors = append(vectors, m.vector(t))
	}
	return vectors, ctx.Err()
}

func (m *model) Query(ctx context.Context, text string) ([]float32, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err != nil {
		return nil, m.err
	}
	return m.vector(text), ctx.Err()
}

func (m *model) Former(name string) (vault.Embedder, bool) {
	old := m.former[name]
	return old, old != nil
}

func openWith(t *testing.T, dir string, o vault.Options) *vault.Vault {
	t.Helper()
	o.User = "dana"
	v, err := vault.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

// eventually waits until f holds.
func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !f(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what, "never came")
		}
	}
}

func statuses(t *testing.T, v *vault.Vault) string {
	t.Helper()
	s, err := v.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(s.ByStatus["ok"], s.ByStatus["pending"], s.ByStatus["failed"])
}

var errDown = errors.New("connection refused")

func TestEmbedder_FailsAndRecovers(t *testing.T) {
	m := &model{name: "m", dim: 8, err: errDown}
	v := openWith(t, t.TempDir(), vault.Options{Embedder: m, Retry: time.Millisecond})
	kept, _ := capture(t, v, "the queue is full", vault.Metadata{})
	if kept.EmbeddingStatus != "pending" {
		t.Errorf("got %q", kept.EmbeddingStatus)
	}
	if got, ok, err := v.Get(t.Context(), kept.ID); !ok || err != nil || got.EmbeddingStatus != "pending" {
		t.Errorf("got %+v, %v", got, err)
	}
	if list, total, err := v.List(t.Context(), thought.Filter{}, "", 9, 0); len(list) != 1 || total != 1 || err != nil {
		t.Errorf("got %d, %v", total, err)
	}
	if found := search(t, v, "queue", 3, thought.Filter{}); len(found.Hits) != 0 || found.Total != 0 || found.Mode != vault.ByWords {
		t.Errorf("got %+v", found)
	}
	if got := statuses(t, v); got != "0 1 0" {
		t.Errorf("got %s", got)
	}
	m.set(func() { m.err = nil })
	eventually(t, "the vector", func() bool { return statuses(t, v) == "1 0 0" })
	if found := search(t, v, "queue", 3, thought.Filter{}); len(found.Hits) != 1 || found.Mode != vault.Hybrid {
		t.Errorf("got %+v", found)
	}
	m.set(func() { m.err = errDown })
	found := search(t, v, "queue", 3, thought.Filter{})
	if len(found.Hits) != 1 || found.Mode != vault.ByWords || found.Hits[0].Similarity != 0 {
		t.Errorf("query without a vector: got %+v", found)
	}
}

func TestEmbedder_Repair(t *testing.T) {
	m := &model{name: "m", dim: 8, err: errDown, refuses: "odd"}
	v := openWith(t, t.TempDir(), vault.Options{Embedder: m})
	for i := range 40 {
		capture(t, v, fmt.Sprint("thought ", i), vault.Metadata{})
	}
	capture(t, v, "an odd one", vault.Metadata{})
	if got, err := v.Repair(t.Context()); !errors.Is(err, errDown) || got != (vault.Repaired{Pending: 41}) {
		t.Errorf("down: got %+v, %v", got, err)
	}
	m.set(func() { m.err = nil })
	if got, err := v.Repair(t.Context()); err != nil || got != (vault.Repaired{Embedded: 40, Failed: 1}) || statuses(t, v) != "40 0 1" {
		t.Errorf("got %+v, %v, %s", got, err, statuses(t, v))
	}
	if p, err := v.Problems(t.Context()); err != nil || len(p) != 1 || !strings.Contains(p[0].Text, "too odd") {
		t.Errorf("got %+v, %v", p, err)
	}
	m.set(func() { m.refuses = "" })
	if got, err := v.Repair(t.Context()); err != nil || got != (vault.Repaired{Embedded: 1}) || statuses(t, v) != "41 0 0" {
		t.Errorf("failed ones: got %+v, %v", got, err)
	}
}

func TestEmbedder_RefusedIsTriedAgain(t *testing.T) {
	m := &model{name: "m", dim: 8, refuses: "odd"}
	v := openWith(t, t.TempDir(), vault.Options{Embedder: m, Retry: time.Millisecond})
	kept, _ := capture(t, v, "an odd one", vault.Metadata{})
	if kept.EmbeddingStatus != "failed" {
		t.Errorf("got %q", kept.EmbeddingStatus)
	}
	m.set(func() { m.refuses = "" })
	eventually(t, "the vector", func() bool { return statuses(t, v) == "1 0 0" })
}

func TestEmbedder_LiesAboutDimensions(t *testing.T) {
	m := &model{name: "m", dim: 8}
	v := openWith(t, t.TempDir(), vault.Options{Embedder: m})
	capture(t, v, "one", vault.Metadata{})
	m.set(func() { m.lies = 9 })
	if kept, _ := capture(t, v, "two", vault.Metadata{}); kept.EmbeddingStatus != "pending" {
		t.Errorf("got %q", kept.EmbeddingStatus)
	}
	if _, err := v.Repair(t.Context()); err == nil || !strings.Contains(err.Error(), "9 dimensions") {
		t.Errorf("got %v", err)
	}
	m.set(func() { m.lies = 0 })
	if got, err := v.Repair(t.Context()); err != nil || got.Embedded != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestEmbedder_Kept opens a vault again: vectors that were made are not asked
// for once more, by another process either.
func TestEmbedder_Kept(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	m := &model{name: "m", dim: 8}
	o := vault.Options{Embedder: m, CacheDir: cache}
	v := openWith(t, dir, o)
	for i := range 30 {
		capture(t, v, fmt.Sprint("thought ", i), vault.Metadata{})
	}
	want := search(t, v, "thought 7", 30, thought.Filter{})
	beside := openWith(t, dir, o)
	n := len(m.calls())
	for name, w := range map[string]*vault.Vault{"beside": beside, "after": nil} {
		if w == nil {
			v.Close()
			w = openWith(t, dir, o)
		}
		got := search(t, w, "thought 7", 30, thought.Filter{})
		if len(m.calls()) != n || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %d more texts, got\n%v, want\n%v", name, len(m.calls())-n, got, want)
		}
	}
}

// TestEmbedder_Change goes from spelling to a model and on to another one: the
// old vectors serve until all of the new ones are there.
func TestEmbedder_Change(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	v := openWith(t, dir, vault.Options{CacheDir: cache})
	for i := range 30 {
		capture(t, v, fmt.Sprint("thought ", i), vault.Metadata{})
	}
	bySpelling := search(t, v, "thought 7", 30, thought.Filter{})
	v.Close()

	a := &model{name: "a", dim: 8, err: errDown}
	v = openWith(t, dir, vault.Options{CacheDir: cache, Embedder: a})
	if got := search(t, v, "thought 7", 30, thought.Filter{}); fmt.Sprint(got) != fmt.Sprint(bySpelling) {
		t.Errorf("spelling does not serve: got %v, want %v", got, bySpelling)
	}
	a.set(func() { a.err = nil })
	if got, err := v.Repair(t.Context()); err != nil || got.Embedded != 30 {
		t.Errorf("got %+v, %v", got, err)
	}
	byA := search(t, v, "thought 7", 30, thought.Filter{})
	if byA.Mode != vault.Hybrid || fmt.Sprint(byA) == fmt.Sprint(bySpelling) {
		t.Errorf("the model does not serve: %v", byA)
	}
	v.Close()

	b := &model{name: "b", dim: 12, err: errDown, former: map[string]*model{"a": a}}
	v = openWith(t, dir, vault.Options{CacheDir: cache, Embedder: b})
	if got := statuses(t, v); got != "30 0 0" {
		t.Errorf("got %s", got)
	}
	b.set(func() { b.err = nil })
	if got := search(t, v, "thought 7", 30, thought.Filter{}); fmt.Sprint(got) != fmt.Sprint(byA) {
		t.Errorf("the old model does not serve: got %v, want %v", got, byA)
	}
	if _, err := v.Repair(t.Context()); err != nil {
		t.Error(err)
	}
	byB := search(t, v, "thought 7", 30, thought.Filter{})
	if byB.Mode != vault.Hybrid || fmt.Sprint(byB) == fmt.Sprint(byA) {
		t.Errorf("the new model does not serve: %v", byB)
	}
	v.Close()

	v = openWith(t, dir, vault.Options{CacheDir: cache})
	if got := search(t, v, "thought 7", 30, thought.Filter{}); fmt.Sprint(got) != fmt.Sprint(bySpelling) {
		t.Errorf("back to spelling: got %v, want %v", got, bySpelling)
	}
}

func TestEmbedder_Trust(t *testing.T) {
	for _, trusted := range []bool{false, true} {
		m := &model{name: "m", dim: 8}
		v := openWith(t, t.TempDir(), vault.Options{Embedder: m, Trusted: trusted})
		for _, p := range []string{"portable", "sensitive", "block"} {
			kept, _ := capture(t, v, "this one is "+p, vault.Metadata{Portability: p})
			if kept.EmbeddingStatus != "ok" {
				t.Errorf("%s: got %q", p, kept.EmbeddingStatus)
			}
		}
		if n := len(m.calls()); trusted != (n == 3) || !trusted && n != 1 {
			t.Errorf("trusted %v: the model was given %d thoughts", trusted, n)
		}
		if found := search(t, v, "one", 9, thought.Filter{}); len(found.Hits) != 3 {
			t.Errorf("trusted %v: got %d", trusted, len(found.Hits))
		}
	}
}

// TestEmbedder_Redacts writes a secret by hand: the model does not see it.
func TestEmbedder_Redacts(t *testing.T) {
	dir := t.TempDir()
	secret := "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	write(t, dir, "thoughts/note/hand.md", "token "+secret+"\n")
	m := &model{name: "m", dim: 8}
	v := openWith(t, dir, vault.Options{Embedder: m})
	if got, err := v.Repair(t.Context()); err != nil || got.Embedded != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
	if got := strings.Join(m.calls(), "\n"); strings.Contains(got, secret) || got == "" {
		t.Errorf("the model got %q", got)
	}
}

func TestEmbedder_Cosine(t *testing.T) {
	at := func(cos float64) []float32 { return []float32{float32(cos), float32(math.Sqrt(1 - cos*cos)), 0} }
	m := &model{name: "m", dim: 3, vectors: map[string][]float32{"query": at(1), "near": at(0.9), "half": at(0.5), "far": at(0)}}
	v := openWith(t, t.TempDir(), vault.Options{Embedder: m})
	for _, s := range []string{"far", "half", "near"} {
		capture(t, v, s, vault.Metadata{})
	}
	var got []string
	for _, h := range search(t, v, "query", 3, thought.Filter{}).Hits {
		got = append(got, fmt.Sprintf("%s %.2f", strings.TrimSpace(h.Body), h.Similarity))
	}
	if strings.Join(got, ", ") != "near 0.90, half 0.50, far 0.00" {
		t.Errorf("got %v", got)
	}
}

// TestEmbedder_Edit writes a thought anew: it gets vectors of what it says now.
func TestEmbedder_Edit(t *testing.T) {
	dir := t.TempDir()
	m := &model{name: "m", dim: 8}
	v := openWith(t, dir, vault.Options{Embedder: m, Retry: time.Millisecond})
	kept, _ := capture(t, v, "before", vault.Metadata{})
	write(t, dir, "thoughts/"+kept.FilePath, "after\n")
	eventually(t, "its new vector", func() bool {
		got, calls := statuses(t, v), m.calls()
		return strings.TrimSpace(calls[len(calls)-1]) == "after" && got == "1 0 0"
	})
}
