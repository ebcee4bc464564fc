package inmem_test

import (
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/inmem"
	"github.com/slipstream-mcp/slipstream/memstore/storetest"
)

func TestBackend(t *testing.T) {
	storetest.Run(t, func(*testing.T) memstore.Backend { return inmem.New() })
}
