package testscripts_test

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/slipstream-mcp/slipstream/server"
	"github.com/slipstream-mcp/slipstream/testscripts"
)

var (
	update = flag.Bool("update", false, "rewrite the goldens that differ")
	binary = flag.String("bin", "", "play the transcripts on this installed program, over real stdio")
)

func TestTools(t *testing.T) { testscripts.Run(t, "tools", options(t)) }
func TestWire(t *testing.T)  { testscripts.Run(t, "wire", options(t)) }
func TestCLI(t *testing.T)   { testscripts.Run(t, "cli", options(t)) }
func TestStore(t *testing.T) { testscripts.Run(t, "store", options(t)) }
func TestHook(t *testing.T)  { testscripts.Run(t, "hook", options(t)) }

// testVersion is what the server in this process says its version is, and an installed one is shown to say.
const testVersion = "v0.0.0-test"

// options plays a script on slipstream with the sample project as its root.
func options(t *testing.T) testscripts.Options {
	o := testscripts.Options{
		Handle:   serve,
		Root:     "sample",
		Setup:    setup,
		Commands: map[string]func(*testscript.TestScript, bool, []string){"exits": cmdExits, "embedder": cmdEmbedder},
		Update:   *update,
	}
	if *binary != "" {
		program, err := filepath.Abs(*binary)
		if err != nil {
			t.Fatal(err)
		}
		o.Command = []string{program, "serve", "--root", "{root}"}
		own := regexp.MustCompile(`("name": "slipstream",(?:\s+"title": "slipstream",)?\s+"version": )"[^"]*"`)
		o.Show = func(text string) string { return own.ReplaceAllString(text, `${1}"`+testVersion+`"`) }
		bin := t.TempDir()
		if err := os.Symlink(program, filepath.Join(bin, "slipstream")); err != nil {
			t.Fatal(err)
		}
		o.Setup = func(env *testscript.Env) error {
			env.Setenv("PATH", bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
			return setup(env)
		}
	}
	return o
}

// serve opens a connection to slipstream in this process.
func serve(root string) (testscripts.Handler, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	h, err := server.New(server.Options{Root: abs, Vault: filepath.Join(filepath.Dir(abs), "vault"), Version: testVersion})
	if err != nil {
		return nil, err
	}
	return h.Handle, nil
}

// setup gives a script the sample project, whose files its own may add to, and an empty home.
func setup(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, ".home")
	if err := os.Mkdir(home, 0o777); err != nil {
		return err
	}
	env.Setenv("HOME", home)
	env.Setenv("SLIPSTREAM_VAULT", filepath.Join(env.WorkDir, "vault"))
	err := os.CopyFS(filepath.Join(env.WorkDir, "sample"), os.DirFS("testdata/sample"))
	if errors.Is(err, os.ErrExist) {
		return errors.New("the script holds a file of the sample project itself: " + err.Error())
	}
	return err
}

// cmdExits runs a program that must end with one exit code.
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARGS]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got := strconv.Itoa(code); got != args[0] {
		ts.Fatalf("%s ends with %s, want %s", args[1], got, args[0])
	}
}
