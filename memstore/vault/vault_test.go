package vault_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/thought"
	"github.com/slipstream-mcp/slipstream/memstore/vault"
)

func open(t *testing.T, dir string) *vault.Vault {
	t.Helper()
	v, err := vault.Open(dir, vault.Options{User: "dana"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func capture(t *testing.T, v *vault.Vault, content string, m vault.Metadata) (thought.Thought, vault.Captured) {
	t.Helper()
	got, c, err := v.Capture(t.Context(), content, m)
	if err != nil {
		t.Fatal(err)
	}
	return got, c
}

func TestCapture_ReadsBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "brain")
	v := open(t, dir)
	m := vault.Metadata{Tags: []string{"ci"}, Extra: []thought.Field{{Key: "type", Value: json.RawMessage(`"idea"`)}}}
	kept, c := capture(t, v, "[decision] Two\r\ncores.", m)
	if c.Duplicate || kept.Prefix != "Decision" || kept.Source != "dana" || kept.Body != "[decision] Two\ncores.\n" {
		t.Errorf("got %+v, %+v", kept, c)
	}
	for name, w := range map[string]*vault.Vault{"same": v, "other": open(t, dir)} {
		got, ok, err := w.Get(t.Context(), kept.ID)
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(kept)
		if err != nil || !ok || string(a) != string(b) {
			t.Errorf("%s: got %s, %v, want %s", name, a, err, b)
		}
	}
	info, err := os.Stat(filepath.Join(dir, "thoughts", filepath.FromSlash(kept.FilePath)))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v", info, err)
	}
}

func TestCapture_Repeat(t *testing.T) {
	v := open(t, t.TempDir())
	first, _ := capture(t, v, "the same", vault.Metadata{Tags: []string{"a"}})
	again, c := capture(t, v, "the same  \n", vault.Metadata{Tags: []string{"a", "b"}, Extra: []thought.Field{{Key: "k", Value: json.RawMessage("1")}}})
	if !c.Duplicate || !c.Merged || again.ID != first.ID || strings.Join(again.Tags, " ") != "a b" || len(again.Extra) != 1 ||
		!again.CreatedAt.Equal(first.CreatedAt) || !again.UpdatedAt.After(first.UpdatedAt) {
		t.Errorf("got %+v, %+v", again, c)
	}
	if _, c = capture(t, v, "the same", vault.Metadata{}); !c.Duplicate || c.Merged {
		t.Errorf("nothing new: got %+v", c)
	}
	if _, c = capture(t, v, "the same", vault.Metadata{Source: "ben"}); c.Duplicate {
		t.Error("another source is no repeat")
	}
	if s, err := v.Stats(t.Context()); err != nil || s.Total != 2 || s.BySource["ben"] != 1 {
		t.Errorf("got %+v, %v", s, err)
	}
}

func TestCapture_Redacts(t *testing.T) {
	dir := t.TempDir()
	v := open(t, dir)
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	kept, _ := capture(t, v, "token "+secret, vault.Metadata{
		Tags: []string{secret}, Source: secret, Prefix: secret, Extra: []thought.Field{{Key: "k", Value: json.RawMessage(`["` + secret + `"]`)}},
	})
	src, err := os.ReadFile(filepath.Join(dir, "thoughts", filepath.FromSlash(kept.FilePath)))
	if err != nil || strings.Contains(string(src), secret) {
		t.Errorf("%v\n%s", err, src)
	}
}

func TestCapture_Refuses(t *testing.T) {
	v := open(t, t.TempDir())
	for name, c := range map[string]struct {
		content string
		m       vault.Metadata
	}{
		"empty":  {" \n", vault.Metadata{}},
		"long":   {strings.Repeat("x", thought.MaxContent+1), vault.Metadata{}},
		"prefix": {"x", vault.Metadata{Prefix: strings.Repeat("p", 129)}},
		"source": {"x", vault.Metadata{Source: "a..b"}},
		"key":    {"x", vault.Metadata{Extra: []thought.Field{{Key: "id", Value: json.RawMessage("1")}}}},
	} {
		if _, _, err := v.Capture(t.Context(), c.content, c.m); err == nil {
			t.Errorf("%s is kept", name)
		}
	}
	for _, prefix := range []string{"日本", "..", "!!!", "\u202e", "../../x"} {
		capture(t, v, "prefix "+prefix, vault.Metadata{Prefix: prefix})
	}
}

