package testscripts_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/testscripts"
)

// The runner is tried on a server of its own, in this process and behind a pipe.

func TestRun_InProcess(t *testing.T) {
	testscripts.Run(t, "testdata/runner/good", testscripts.Options{Handle: fake})
}

func TestRun_Command(t *testing.T) {
	testscripts.Run(t, "testdata/runner/good", testscripts.Options{Command: []string{"fakeserver", "--root={root}"}})
}

// TestRun_Fails plays scripts that must fail, in a process of their own, and reads why they did.
func TestRun_Fails(t *testing.T) {
	const inner = "TESTSCRIPTS_PLAY_BAD"
	if os.Getenv(inner) != "" {
		testscripts.Run(t, "testdata/runner/bad", testscripts.Options{Handle: fake})
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestRun_Fails$")
	cmd.Env = append(os.Environ(), inner+"=1")
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Fatalf("bad scripts pass:\n%s", out)
	}
	for script, why := range map[string]string{
		"golden":    "stdout and want differ",
		"refusal":   "unexpected refusal by refuse",
		"success":   "unexpected success of say",
		"arguments": "not JSON: {",
		"usage":     "usage: call TOOL [JSON]",
		"late_root": "the script's server is running already",
		"no_root":   "nowhere",
		"junk":      `"junk" is not a message`,
	} {
		if !strings.Contains(string(out), "--- FAIL: TestRun_Fails/"+script) || !strings.Contains(string(out), why) {
			t.Errorf("script %q does not fail with %q:\n%s", script, why, out)
		}
	}
}

// TestRun_Update rewrites the golden of a copied script.
func TestRun_Update(t *testing.T) {
	dir := t.TempDir()
	script, err := os.ReadFile("testdata/runner/bad/golden.txtar")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "golden.txtar")
	if err := os.WriteFile(file, script, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Run("play", func(t *testing.T) {
		testscripts.Run(t, dir, testscripts.Options{Handle: fake, Update: true})
	})
	got, err := os.ReadFile(file)
	if want := strings.Replace(string(script), "\nb\n", "\na\n", 1); err != nil || string(got) != want {
		t.Errorf("updated script is %q, %v; want %q", got, err, want)
	}
}

// fake is a server with a tool for each thing a transcript can show.
func fake(root string) (testscripts.Handler, error) {
	return func(_ context.Context, msg []byte, notify func([]byte)) []byte {
		var in struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name      string
				Arguments json.RawMessage
			}
		}
		if err := json.Unmarshal(msg, &in); err != nil || in.ID == nil {
			return nil
		}
		if in.Method == "junk" {
			return []byte("junk")
		}
		var args struct{ Text string }
		json.Unmarshal(in.Params.Arguments, &args)
		quote := func(s string) []byte { b, _ := json.Marshal(s); return b }
		result := func(format string, a ...any) []byte {
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{%s}}`, in.ID, fmt.Sprintf(format, a...))
		}
		const text = `"content":[{"type":"text","text":%s}]`
		switch in.Params.Name {
		case "":
			return result("")
		case "say":
			return result(text, quote(args.Text))
		case "size":
			b, err := os.ReadFile(filepath.Join(root, args.Text))
			if err != nil {
				return result(text, quote(err.Error()))
			}
			return result(text, quote(fmt.Sprint(len(b))))
		case "both":
			return result(text+`,"structuredContent":%s`, quote(string(in.Params.Arguments)), in.Params.Arguments)
		case "differ":
			return result(text+`,"structuredContent":{"n":1}`, quote("plain"))
		case "refuse":
			return result(text+`,"isError":true`, quote("not today"))
		case "notify":
			notify([]byte(`{"jsonrpc":"2.0","method":"notifications/progress"}`))
			return result(`"content":[]`)
		}
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"unknown tool \"%s\"","data":{"name":"%[2]s"}}}`,
			in.ID, in.Params.Name)
	}, nil
}

// fakeServer is fake as a program.
func fakeServer() {
	handle, _ := fake(strings.TrimPrefix(os.Args[1], "--root="))
	lines := bufio.NewReader(os.Stdin)
	write := func(msg []byte) { os.Stdout.Write(append(msg, '\n')) }
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		if answer := handle(context.Background(), bytes.TrimSpace(line), write); answer != nil {
			write(answer)
		}
	}
}
