package stdio_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"
	"testing/iotest"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/stdio"
)

// FuzzServe holds that any bytes give whole lines of JSON, at most one a line
// read, and that how they arrive makes no difference.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "\r\n", "\uFEFF", "{", ping(1) + ping(2), call(1, "ok", 0) + cancel("1"), ping(1) + "\r\n" + call(2, "ok", 0)[:20],
		string(make([]byte, 300)) + "\n" + ping(1),
	} {
		f.Add([]byte(seed))
	}
	ok := tool("ok", false, func(context.Context, *mcpproto.Call) (mcpproto.Result, error) {
		return mcpproto.Text("ok"), nil
	})
	f.Fuzz(func(t *testing.T, in []byte) {
		var whole, halves bytes.Buffer
		opts := stdio.Options{MaxLine: 200}
		if err := stdio.Serve(t.Context(), server(ok), bytes.NewReader(in), &whole, opts); err != nil {
			t.Fatal(err)
		}
		if err := stdio.Serve(t.Context(), server(ok), iotest.HalfReader(bytes.NewReader(in)), &halves, opts); err != nil {
			t.Fatal(err)
		}
		lines := bytes.SplitAfter(whole.Bytes(), []byte("\n"))
		if last := len(lines) - 1; len(lines[last]) > 0 || last > 1+bytes.Count(in, []byte("\n")) {
			t.Fatalf("%q: %q", in, whole.Bytes())
		}
		for _, line := range lines[:len(lines)-1] {
			if !json.Valid(line) {
				t.Fatalf("%q: %q", in, line)
			}
		}
		if whole.Len() != halves.Len() { // a call and a ping may swap
			t.Fatalf("%q: %q, in halves %q", in, whole.Bytes(), halves.Bytes())
		}
	})
}
