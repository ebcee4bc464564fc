package testscripts_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestLedger_Processes has eight servers read of one project at a time: what they saved adds up exactly.
func TestLedger_Processes(t *testing.T) {
	program, err := exec.LookPath("slipstream")
	if err != nil {
		t.Fatal(err)
	}
	sample := filepath.Join(t.TempDir(), "sample")
	if err := os.CopyFS(sample, os.DirFS("testdata/sample")); err != nil {
		t.Fatal(err)
	}
	const processes, reads = 8, 200
	var session strings.Builder
	session.WriteString(`{"jsonrpc":"2.0","id":0,"method":"initialize"}` + "\n")
	for i := range reads {
		fmt.Fprintf(&session, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"sp_lines","arguments":{"file":"src/greet.ts","start":1,"end":3}}}`+"\n", i+1)
	}
	var wg sync.WaitGroup
	for range processes {
		wg.Go(func() {
			cmd := exec.Command(program, "serve", "--root", sample)
			cmd.Stdin = strings.NewReader(session.String())
			out, err := cmd.Output()
			if n := strings.Count(string(out), `"content"`); err != nil || n != reads {
				t.Errorf("%d answers of %d, %v", n, reads, err)
			}
		})
	}
	wg.Wait()
	text, err := os.ReadFile(filepath.Join(sample, ".claude", "slipstream", "savings.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ ScopedReads, ServedBytes, FullBytes, FullTokens int64 }
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join(sample, "src", "greet.ts"))
	if err != nil {
		t.Fatal(err)
	}
	head := strings.SplitAfterN(string(file), "\n", 4)
	slice := int64(len(strings.Join(head[:3], "")) - 1)
	const all = processes * reads
	if got.ScopedReads != all || got.ServedBytes != all*slice || got.FullBytes != all*int64(len(file)) || got.FullTokens%processes != 0 {
		t.Errorf("got %+v of %d reads of %d bytes in %d", got, all, slice, len(file))
	}
}
