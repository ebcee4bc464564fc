package stdio_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"testing/iotest"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/stdio"
)

// FuzzServe holds that any bytes give whole lines of JSON, at most one a line
// read and one more for a subscription, and that how they arrive makes no
// difference. There are no tools: what a
// call answers may depend on time.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "\r\n", "\uFEFF", "{", ping(1) + ping(2), call(1, "ok", 0) + cancel("1"), ping(1) + "\r\n" + call(2, "ok", 0)[:20],
		string(make([]byte, 300)) + "\n" + ping(1), stateless(1, "subscriptions/listen") + ping(2), stateless(1, "server/discover") + cancel("1"),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var whole, halves bytes.Buffer
		first := mcpproto.New(mcpproto.Info{Name: "t"}, nil, mcpproto.Options{})
		second := mcpproto.New(mcpproto.Info{Name: "t"}, nil, mcpproto.Options{})
		opts := stdio.Options{MaxLine: 256}
		if err := stdio.Serve(t.Context(), first, bytes.NewReader(in), &whole, opts); err != nil {
			t.Fatal(err)
		}
		if err := stdio.Serve(t.Context(), second, iotest.HalfReader(bytes.NewReader(in)), &halves, opts); err != nil {
			t.Fatal(err)
		}
		lines := bytes.SplitAfter(whole.Bytes(), []byte("\n"))
		if last := len(lines) - 1; len(lines[last]) > 0 || last > 2*(1+bytes.Count(in, []byte("\n"))) {
			t.Fatalf("%q: %q", in, whole.Bytes())
		}
		for _, line := range lines[:len(lines)-1] {
			if !json.Valid(line) {
				t.Fatalf("%q: %q", in, line)
			}
		}
		if !bytes.Equal(whole.Bytes(), halves.Bytes()) {
			t.Fatalf("%q: %q, in halves %q", in, whole.Bytes(), halves.Bytes())
		}
	})
}
