package schema_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
)

// FuzzDecode holds that any object is either decoded within its bounds or
// refused in one printable line, and that what was decoded decodes again to the
// same.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"ids":[1,2.0,"3"],"small":"1e2","ratio":1e-400,"flag":"true"}`, `{"meta":{"a":{"b":[1e999999999]}}}`,
		`{"inner":"{\"name\":1}","inners":[{"name":"x","rate":"0.1"}],"grid":"[[1]]"}`, `{"words":"","maybe":1e5}`,
		`{"ids":[99999999999999999999999999999999999999999999999]}`, `{"meta":"[]]","id":"\u202e\n","Flag":1}`,
	} {
		f.Add(seed)
	}
	var in everything
	tool := schema.Tool("t", "", func(_ context.Context, got everything) (string, error) {
		in = got
		raw, err := json.Marshal(got)
		return string(raw), err
	})
	f.Fuzz(func(t *testing.T, arguments string) {
		if !json.Valid([]byte(arguments)) || !strings.HasPrefix(arguments, "{") {
			return
		}
		call := func(arguments string) (string, error) {
			r, err := tool.Call(t.Context(), &mcpproto.Call{Arguments: json.RawMessage(arguments)})
			return r.Text(), err
		}
		got, err := call(arguments)
		if err != nil {
			if bad := strings.IndexFunc(err.Error(), func(c rune) bool { return !unicode.IsPrint(c) }); bad >= 0 || len(err.Error()) > 4000 {
				t.Fatalf("%q: refusal %q", arguments, err)
			}
			return
		}
		if len(in.IDs) > 3 || in.Ratio > 1.5 || in.Ratio < -1.5 || in.Inner != nil && in.Inner.Rate <= 0 {
			t.Fatalf("%q: out of bounds: %+v", arguments, in)
		}
		// Fields that hold their zero value are left out of got, so those with
		// another default come back different.
		if !in.Flag || in.Words == nil || len(in.Words) == 0 || in.Meta.Level == 0 || in.Inner != nil && in.Inner.Name == "" {
			return
		}
		for _, one := range in.Inners {
			if strings.TrimSpace(one.Name) == "" {
				return
			}
		}
		again, err := call(got)
		if err != nil || again != got {
			t.Fatalf("%q: %s, then %s, %v", arguments, got, again, errors.Unwrap(err))
		}
	})
}
