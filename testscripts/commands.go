package testscripts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

const (
	handshake   = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"testscripts","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

// cmdCall calls one tool of the script's server. The first call of a script opens the connection.
func cmdCall(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: call TOOL [JSON]")
	}
	arguments := "{}"
	if len(args) == 2 {
		arguments = args[1]
	}
	if !json.Valid([]byte(arguments)) {
		ts.Fatalf("call: not JSON: %s", arguments)
	}
	s := ts.Value(sessionKey{}).(*session)
	if s.server == nil {
		server, err := s.connect()
		ts.Check(err)
		s.server = server
		_, err = server.ask(s.ctx, []byte(handshake))
		ts.Check(err)
		ts.Check(server.tell(s.ctx, []byte(initialized)))
	}
	s.calls++
	name, err := json.Marshal(args[0])
	ts.Check(err)
	answer, err := s.server.ask(s.ctx, fmt.Appendf(nil,
		`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%s,"arguments":%s}}`,
		s.calls, name, compact(s.expand(arguments))))
	ts.Check(err)
	text, ok, err := render(answer)
	ts.Check(err)
	text = s.collapse(text)
	if ok {
		fmt.Fprint(ts.Stdout(), text)
	} else {
		fmt.Fprint(ts.Stderr(), text)
	}
	switch {
	case ok && neg:
		ts.Fatalf("unexpected success of %s", args[0])
	case !ok && !neg:
		ts.Fatalf("unexpected refusal by %s", args[0])
	}
}

// cmdWire sends the lines of a file, as they are, to a fresh connection.
func cmdWire(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: wire FILE")
	}
	s := ts.Value(sessionKey{}).(*session)
	server, err := s.connect()
	ts.Check(err)
	defer server.close(s.ctx)
	text := strings.TrimSuffix(s.expand(ts.ReadFile(args[0])), "\n")
	out := ts.Stdout()
	ts.Check(server.stream(s.ctx, bytes.Split([]byte(text), []byte("\n")), func(msg []byte) {
		var b bytes.Buffer
		if err := json.Indent(&b, msg, "", "  "); err != nil {
			ts.Fatalf("wire: %q is not a message: %v", msg, err)
		}
		fmt.Fprintln(out, s.collapse(b.String()))
	}))
}

// cmdRoot says which folder the server works on.
func cmdRoot(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: root DIR")
	}
	s := ts.Value(sessionKey{}).(*session)
	if s.server != nil {
		ts.Fatalf("root: the script's server is running already")
	}
	s.root = ts.MkAbs(args[0])
}

// cmdBytes writes a file that a transcript could not hold or show.
func cmdBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: bytes FILE TEXT")
	}
	write(ts, args[0], unescape(ts, args[1]))
}

// cmdGen writes what would be too long to read.
func cmdGen(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: gen FILE N TEXT")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	text, many := unescape(ts, args[2]), strings.Contains(args[0], "{n}")
	var all strings.Builder
	for i := 1; i <= n; i++ {
		one := strings.ReplaceAll(text, "{n}", strconv.Itoa(i))
		if many {
			write(ts, strings.ReplaceAll(args[0], "{n}", strconv.Itoa(i)), one)
			continue
		}
		all.WriteString(one)
	}
	if !many {
		write(ts, args[0], all.String())
	}
}

func write(ts *testscript.TestScript, name, text string) {
	name = ts.MkAbs(name)
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o777))
	ts.Check(os.WriteFile(name, []byte(text), 0o666))
}

// unescape reads Go's escapes; quotes stand for themselves.
func unescape(ts *testscript.TestScript, text string) string {
	s, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
	if err != nil {
		ts.Fatalf("bad escape in %q", text)
	}
	return s
}

// expand puts the script's folder where $WORK is named.
func (s *session) expand(text string) string {
	return strings.ReplaceAll(text, "$WORK", s.env.WorkDir)
}

// collapse is the reverse of expand, for what came back.
func (s *session) collapse(text string) string {
	text = strings.ReplaceAll(text, s.env.WorkDir, "$WORK")
	if s.opts.Show != nil {
		text = s.opts.Show(text)
	}
	return text
}
