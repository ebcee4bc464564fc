package filestore_test

import (
	"path/filepath"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/filestore"
)

// Without its index a store answers as before, and makes it anew.
func TestDrop(t *testing.T) {
	dir := t.TempDir()
	d := open(t, filepath.Join(dir, "state"), filestore.Options{CacheDir: filepath.Join(dir, "cache")})
	s := newStore(t, d)
	for _, body := range []string{"Deploys run from main.", "Prices are in cents."} {
		if _, err := s.Remember(t.Context(), memstore.Fact{Body: body}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := d.Drop(); err != nil {
			t.Fatal(err)
		}
		facts, err := s.Recall(t.Context(), "deploy", 5)
		if err != nil || len(facts) != 1 || facts[0].Body != "Deploys run from main." {
			t.Errorf("found %+v, %v", facts, err)
		}
		if all, err := s.List(t.Context()); err != nil || len(all) != 2 {
			t.Errorf("%d facts, %v", len(all), err)
		}
	}
}
