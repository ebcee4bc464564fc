package mapper_test

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/slipstream-mcp/slipstream/mapper"
)

// TestSearch_Forwarded holds that a file that declares a name comes before one that only exports it again.
func TestSearch_Forwarded(t *testing.T) {
	parse := func(_ context.Context, name string, _ []byte) (mapper.File, error) {
		s := mapper.Symbol{Name: "switchMap", Qualified: "switchMap", Kind: "function", Exported: true, Top: true, Line: 1, End: 1}
		s.Forwarded = name == "index.ts"
		return mapper.File{Language: "typescript", Symbols: []mapper.Symbol{s}}, nil
	}
	m := scan(t, fstest.MapFS{"index.ts": {Data: []byte("x")}, "deep/in/operators.ts": {Data: []byte("x")}}, mapper.Options{Parse: parse})
	hits := m.Search("switchMap", 5)
	if len(hits) != 2 || hits[0].Path != "deep/in/operators.ts" {
		t.Errorf("got %v", hits)
	}
}
