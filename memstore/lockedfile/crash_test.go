package lockedfile_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile/powercut"
)

var killCycles = flag.Int("kill-cycles", 10, "how often TestKilled kills a writer")

// helperDir names the folder to write into when the test binary is started as
// a writer that is going to be killed.
const helperDir = "LOCKEDFILE_TEST_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(helperDir); dir != "" {
		writeUntilKilled(dir)
	}
	os.Exit(m.Run())
}

// writeUntilKilled appends numbered lines and counts them in a second file,
// saying each number once both are durable.
func writeUntilKilled(dir string) {
	for {
		err := lockedfile.Update(context.Background(), filepath.Join(dir, "count"), func(old []byte) ([]byte, error) {
			return append(old, '.'), nil
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		data, _ := os.ReadFile(filepath.Join(dir, "count"))
		n := fmt.Sprintf("%d-%d", os.Getpid(), len(data))
		if err := lockedfile.Append(context.Background(), filepath.Join(dir, "log"), []byte(n+strings.Repeat("x", 3000)+"!")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(n)
	}
}

func TestKilled(t *testing.T) {
	dir := t.TempDir()
	var acknowledged []string
	for cycle := range *killCycles {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), helperDir+"="+dir)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			acknowledged = append(acknowledged, lines.Text())
			if n == cycle%5 {
				go func() {
					time.Sleep(time.Duration(cycle*137%900) * time.Microsecond)
					_ = cmd.Process.Kill()
				}()
			}
		}
		_ = cmd.Wait()
		if errs.Len() > 0 {
			t.Fatalf("a writer says: %s", errs.String())
		}
		begin := time.Now()
		if err := lockedfile.Append(t.Context(), filepath.Join(dir, "log"), []byte("after")); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(begin); d > time.Second {
			t.Errorf("the next writer waited %v", d)
		}
	}
	whole := make(map[string]bool)
	for l := range lockedfile.Lines(strings.NewReader(read(t, filepath.Join(dir, "log")))) {
		if s, ok := strings.CutSuffix(string(l.Text), "!"); ok {
			whole[strings.TrimRight(s, "x")] = true
		}
	}
	for _, n := range acknowledged {
		if !whole[n] {
			t.Errorf("line %s was acknowledged and is lost", n)
		}
	}
	if got := read(t, filepath.Join(dir, "count")); len(got) < len(acknowledged) || strings.Trim(got, ".") != "" {
		t.Errorf("the count is %d, %d were acknowledged", len(got), len(acknowledged))
	}
	t.Logf("%d writes acknowledged by %d killed writers", len(acknowledged), *killCycles)
}

func TestPowerCut(t *testing.T) {
	dir := t.TempDir()
	var disk powercut.Disk
	s := lockedfile.Store{LockPath: filepath.Join(dir, "l"), FS: disk.Over(lockedfile.OS(), dir)}
	log, state := filepath.Join(dir, "sub", "log"), filepath.Join(dir, "state")
	must := func(label string, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		disk.Mark(label)
	}
	must("state 1", s.WriteFile(t.Context(), state, []byte("1111111111")))
	must("log a", s.Append(t.Context(), log, []byte("aaaaaaaaaa")))
	must("log b", s.Append(t.Context(), log, []byte("bbbbbbbbbb")))
	must("state 2", s.Update(t.Context(), state, func([]byte) ([]byte, error) { return []byte("2222222222"), nil }))
	must("log c", s.Append(t.Context(), log, []byte("cccccccccc"), []byte("dddddddddd")))
	must("state 2 again", s.Update(t.Context(), state, func(old []byte) ([]byte, error) { return old, nil }))
	must("removed", s.Remove(t.Context(), state))

	cuts, removed := 0, slices.Index(kinds(&disk), powercut.Remove)
	for cut := range disk.Cuts() {
		cuts++
		var lines []string
		for l := range lockedfile.Lines(bytes.NewReader(cut.Files["sub/log"])) {
			lines = append(lines, string(l.Text))
		}
		got, there := cut.Files["state"]
		switch {
		case slices.Contains(cut.Marks, "removed"):
			if there {
				t.Errorf("after %d: the removed file is back", cut.After)
			}
		case slices.Contains(cut.Marks, "state 2"):
			gone := !there && cut.After > removed // the removal had begun
			if string(got) != "2222222222" && !gone {
				t.Errorf("after %d: state is %q", cut.After, got)
			}
		case slices.Contains(cut.Marks, "state 1"):
			if string(got) != "1111111111" && string(got) != "2222222222" {
				t.Errorf("after %d: state is %q", cut.After, got)
			}
		}
		for i, label := range []string{"log a", "log b", "log c"} {
			want := strings.Repeat(string("abc"[i]), 10)
			if slices.Contains(cut.Marks, label) && !slices.Contains(lines, want) {
				t.Errorf("after %d: %q was acknowledged and is not in %q", cut.After, want, lines)
			}
		}
		if cuts%3 == 0 { // what is left can be written to
			again := t.TempDir()
			if err := cut.Restore(again); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(again, "sub", "log")
			if err := lockedfile.Append(t.Context(), path, []byte("next")); err != nil {
				t.Fatal(err)
			}
			if got := read(t, path); got != "next\n" && !strings.HasSuffix(got, "\nnext\n") {
				t.Errorf("after %d: the next line is not whole in %q", cut.After, got)
			}
		}
	}
	if cuts < 25 {
		t.Errorf("only %d states", cuts)
	}
	t.Logf("%d states after %d operations", cuts, len(disk.Ops()))
}

