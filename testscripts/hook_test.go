package testscripts_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
)

// runHook runs a hook on a project, as somebody else when as says so, and returns what it said on stdout and stderr. It
// fails the test when the hook fails.
func runHook(t testing.TB, as []string, program, project, event, payload string) (stdout, stderr string) {
	t.Helper()
	command := append(slices.Clone(as), program, "hook", event)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = project
	cmd.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR="+project)
	cmd.Stdin = strings.NewReader(payload)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Errorf("hook %s ends with %v: %s", event, err, errs.String())
	}
	return out.String(), errs.String()
}

const prompt = `{"session_id": "s", "prompt": "Fix the flaky checkout test"}`

// quiet checks that a hook that could not keep an event said so in one line, to nobody but a person who looks for it.
func quiet(t *testing.T, stdout, stderr, why string) {
	t.Helper()
	if stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "slipstream hook: ") || !strings.Contains(stderr, why) {
		t.Errorf("stdout %q, stderr %q, want one line with %q on stderr", stdout, stderr, why)
	}
}

func TestHook_ReadOnly(t *testing.T) {
	dir, program, nobody := stranger(t)
	project := filepath.Join(dir, "project")
	if err := os.Mkdir(project, 0o755); err != nil {
		t.Fatal(err)
	}
	out, errs := runHook(t, nobody, program, project, "UserPromptSubmit", prompt)
	quiet(t, out, errs, "permission denied")

	// What can be read is told all the same.
	runHook(t, nil, program, project, "UserPromptSubmit", prompt)
	runHook(t, nil, program, project, "SessionEnd", `{"session_id": "s"}`)
	err := filepath.WalkDir(project, func(name string, d os.DirEntry, err error) error {
		return errors.Join(err, os.Chmod(name, map[bool]os.FileMode{true: 0o755, false: 0o644}[d.IsDir()]))
	})
	if err != nil {
		t.Fatal(err)
	}
	out, errs = runHook(t, nobody, program, project, "SessionStart", `{"session_id": "next", "source": "startup"}`)
	if !strings.Contains(out, "flaky checkout") || !strings.Contains(errs, "permission denied") {
		t.Errorf("a session that begins: stdout %q, stderr %q", out, errs)
	}
}

func TestHook_FullDisk(t *testing.T) {
	program, err := exec.LookPath("slipstream")
	if err != nil {
		t.Fatal(err)
	}
	disk := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("no small disk can be made here: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", disk).Run() })
	runHook(t, nil, program, disk, "UserPromptSubmit", prompt)
	log := filepath.Join(disk, ".claude", "slipstream", "dashboard", "s.jsonl")
	before, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	filler := filepath.Join(disk, "filler")
	if err := os.WriteFile(filler, make([]byte, 1<<20), 0o600); err == nil {
		t.Fatal("the disk is not full")
	}
	long := `{"session_id": "s", "prompt": "` + strings.Repeat("all of it ", 600) + `"}`
	out, errs := runHook(t, nil, program, disk, "UserPromptSubmit", long)
	quiet(t, out, errs, "free some space")
	if after, err := os.ReadFile(log); err != nil || !bytes.HasPrefix(after, before) {
		t.Errorf("what was there is not there any more: %q, %v", after, err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	runHook(t, nil, program, disk, "UserPromptSubmit", prompt)
	runHook(t, nil, program, disk, "SessionEnd", `{"session_id": "s"}`)
	after, err := os.ReadFile(filepath.Join(disk, ".claude", "slipstream", "observations", "s.jsonl"))
	if n := bytes.Count(after, []byte("\n")); n != 2 || err != nil {
		t.Errorf("%d observations, %v:\n%s", n, err, after)
	}
}

// A hook waits for other processes for a second, no longer: a host waits for it.
func TestHook_Locked(t *testing.T) {
	program, err := exec.LookPath("slipstream")
	if err != nil {
		t.Fatal(err)
	}
	project := t.TempDir()
	runHook(t, nil, program, project, "UserPromptSubmit", prompt)
	held, err := lockedfile.Lock(t.Context(), filepath.Join(project, ".claude", "slipstream", lockedfile.LockName))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Unlock()
	start := time.Now()
	out, errs := runHook(t, nil, program, project, "SessionEnd", `{"session_id": "s"}`)
	quiet(t, out, errs, "another program is writing there")
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("the hook held its host up for %v", d)
	}
}

// TestHook_Processes has eight hosts tell of one project at a time: nothing is lost, no number is given twice.
func TestHook_Processes(t *testing.T) {
	program, err := exec.LookPath("slipstream")
	if err != nil {
		t.Fatal(err)
	}
	project := t.TempDir()
	const hosts, turns = 8, 10
	var wg sync.WaitGroup
	for host := range hosts {
		wg.Go(func() {
			id := fmt.Sprintf(`"session_id": "host%d"`, host%4) // two hosts resumed one session each
			for turn := range turns {
				asked := fmt.Sprintf(`{%s, "prompt": "Ask %d of host %d"}`, id, turn, host)
				if out, errs := runHook(t, nil, program, project, "UserPromptSubmit", asked); out+errs != "" {
					t.Errorf("a hook says %q, %q", out, errs)
				}
			}
		})
	}
	wg.Wait()
	for host := range 4 {
		runHook(t, nil, program, project, "SessionEnd", fmt.Sprintf(`{"session_id": "host%d"}`, host))
	}
	out, err := exec.Command(program, "export", "memory", "--root", project).Output()
	if err != nil {
		t.Fatal(err)
	}
	for host := range hosts {
		for turn := range turns {
			if n := strings.Count(string(out), fmt.Sprintf(`"summary":"Ask %d of host %d"`, turn, host)); n != 1 {
				t.Errorf("turn %d of host %d was captured %d times", turn, host, n)
			}
		}
	}
	for id := 1; id <= hosts*turns; id++ {
		if n := strings.Count(string(out), fmt.Sprintf(`"id":%d,`, id)); n != 1 {
			t.Errorf("number %d was given %d times", id, n)
		}
	}
}

// Run with go test -bench Hook -run '^$'. A hook is a process: what it costs its host is the time until it ends.
func BenchmarkHook(b *testing.B) {
	program, err := exec.LookPath("slipstream")
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ event, payload string }{
		{"UserPromptSubmit", prompt},
		{"PostToolUse", `{"session_id": "s", "tool_name": "Edit", "tool_input": {"file_path": "a.go", "old_string": "` + strings.Repeat("x", 2000) + `"}, "tool_response": "` + strings.Repeat("y", 20000) + `"}`},
		{"Stop", `{"session_id": "s", "last_assistant_message": "All of it is done."}`},
		{"SessionStart", `{"session_id": "s", "source": "startup"}`},
	} {
		b.Run(c.event, func(b *testing.B) {
			project := b.TempDir()
			runHook(b, nil, program, project, "UserPromptSubmit", prompt)
			var times []time.Duration
			for b.Loop() {
				start := time.Now()
				runHook(b, nil, program, project, c.event, c.payload)
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}
