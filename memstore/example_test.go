package memstore_test

import (
	"context"
	"fmt"
	"os"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/filestore"
)

func Example() {
	ctx := context.Background()
	dir, _ := os.MkdirTemp("", "memory")
	defer os.RemoveAll(dir)
	files, _ := filestore.Open(dir, filestore.Options{})
	store, _ := memstore.New(files, memstore.Options{})
	defer store.Close()

	store.Remember(ctx, memstore.Fact{Body: "Deploys run from main only.", Tags: []string{"ci"}})
	facts, _ := store.Recall(ctx, "how do we deploy?", 5)
	for _, f := range facts {
		fmt.Printf("%s (%s): %s\n", f.Name, f.Type, f.Body)
	}
	// Output: deploys-run-from-main-only (decision): Deploys run from main only.
}
