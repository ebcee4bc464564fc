package vault_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile/powercut"
	"github.com/slipstream-mcp/slipstream/memstore/thought"
	"github.com/slipstream-mcp/slipstream/memstore/vault"
)

// helperEnv makes this test binary another process on a vault.
const helperEnv = "VAULT_TEST_HELPER"

func TestMain(m *testing.M) {
	if os.Getenv(helperEnv) == "" {
		os.Exit(m.Run())
	}
	from, _ := strconv.Atoi(os.Args[3])
	to, _ := strconv.Atoi(os.Args[4])
	os.Exit(captureMany(os.Args[1], os.Args[2], from, to))
}

// captureMany captures thoughts and prints the id of each when it is
// acknowledged; every fourth is one that all writers capture.
func captureMany(dir, writer string, from, to int) int {
	v, err := vault.Open(dir, vault.Options{CacheDir: filepath.Join(dir, "..", "cache"), Wait: time.Minute, User: "dana"})
	for n := from; err == nil && n < to; n++ {
		text := fmt.Sprintf("thought %d of %s", n, writer)
		if n%4 == 0 {
			text = fmt.Sprintf("thought %d of all", n)
		}
		var kept thought.Thought
		if kept, _, err = v.Capture(context.Background(), text, vault.Metadata{Tags: []string{writer}}); err == nil {
			fmt.Println(n, kept.ID)
		}
	}
	if err == nil {
		err = v.Close()
	}
	if err != nil {
		fmt.Println("error:", err)
		return 1
	}
	return 0
}

