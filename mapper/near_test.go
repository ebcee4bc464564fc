package mapper_test

import (
	"reflect"
	"testing"

	"github.com/slipstream-mcp/slipstream/mapper"
)

func TestNear(t *testing.T) {
	var m mapper.Map
	for _, p := range []string{"README.md", "lib/util.go", "lib/greet.ts", "src/cli.ts", "src/greet.ts", "src/store/index.ts", "test/greet.test.ts"} {
		m.Files = append(m.Files, mapper.File{Path: p})
	}
	for _, c := range []struct {
		path string
		want []string
	}{
		{"src/gret.ts", []string{"src/greet.ts", "lib/greet.ts"}},
		{"greet.ts", []string{"lib/greet.ts", "src/greet.ts", "test/greet.test.ts"}},
		{`src\Greet.TS`, []string{"src/greet.ts", "lib/greet.ts", "test/greet.test.ts"}},
		{"src/greet.js", []string{"src/greet.ts", "lib/greet.ts", "test/greet.test.ts"}},
		{"src/index.ts", []string{"src/store/index.ts"}},
		{"lib/utli.go", []string{"lib/util.go"}},
		{"zzz", nil},
		{"", nil},
	} {
		if got := m.Near(c.path); !reflect.DeepEqual(got, c.want) {
			t.Errorf("Near(%q) = %q, want %q", c.path, got, c.want)
		}
	}
}
