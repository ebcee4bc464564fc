package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/server"
)

// calls are one call of each tool on the Go standard library.
var calls = []struct{ name, params string }{
	{"sp_map", `{"name":"sp_map"}`},
	{"sp_symbol", `{"name":"sp_symbol","arguments":{"file":"net/http/server.go","symbol":"Server.Serve"}}`},
	{"sp_lines", `{"name":"sp_lines","arguments":{"file":"net/http/server.go","start":100,"end":140}}`},
	{"sp_search", `{"name":"sp_search","arguments":{"query":"parse multipart form"}}`},
}

// BenchmarkCall is one call through the handler, in process: cold with a new server, warm with one that has answered it
// before.
//
//	go test -bench Call -benchtime 20x .
func BenchmarkCall(b *testing.B) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(goroot)), "src")
	for _, c := range calls {
		message := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + c.params + `}`)
		b.Run(c.name+"/cold", func(b *testing.B) {
			for b.Loop() {
				ask(b, newHandler(b, root), message)
			}
		})
		b.Run(c.name+"/warm", func(b *testing.B) {
			h := newHandler(b, root)
			ask(b, h, message)
			b.ResetTimer()
			for b.Loop() {
				ask(b, h, message)
			}
		})
	}
}

func newHandler(b *testing.B, root string) *mcpproto.Handler {
	h, err := server.New(server.Options{Root: root})
	if err != nil {
		b.Fatal(err)
	}
	return h
}

func ask(b *testing.B, h *mcpproto.Handler, message []byte) {
	if answer := h.Handle(context.Background(), message, nil); len(answer) < 100 {
		b.Fatalf("answer %s", answer)
	}
}

// BenchmarkStart is a whole process, from exec to its end; ms/answer is the time until it has answered initialize.
//
//	go test -bench Start -benchtime 50x .
func BenchmarkStart(b *testing.B) {
	binary := filepath.Join(b.TempDir(), "slipstream")
	if out, err := exec.Command("go", "build", "-o", binary, "./cmd/slipstream").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	var answered time.Duration
	for b.Loop() {
		d, err := start(binary)
		if err != nil {
			b.Fatal(err)
		}
		answered += d
	}
	b.ReportMetric(answered.Seconds()*1000/float64(b.N), "ms/answer")
}

// start runs the program until it has answered initialize and ended, and returns when it had answered.
func start(binary string) (answered time.Duration, err error) {
	cmd := exec.Command(binary, "serve", "--root", os.TempDir())
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"initialize"}`)
	if _, err := bufio.NewReader(out).ReadBytes('\n'); err != nil {
		return 0, err
	}
	answered = time.Since(begin)
	in.Close()
	io.Copy(io.Discard, out)
	return answered, cmd.Wait()
}
