package index_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/index"
)

func TestWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache", "i.sqlite")
	x := index.New(path)
	if got := x.LoadWhole(); got != "" {
		t.Errorf("before anything was saved: got %q", got)
	}
	for _, data := range []string{"first", "", strings.Repeat("second ", 50000)} {
		if err := x.SaveWhole([]byte(data)); err != nil {
			t.Fatal(err)
		}
		if got := index.New(path).LoadWhole(); got != data {
			t.Errorf("got %d bytes, want %d", len(got), len(data))
		}
	}
	if err := x.Drop(); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(path + "*"); len(left) > 0 || x.LoadWhole() != "" {
		t.Errorf("left: %q", left)
	}
}

func TestWhole_Damaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "i.sqlite")
	x := index.New(path)
	if err := x.SaveWhole(bytes.Repeat([]byte("data"), 100)); err != nil {
		t.Fatal(err)
	}
	file := path + "-whole"
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for at := range whole {
		bad := bytes.Clone(whole)
		bad[at] ^= 0x10
		for _, data := range [][]byte{bad, whole[:at], append(bytes.Clone(whole), whole[:at+1]...)} {
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if got := x.LoadWhole(); got != "" {
				t.Errorf("byte %d of %d: got %d bytes", at, len(data), len(got))
			}
		}
	}
}

// TestWhole_Shared has writers of different data at work: what is read is one
// of them whole, or nothing.
func TestWhole_Shared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "i.sqlite")
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			x := index.New(path)
			for range 20 {
				if err := x.SaveWhole(bytes.Repeat([]byte{byte('a' + i)}, 100000+i)); err != nil {
					t.Error(err)
				}
				got := x.LoadWhole()
				if got != "" && got != strings.Repeat(got[:1], 100000+int(got[0]-'a')) {
					t.Error("a mix was read")
				}
			}
		})
	}
	wg.Wait()
}
