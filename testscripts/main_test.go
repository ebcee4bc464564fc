package testscripts_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/slipstream-mcp/slipstream/server"
)

func TestMain(m *testing.M) {
	testscript.Main(suite{m}, map[string]func(){
		"slipstream": slipstream,
		"fakeserver": fakeServer,
	})
}

// slipstream is the program as scripts run it: its own streams, a clock that stands still.
func slipstream() {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	os.Exit(server.Main(context.Background(), server.Env{
		Args:       os.Args[1:],
		Stdin:      os.Stdin,
		Stdout:     os.Stdout,
		Stderr:     os.Stderr,
		Getenv:     os.Getenv,
		Dir:        dir,
		Now:        func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
		Executable: self,
	}))
}

// suite runs the tests without what the machine's user has set up: an empty home, no settings of git or of the program.
// What the go command needs is kept.
type suite struct{ m *testing.M }

func (s suite) Run() int {
	home, err := os.MkdirTemp("", "testscripts-home")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(home)
	keep := map[string]string{}
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOSUMDB").Output()
	if err == nil {
		err = json.Unmarshal(out, &keep)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "go env:", err)
		return 1
	}
	keep[realHomeKey], _ = os.UserHomeDir()
	keep["HOME"] = home
	for name, value := range keep {
		os.Setenv(name, value)
	}
	for _, name := range []string{"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "SLIPSTREAM_ROOT", "CLAUDE_PROJECT_DIR", "GIT_DIR", "NO_COLOR"} {
		os.Unsetenv(name)
	}
	return s.m.Run()
}

const realHomeKey = "TESTSCRIPTS_REAL_HOME"

// realHome is the home of who runs the tests.
func realHome() string { return os.Getenv(realHomeKey) }
