package stdio_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slipstream-mcp/slipstream/mcpproto/stdio"
)

// stateless is a request of a revision without initialize.
func stateless(id int, method string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`+"\n", id, method)
}

// brief shows a line of output by what it is.
func brief(out []byte) string {
	var words []string
	for line := range strings.Lines(string(out)) {
		switch id := strings.TrimRight(line[strings.LastIndex(line, `"id":`)+len(`"id":`):], "\n"); {
		case strings.Contains(line, "acknowledged"):
			_, after, _ := strings.Cut(line, `subscriptionId":`)
			words = append(words, "ack"+after[:strings.IndexAny(after, "},")])
		case strings.Contains(line, "subscriptionId"):
			words = append(words, "end"+id[:strings.Index(id, ",")])
		case strings.Contains(line, `"error"`):
			words = append(words, "refused"+id[:strings.Index(id, ",")])
		default:
			words = append(words, id[:strings.Index(id, ",")])
		}
	}
	return strings.Join(words, " ")
}

func TestServe_Subscriptions(t *testing.T) {
	listen := func(id int) string { return stateless(id, "subscriptions/listen") }
	tests := []struct{ name, in, want string }{
		{"until_end", listen(1) + ping(2), "ack1 2 end1"},
		{"after_calls", listen(1) + call(2, "read", 30) + call(3, "write", 10), "ack1 2 3 end1"},
		{"two", listen(1) + listen(2), "ack1 ack2 end1 end2"},
		{"cancelled", listen(1) + ping(2) + cancel("1") + ping(3), "ack1 2 3"},
		{"cancelled_other", listen(1) + cancel(`"1"`), "ack1 end1"},
		{"cancelled_then_new", listen(1) + cancel("1") + listen(1), "ack1 ack1 end1"},
		{"refused_at_once", strings.Replace(listen(1), `{"_meta"`, `{"notifications":7,"_meta"`, 1) + ping(2), "refused1 2"},
		{"without_meta", `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}` + "\n" + ping(2), "refused1 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				if err := stdio.Serve(t.Context(), server(), strings.NewReader(tt.in), &out, stdio.Options{}); err != nil {
					t.Error(err)
				}
				if got := brief(out.Bytes()); got != tt.want {
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
			})
		})
	}
}

// TestServe_SubscriptionsBounded holds that a client cannot make the server
// remember without end.
func TestServe_SubscriptionsBounded(t *testing.T) {
	var in, want strings.Builder
	for i := range 100 {
		in.WriteString(stateless(i, "subscriptions/listen"))
		fmt.Fprintf(&want, "ack%d ", i)
		if i >= 64 {
			fmt.Fprintf(&want, "end%d ", i-64)
		}
	}
	for i := 36; i < 100; i++ {
		fmt.Fprintf(&want, "end%d ", i)
	}
	var out bytes.Buffer
	if err := stdio.Serve(t.Context(), server(), strings.NewReader(in.String()), &out, stdio.Options{}); err != nil {
		t.Error(err)
	}
	if got := brief(out.Bytes()) + " "; got != want.String() {
		t.Errorf("got  %s\nwant %s", got, want.String())
	}
}

// TestServe_SubscriptionAlone holds that a subscription keeps no call waiting
// and does not hold up the end.
func TestServe_SubscriptionAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		in, feed := io.Pipe()
		go io.WriteString(feed, stateless(1, "subscriptions/listen")+call(2, "write", 10))
		var out bytes.Buffer
		start := time.Now()
		_ = stdio.Serve(ctx, server(), in, &out, stdio.Options{})
		if took := time.Since(start); took != time.Second {
			t.Errorf("took %v", took)
		}
		if got := brief(out.Bytes()); got != "ack1 2" {
			t.Errorf("got %s", got)
		}
		feed.Close()
	})
}