// TestProcesses has processes capture side by side, and kills one now and then,
// while another reads: what was acknowledged is there once, whole, and the
// reader never fails.
func TestProcesses(t *testing.T) {
	const writers, each, every = 8, 16, 40 * time.Millisecond
	dir := filepath.Join(t.TempDir(), "brain")
	var mu sync.Mutex
	running := map[string]*os.Process{}
	acknowledged := map[string]string{} // id to text
	var wg, others sync.WaitGroup
	done := make(chan struct{})
	for w := range writers {
		writer := strconv.Itoa(w)
		wg.Go(func() {
			for next := 0; next < each; {
				cmd := exec.Command(os.Args[0], dir, writer, strconv.Itoa(next), strconv.Itoa(each))
				cmd.Env = append(os.Environ(), helperEnv+"=1")
				out, err := cmd.StdoutPipe()
				if err == nil {
					err = cmd.Start()
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				running[writer] = cmd.Process
				mu.Unlock()
				for lines := bufio.NewScanner(out); lines.Scan(); {
					number, id, _ := strings.Cut(lines.Text(), " ")
					n, err := strconv.Atoi(number)
					if err != nil {
						t.Errorf("writer %s: %s", writer, lines.Text())
						_ = cmd.Wait()
						return
					}
					next = n + 1
					mu.Lock()
					acknowledged[id] = fmt.Sprintf("thought %d of", n)
					mu.Unlock()
				}
				_ = cmd.Wait()
			}
		})
	}
	kills, reads := 0, 0
	others.Go(func() {
		rng := rand.New(rand.NewPCG(1, 2))
		for {
			select {
			case <-done:
				return
			case <-time.After(every/2 + time.Duration(rng.Int64N(int64(every)))):
			}
			mu.Lock()
			for _, p := range running { // any of them
				if p.Kill() == nil {
					kills++
				}
				break
			}
			mu.Unlock()
		}
	})
	others.Go(func() {
		v, err := vault.Open(dir, vault.Options{})
		for err == nil {
			select {
			case <-done:
				v.Close()
				return
			default:
			}
			reads++
			_, err = v.Search(context.Background(), "thought of all", 10, thought.Filter{})
			if p, err := v.Problems(context.Background()); err != nil || len(p) > 0 {
				t.Errorf("a reader beside writers: %v, %v", p, err)
			}
		}
		t.Errorf("a reader beside writers: %v", err)
	})
	wg.Wait()
	close(done)
	others.Wait()

	v := open(t, dir)
	there, texts := map[string]string{}, map[string]int{}
	for _, one := range all(t, v) {
		there[one.ID] = one.Body
		texts[one.Body]++
	}
	for id, text := range acknowledged {
		if !strings.HasPrefix(there[id], text) {
			t.Errorf("%s was %q and is %q", id, text, there[id])
		}
	}
	for text, n := range texts {
		if n > 1 {
			t.Errorf("%q is there %d times", text, n)
		}
	}
	if want := writers*each*3/4 + each/4; len(texts) != want {
		t.Errorf("%d thoughts, want %d", len(texts), want)
	}
	if p, err := v.Problems(t.Context()); err != nil || len(p) > 0 {
		t.Errorf("%v, %v", p, err)
	}
	t.Logf("%d thoughts, %d kills, %d reads", len(texts), kills, reads)
}

// TestPowerCut goes through every state that a power cut can leave of a capture,
// a merge, an import and a removal.
func TestPowerCut(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	var disk powercut.Disk
	v := openWith(t, dir, vault.Options{Wrap: func(fsys lockedfile.FS) lockedfile.FS { return disk.Over(fsys, ".") }})
	gone, _ := capture(t, v, "to be gone", vault.Metadata{})
	disk.Mark("gone captured")
	capture(t, v, "merged", vault.Metadata{Tags: []string{"a"}})
	disk.Mark("captured")
	capture(t, v, "merged", vault.Metadata{Tags: []string{"b"}})
	disk.Mark("merged")
	if _, err := v.Import(t.Context(), sequence(thought.Thought{Body: "import 1"}, thought.Thought{Body: "[Lesson] import 2"}), vault.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	disk.Mark("imported")
	if ok, err := v.Delete(t.Context(), gone.ID); !ok || err != nil {
		t.Fatal(ok, err)
	}
	disk.Mark("deleted")
	cuts := 0
	for cut := range disk.Cuts() {
		cuts++
		dir := filepath.Join(t.TempDir(), "brain")
		if err := cut.Restore(dir); err != nil {
			t.Fatal(err)
		}
		left := open(t, dir)
		what := fmt.Sprintf("after %d operations, %q acknowledged", cut.After, cut.Marks)
		has := map[string]thought.Thought{}
		for _, one := range all(t, left) {
			has[strings.TrimSpace(one.Body)] = one
		}
		if p, err := left.Problems(t.Context()); err != nil || len(p) > 0 {
			t.Errorf("%s: %v, %v", what, p, err)
		}
		for mark, ok := range map[string]bool{
			"gone captured": has["to be gone"].ID != "" || slices.Contains(cut.Marks, "imported"),
			"captured":      has["merged"].ID != "",
			"merged":        fmt.Sprint(has["merged"].Tags) == "[a b]",
			"imported":      has["import 1"].ID != "" && has["[Lesson] import 2"].ID != "",
			"deleted":       has["to be gone"].ID == "",
		} {
			if slices.Contains(cut.Marks, mark) && !ok {
				t.Errorf("%s: %s does not hold: %v", what, mark, has)
			}
		}
		for body := range has {
			if !slices.Contains([]string{"to be gone", "merged", "import 1", "[Lesson] import 2"}, body) {
				t.Errorf("%s: %q", what, body)
			}
		}
		if kept, _ := capture(t, left, "afterwards", vault.Metadata{}); kept.ID == "" {
			t.Errorf("%s: nothing can be captured", what)
		}
		left.Close()
	}
	if cuts < 30 {
		t.Errorf("only %d states", cuts)
	}
}

// TestFaults lets each operation fail in turn: the error names the vault, what
// was there stays, and the next try goes through.
func TestFaults(t *testing.T) {
	for fail := range 80 {
		dir := t.TempDir()
		capture(t, open(t, dir), "was there", vault.Metadata{})
		done := 0
		disk := powercut.Disk{Fail: func(powercut.Op) error {
			if done++; done == fail+1 {
				return syscall.ENOSPC
			}
			return nil
		}}
		v := openWith(t, dir, vault.Options{Wrap: func(fsys lockedfile.FS) lockedfile.FS { return disk.Over(fsys, ".") }})
		_, _, captured := v.Capture(t.Context(), "[Lesson] new", vault.Metadata{})
		_, imported := v.Import(t.Context(), sequence(thought.Thought{Body: "[Parked] import"}), vault.ImportOptions{})
		if captured == nil && imported == nil {
			if fail < 10 {
				t.Errorf("operation %d did not fail", fail)
			}
			break
		}
		for _, err := range []error{captured, imported} {
			if err != nil && (!strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "free some space")) {
				t.Errorf("operation %d: %v", fail, err)
			}
		}
		capture(t, v, "[Lesson] new", vault.Metadata{})
		if _, err := v.Import(t.Context(), sequence(thought.Thought{Body: "[Parked] import"}), vault.ImportOptions{}); err != nil {
			t.Errorf("operation %d: again: %v", fail, err)
		}
		if list := all(t, open(t, dir)); len(list) != 3 {
			t.Errorf("operation %d: %d thoughts", fail, len(list))
		}
	}
}

// TestDamage changes a byte of a file, or cuts it, in many ways: no other
// thought is touched, and the file stays for its owner to mend.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	v := open(t, dir)
	capture(t, v, "unharmed", vault.Metadata{})
	kept, _ := capture(t, v, "[Lesson] harmed: wörds", vault.Metadata{Tags: []string{"a", "b"}})
	path := filepath.Join(dir, "thoughts", filepath.FromSlash(kept.FilePath))
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		b := slices.Clone(src)
		if i%3 == 0 {
			b = b[:r.IntN(len(b))]
		} else {
			b[r.IntN(len(b))] = byte(r.IntN(256))
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		list := all(t, v)
		if len(list) == 0 || !slices.ContainsFunc(list, func(one thought.Thought) bool { return one.Body == "unharmed\n" }) {
			t.Fatalf("damage %d: got %v", i, list)
		}
		if got, err := os.ReadFile(path); err != nil || !slices.Equal(got, b) {
			t.Fatalf("damage %d: the file was touched, %v", i, err)
		}
	}
}

// TestReader_BesideWriter holds the lock: readers do not wait for it, also those
// of a vault whose own writer does.
func TestReader_BesideWriter(t *testing.T) {
	dir := t.TempDir()
	v := openWith(t, dir, vault.Options{Wait: 300 * time.Millisecond})
	capture(t, v, "there", vault.Metadata{})
	held, err := lockedfile.Lock(t.Context(), filepath.Join(dir, lockedfile.LockName))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Unlock()
	failed := make(chan error)
	go func() {
		_, _, err := v.Capture(context.Background(), "waits", vault.Metadata{})
		failed <- err
	}()
	reads := 0
	for {
		select {
		case err := <-failed:
			if err == nil || !strings.Contains(err.Error(), "another program is writing there") {
				t.Errorf("got %v", err)
			}
			if reads < 3 {
				t.Errorf("%d reads beside a waiting writer", reads)
			}
			return
		default:
			if found := search(t, v, "there", 1, thought.Filter{}); len(found.Hits) != 1 {
				t.Errorf("got %+v", found)
			}
			reads++
		}
	}
}
