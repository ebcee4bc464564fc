package stdio_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/stdio"
)

// server has tools that take as long as their argument says.
func server(tools ...mcpproto.Tool) *mcpproto.Handler {
	for _, name := range []string{"read", "write"} {
		tools = append(tools, tool(name, name == "read", func(ctx context.Context, c *mcpproto.Call) (mcpproto.Result, error) {
			var in struct{ MS int }
			if err := json.Unmarshal(c.Arguments, &in); err != nil {
				return mcpproto.Result{}, err
			}
			select {
			case <-time.After(time.Duration(in.MS) * time.Millisecond):
				return mcpproto.Text("done"), nil
			case <-ctx.Done():
				return mcpproto.Result{}, ctx.Err()
			}
		}))
	}
	return mcpproto.New(mcpproto.Info{Name: "t", Version: "1"}, tools, mcpproto.Options{})
}

func tool(name string, readOnly bool, call mcpproto.CallFunc) mcpproto.Tool {
	return mcpproto.Tool{
		Name:        name,
		InputSchema: json.RawMessage(`{"type":"object","properties":{}}`),
		Annotations: mcpproto.Annotations{ReadOnly: readOnly},
		Call:        call,
	}
}

func call(id int, name string, ms int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"MS":%d}}}`+"\n", id, name, ms)
}

func ping(id int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", id) }

func cancel(id string) string {
	return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + "}}\n"
}

// transcript notes the id and the time of each answer. Each Write must be one
// line.
type transcript struct {
	t     *testing.T
	start time.Time
	mu    sync.Mutex
	lines []string
}

func newTranscript(t *testing.T) *transcript { return &transcript{t: t, start: time.Now()} }

func (o *transcript) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var m struct {
		ID json.RawMessage
	}
	if bytes.Count(b, []byte("\n")) != 1 || b[len(b)-1] != '\n' {
		o.t.Errorf("not one line: %q", b)
	}
	if err := json.Unmarshal(b, &m); err != nil {
		o.t.Errorf("%q: %v", b, err)
	}
	o.lines = append(o.lines, fmt.Sprintf("%s@%d", m.ID, time.Since(o.start).Milliseconds()))
	return len(b), nil
}

func (o *transcript) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.Join(o.lines, " ")
}

func TestServe_Order(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"reads_overlap", call(1, "read", 30) + call(2, "read", 20) + call(3, "read", 10), "3@10 2@20 1@30"},
		{"bounded", call(1, "read", 10) + call(2, "read", 10) + call(3, "read", 10) + call(4, "read", 10) + call(5, "read", 5), "1@10 2@10 3@10 4@10 5@15"},
		{"write_waits", call(1, "read", 20) + call(2, "write", 10) + call(3, "read", 5) + call(4, "read", 5) + ping(5), "5@0 1@20 2@30 3@35 4@35"},
		{"writes_in_turn", call(1, "write", 10) + call(2, "write", 10) + call(3, "write", 10), "1@10 2@20 3@30"},
		{"ping_passes", call(1, "read", 20) + call(2, "write", 10) + ping(3) + ping(4), "3@0 4@0 1@20 2@30"},
		{"cancel_running", call(1, "read", 900) + call(2, "write", 10) + cancel("1"), "2@10"},
		{"cancel_waiting", call(1, "read", 20) + call(2, "write", 900) + call(3, "read", 10) + cancel("2"), "1@20 3@30"},
		{"cancel_strangers", cancel("7") + cancel(`{}`) + call(1, "read", 10) + cancel(`"1"`), "1@10"},
		{"cancel_initialize", `{"jsonrpc":"2.0","id":1,"method":"initialize"}` + "\n" + cancel("1"), "1@0"},
		{"twin_ids", call(1, "read", 10) + call(1, "read", 20) + call(2, "write", 10), "1@10 1@20 2@30"},
		{"twin_ids_cancelled", call(1, "read", 10) + call(1, "write", 20) + cancel("1") + call(2, "write", 10), "2@10"},
		{"id_used_again", call(1, "write", 10) + call(2, "write", 0) + call(1, "write", 10), "1@10 2@10 1@20"},
		{"framing", "\uFEFF" + ping(1) + "\r\n\n  \n" + strings.ReplaceAll(ping(2), "\n", "\r\n") + "junk\n" + strings.TrimSpace(ping(3)), "1@0 2@0 null@0 3@0"},
		{"last_call", strings.TrimSpace(call(1, "read", 10)), "1@10"},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				out := newTranscript(t)
				if err := stdio.Serve(t.Context(), server(), strings.NewReader(tt.in), out, stdio.Options{Parallel: 4}); err != nil {
					t.Error(err)
				}
				if got := sorted(out); got != tt.want {
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
			})
		})
	}
}

// sorted orders answers of the same instant, which may come in any order when
// they are calls.
func sorted(o *transcript) string {
	lines := strings.Fields(o.String())
	at := func(s string) string { return s[strings.Index(s, "@"):] }
	for i := range lines {
		for j := i; j > 0 && at(lines[j]) == at(lines[j-1]) && at(lines[j]) != "@0" && lines[j] < lines[j-1]; j-- {
			lines[j], lines[j-1] = lines[j-1], lines[j]
		}
	}
	return strings.Join(lines, " ")
}

func TestServe_Cancelled(t *testing.T) {
	stubborn := func(d time.Duration) mcpproto.Tool {
		return tool("stubborn", false, func(context.Context, *mcpproto.Call) (mcpproto.Result, error) {
			time.Sleep(d)
			return mcpproto.Text("never heard"), nil
		})
	}
	tests := []struct {
		name  string
		in    string
		takes time.Duration // after the context is done
	}{
		{"idle", "", 0},
		{"running", call(1, "read", 9000) + call(2, "read", 9000), 0},
		{"waiting", call(1, "write", 9000) + call(2, "write", 9000) + call(3, "read", 9000), 0},
		{"stubborn", call(1, "stubborn", 0) + call(2, "read", 9000), 50 * time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithTimeout(t.Context(), time.Second)
				defer stop()
				in, feed := io.Pipe()
				go io.WriteString(feed, tt.in)
				out := newTranscript(t)
				err := stdio.Serve(ctx, server(stubborn(5*time.Second)), in, out, stdio.Options{})
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v", err)
				}
				if took := time.Since(out.start) - time.Second; took != tt.takes {
					t.Errorf("took %v, want %v", took, tt.takes)
				}
				go func() { io.WriteString(feed, ping(9)); feed.Close() }()
				time.Sleep(10 * time.Second) // whatever is left behind ends
				if got := out.String(); got != "" {
					t.Errorf("wrote %s", got)
				}
			})
		})
	}
}

// stuck is a stream nobody reads.
type stuck struct{ release chan struct{} }

func (s stuck) Write(b []byte) (int, error) { <-s.release; return len(b), nil }

func TestServe_StuckWriter(t *testing.T) {
	for name, in := range map[string]string{
		"call":    call(1, "read", 0),
		"ping":    ping(1) + ping(2),
		"waiting": ping(1) + call(2, "read", 0) + call(3, "write", 0),
		"both":    call(1, "read", 0) + ping(2) + ping(3),
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), time.Second)
			defer stop()
			w := stuck{make(chan struct{})}
			start := time.Now()
			err := stdio.Serve(ctx, server(), strings.NewReader(in), w, stdio.Options{})
			if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took > 1100*time.Millisecond {
				t.Errorf("%s: got %v after %v", name, err, took)
			}
			close(w.release)
		})
	}
}

type brokenPipe struct{ left int }

var errPipe = errors.New("pipe is broken")

func (b *brokenPipe) Write(p []byte) (int, error) {
	if b.left--; b.left < 0 {
		return 0, errPipe
	}
	return len(p), nil
}

func TestServe_WriteError(t *testing.T) {
	for name, in := range map[string]string{
		"inline":  ping(1) + ping(2) + ping(3),
		"call":    ping(1) + call(2, "read", 10),
		"running": call(2, "read", 9000) + ping(1) + ping(3),
	} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			r, w := io.Pipe() // it stays open: only the failed write can end Serve
			go io.WriteString(w, in)
			err := stdio.Serve(t.Context(), server(), r, &brokenPipe{left: 1}, stdio.Options{})
			if took := time.Since(start); !errors.Is(err, errPipe) || took > 100*time.Millisecond {
				t.Errorf("%s: got %v after %v", name, err, took)
			}
			w.Close()
		})
	}
}

func TestServe_ReadError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad := errors.New("bad sector")
		out := newTranscript(t)
		r := io.MultiReader(strings.NewReader(call(1, "read", 10)+strings.TrimSpace(ping(2))), iotest.ErrReader(bad))
		if err := stdio.Serve(t.Context(), server(), r, out, stdio.Options{}); !errors.Is(err, bad) {
			t.Errorf("got %v", err)
		}
		if got := out.String(); got != "2@0 1@10" {
			t.Errorf("got %s", got)
		}
	})
}

func TestServe_Pings(t *testing.T) {
	var in, want strings.Builder
	for i := range 200 {
		in.WriteString(ping(i))
		fmt.Fprintf(&want, `{"jsonrpc":"2.0","id":%d,"result":{}}`+"\n", i)
	}
	for name, r := range map[string]io.Reader{
		"one_write": strings.NewReader(in.String()),
		"by_byte":   iotest.OneByteReader(strings.NewReader(in.String())),
	} {
		var out bytes.Buffer
		if err := stdio.Serve(t.Context(), server(), r, &out, stdio.Options{}); err != nil || out.String() != want.String() {
			t.Errorf("%s: %v, %d bytes, want %d", name, err, out.Len(), want.Len())
		}
	}
}

func TestServe_LongLines(t *testing.T) {
	const limit = 100_000
	line := func(id, size int) string {
		head := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping","params":{"x":"`, id)
		return head + strings.Repeat("x", size-len(head)-len(`"}}`)) + `"}}`
	}
	var out bytes.Buffer
	in := line(1, limit) + "\n" + line(2, limit+1) + "\n" + line(3, 5*limit) + "\r\n" + ping(4) + line(5, limit+1)
	if err := stdio.Serve(t.Context(), server(), strings.NewReader(in), &out, stdio.Options{MaxLine: limit}); err != nil {
		t.Fatal(err)
	}
	const refusal = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"line is longer than 100000 bytes"}}` + "\n"
	want := `{"jsonrpc":"2.0","id":1,"result":{}}` + "\n" + refusal + refusal + `{"jsonrpc":"2.0","id":4,"result":{}}` + "\n" + refusal
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestServe_Large(t *testing.T) {
	text := strings.Repeat("0123456789abcdef", 8<<16) // 8 MiB
	echo := tool("echo", true, func(_ context.Context, c *mcpproto.Call) (mcpproto.Result, error) {
		var in struct{ Text string }
		err := json.Unmarshal(c.Arguments, &in)
		return mcpproto.Text(in.Text), err
	})
	var out bytes.Buffer
	in := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"Text":"` + text + `"}}}`
	if err := stdio.Serve(t.Context(), server(echo), strings.NewReader(in), &out, stdio.Options{}); err != nil {
		t.Fatal(err)
	}
	if want := `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"` + text + `"}]}}` + "\n"; out.String() != want {
		t.Errorf("got %d bytes, want %d", out.Len(), len(want))
	}
}