func kinds(d *powercut.Disk) []powercut.Kind {
	var out []powercut.Kind
	for _, op := range d.Ops() {
		out = append(out, op.Kind)
	}
	return out
}

func TestOrder(t *testing.T) {
	dir := t.TempDir()
	var disk powercut.Disk
	s := lockedfile.Store{LockPath: filepath.Join(dir, "l"), FS: disk.Over(lockedfile.OS(), dir)}
	if err := s.WriteFile(t.Context(), filepath.Join(dir, "f"), []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), filepath.Join(dir, "g"), []byte("x")); err != nil {
		t.Fatal(err)
	}
	want := []powercut.Kind{
		powercut.Create, powercut.Write, powercut.Sync, powercut.Rename, powercut.SyncDir,
		powercut.Create, powercut.Write, powercut.Sync, powercut.SyncDir,
	}
	if got := kinds(&disk); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Whatever operation fails, the error comes back, what was there before is
// there still, and the next write works.
func TestFaults(t *testing.T) {
	full := errors.New("no space left on device")
	for _, kind := range []powercut.Kind{powercut.Create, powercut.Write, powercut.Sync, powercut.Rename, powercut.SyncDir} {
		dir := t.TempDir()
		log, state := filepath.Join(dir, "log"), filepath.Join(dir, "state")
		if err := errors.Join(os.WriteFile(log, []byte("one\n"), 0o600), os.WriteFile(state, []byte("one"), 0o600)); err != nil {
			t.Fatal(err)
		}
		var disk powercut.Disk
		s := lockedfile.Store{LockPath: filepath.Join(dir, "l"), FS: disk.Over(lockedfile.OS(), dir)}
		disk.Fail = func(op powercut.Op) error {
			if op.Kind == kind {
				return full
			}
			return nil
		}
		errLog := s.Append(t.Context(), log, []byte("two"))
		errState := s.WriteFile(t.Context(), state, []byte("two"))
		if appends := kind != powercut.Create && kind != powercut.Rename; appends != errors.Is(errLog, full) {
			t.Errorf("%s fails and Append says %v", kind, errLog)
		}
		if !errors.Is(errState, full) || !strings.Contains(errState.Error(), state) {
			t.Errorf("%s fails and WriteFile says %v", kind, errState)
		}
		if got := read(t, state); got != "one" && kind != powercut.SyncDir {
			t.Errorf("%s fails and the file holds %q", kind, got)
		}
		if got := read(t, log); errLog != nil && kind != powercut.SyncDir && got != "one\n" {
			t.Errorf("%s fails and the log holds %q", kind, got)
		}
		disk.Fail = nil
		if err := errors.Join(s.Append(t.Context(), log, []byte("three")), s.WriteFile(t.Context(), state, []byte("three"))); err != nil {
			t.Errorf("after %s failed: %v", kind, err)
		}
		if !strings.HasSuffix(read(t, log), "\nthree\n") || read(t, state) != "three" {
			t.Errorf("after %s failed: %q, %q", kind, read(t, log), read(t, state))
		}
		left, err := filepath.Glob(filepath.Join(dir, ".*.tmp"))
		if err != nil || len(left) > 0 {
			t.Errorf("after %s failed: %q are left, %v", kind, left, err)
		}
	}
}

func TestUnwritable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if err := lockedfile.WriteFile(t.Context(), filepath.Join(dir, "f"), nil); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), dir) {
		t.Errorf("got error %v", err)
	}
}