// TestReconcile does by hand what editors and git do.
func TestReconcile(t *testing.T) {
	dir := t.TempDir()
	v := open(t, dir)
	kept, _ := capture(t, v, "[Lesson] one", vault.Metadata{})
	path := filepath.Join(dir, "thoughts", filepath.FromSlash(kept.FilePath))
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(strings.Replace(string(src), "[Lesson] one", "[Lesson] two", 1), "portability: portable", "portability: block", 1)
	write(t, dir, "thoughts/"+kept.FilePath, edited)
	got, ok, err := v.Get(t.Context(), kept.ID)
	if err != nil || !ok || got.Body != "[Lesson] two\n" || got.Portability != "block" || got.Fingerprint != thought.Fingerprint(got.Body) {
		t.Errorf("edited: got %+v, %v", got, err)
	}
	write(t, dir, "thoughts/by-hand.md", "[Pattern] a note of one's own")
	write(t, dir, "thoughts/lesson/zz-copy.md", edited)
	write(t, dir, "thoughts/lesson/broken.md", "---\na: [\n---\nx")
	write(t, dir, "thoughts/.hidden.md", "no")
	write(t, dir, "archive/old.md", "no")
	list, total, err := v.List(t.Context(), thought.Filter{}, vault.Oldest, 10, 0)
	if err != nil || total != 2 || len(list) != 2 {
		t.Errorf("added: got %d of %d, %v", len(list), total, err)
	}
	problems, err := v.Problems(t.Context())
	if err != nil || len(problems) != 2 || problems[0].Path != "lesson/broken.md" || !problems[1].Skipped {
		t.Errorf("got %+v, %v", problems, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if got, ok, err = v.Get(t.Context(), kept.ID); err != nil || !ok || got.FilePath != "lesson/zz-copy.md" {
		t.Errorf("renamed: got %+v, %v, %v", got, ok, err)
	}
	if gone, err := v.Delete(t.Context(), kept.ID); err != nil || !gone {
		t.Errorf("got %v, %v", gone, err)
	}
	if _, ok, err = v.Get(t.Context(), kept.ID); err != nil || ok {
		t.Errorf("deleted: got %v, %v", ok, err)
	}
}

func TestOpen_Setting(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "engram.config.yaml", "vault_name: x\nthoughts_dir: notes/mine\nsync:\n  push: true\n")
	kept, _ := capture(t, open(t, dir), "x", vault.Metadata{})
	if _, err := os.Stat(filepath.Join(dir, "notes", "mine", filepath.FromSlash(kept.FilePath))); err != nil {
		t.Error(err)
	}
	write(t, dir, "engram.config.yaml", "thoughts_dir: ../out\n")
	if _, err := vault.Open(dir, vault.Options{}); err == nil {
		t.Error("a folder outside is accepted")
	}
}

func TestList_Pages(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	v, err := vault.Open(t.TempDir(), vault.Options{Now: func() time.Time { now = now.Add(time.Minute); return now }})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		capture(t, v, fmt.Sprint("thought ", i), vault.Metadata{Prefix: []string{"A", "B"}[i%2]})
	}
	for _, c := range []struct {
		by            vault.Sort
		f             thought.Filter
		limit, offset int
		want          string
		total         int
	}{
		{"", thought.Filter{}, 2, 0, "4 3", 5},
		{vault.Oldest, thought.Filter{Prefix: []string{"A"}}, 9, 1, "2 4", 3},
		{vault.Updated, thought.Filter{}, 0, 0, "", 5},
		{vault.Newest, thought.Filter{}, 9, 9, "", 5},
	} {
		list, total, err := v.List(t.Context(), c.f, c.by, c.limit, c.offset)
		var got []string
		for _, x := range list {
			got = append(got, strings.TrimSpace(strings.TrimPrefix(x.Body, "thought ")))
		}
		if err != nil || strings.Join(got, " ") != c.want || total != c.total {
			t.Errorf("%+v: got %q of %d, %v", c, got, total, err)
		}
	}
	if _, _, err := v.List(t.Context(), thought.Filter{}, "x", 1, 0); err == nil {
		t.Error("an unknown order is accepted")
	}
}

// TestCapture_Together shares a vault between several that opened it.
func TestCapture_Together(t *testing.T) {
	dir := t.TempDir()
	const writers, each = 4, 10
	var wg sync.WaitGroup
	for w := range writers {
		v := open(t, dir)
		wg.Go(func() {
			for i := range each {
				for _, text := range []string{fmt.Sprintf("writer %d thought %d", w, i), fmt.Sprint("shared ", i)} {
					if _, _, err := v.Capture(context.Background(), text, vault.Metadata{}); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	list, total, err := open(t, dir).List(t.Context(), thought.Filter{}, "", 500, 0)
	ids := map[string]bool{}
	for _, x := range list {
		ids[x.ID] = true
	}
	if want := (writers + 1) * each; err != nil || total != want || len(ids) != want {
		t.Errorf("got %d with %d ids, %v, want %d", total, len(ids), err, want)
	}
}

func TestVault_Missing(t *testing.T) {
	v := open(t, filepath.Join(t.TempDir(), "none"))
	if s, err := v.Stats(t.Context()); err != nil || s.Total != 0 || len(s.ByPortability) != 3 {
		t.Errorf("got %+v, %v", s, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := v.Capture(ctx, "x", vault.Metadata{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