// TestServe_Goexit holds that a tool that ends its goroutine, as a test helper
// may, does not end the connection.
func TestServe_Goexit(t *testing.T) {
	quit := tool("quit", false, func(context.Context, *mcpproto.Call) (mcpproto.Result, error) {
		runtime.Goexit()
		return mcpproto.Result{}, nil
	})
	synctest.Test(t, func(t *testing.T) {
		out := newTranscript(t)
		if err := stdio.Serve(t.Context(), server(quit), strings.NewReader(call(1, "quit", 0)+call(2, "write", 10)), out, stdio.Options{}); err != nil {
			t.Error(err)
		}
		if got := out.String(); got != "2@10" {
			t.Errorf("got %s", got)
		}
	})
}

// TestServe_Progress holds that notifications are paced, grow, come before the
// answer and share one stream with others.
func TestServe_Progress(t *testing.T) {
	work := tool("work", true, func(_ context.Context, c *mcpproto.Call) (mcpproto.Result, error) {
		for i := range 250 { // 2.5 s
			c.Progress(float64(i), 250, strings.Repeat("m", 500))
			time.Sleep(10 * time.Millisecond)
		}
		go func() {
			time.Sleep(200 * time.Millisecond)
			c.Progress(250, 250, "late")
		}()
		return mcpproto.Text("ok"), nil
	})
	synctest.Test(t, func(t *testing.T) {
		var in strings.Builder
		for i := range 3 {
			fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"work","_meta":{"progressToken":%d}}}`+"\n", i, i)
		}
		in.WriteString(call(3, "read", 5000)) // keeps the connection open for what is late
		var out bytes.Buffer
		if err := stdio.Serve(t.Context(), server(work), strings.NewReader(in.String()), &out, stdio.Options{Parallel: 4}); err != nil {
			t.Fatal(err)
		}
		sent, last, answered := map[int]int{}, map[int]float64{}, map[int]bool{}
		for line := range bytes.Lines(out.Bytes()) {
			var m struct {
				ID     *int
				Params struct {
					ProgressToken int
					Progress      float64
				}
			}
			if err := json.Unmarshal(line, &m); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if m.ID != nil {
				answered[*m.ID] = true
				continue
			}
			p := m.Params
			if answered[p.ProgressToken] || sent[p.ProgressToken] > 0 && p.Progress <= last[p.ProgressToken] {
				t.Errorf("out of order: %s", line)
			}
			sent[p.ProgressToken]++
			last[p.ProgressToken] = p.Progress
		}
		if got, want := fmt.Sprint(sent, len(answered)), "map[0:25 1:25 2:25] 4"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}
