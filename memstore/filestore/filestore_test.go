package filestore_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/filestore"
	"github.com/slipstream-mcp/slipstream/memstore/storetest"
)

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, dir string, o filestore.Options) *filestore.Dir {
	t.Helper()
	d, err := filestore.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func TestBackend(t *testing.T) {
	storetest.Run(t, func(t *testing.T) memstore.Backend {
		dir := t.TempDir()
		return open(t, filepath.Join(dir, "state"), filestore.Options{CacheDir: filepath.Join(dir, "cache")})
	})
}

func TestBackend_NoIndex(t *testing.T) {
	storetest.Run(t, func(t *testing.T) memstore.Backend {
		return open(t, filepath.Join(t.TempDir(), "state"), filestore.Options{})
	})
}
