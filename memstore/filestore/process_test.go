package filestore_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/filestore"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
)

// helperEnv makes this test binary another process on a store.
const helperEnv = "FILESTORE_TEST_HELPER"

// fullEnv, when set, makes the tests with processes as large as they are meant
// to be: 8 writers with 500 facts each, and 300 kills of one.
const fullEnv = "FILESTORE_TEST_FULL"

func TestMain(m *testing.M) {
	switch os.Getenv(helperEnv) {
	case "write":
		from, _ := strconv.Atoi(os.Args[3])
		to, _ := strconv.Atoi(os.Args[4])
		os.Exit(writeFacts(os.Args[1], os.Args[2], from, to))
	case "hold":
		if _, err := lockedfile.Lock(context.Background(), filepath.Join(os.Args[1], ".locked")); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("held")
		time.Sleep(time.Minute)
	default:
		os.Exit(m.Run())
	}
}

// writeFacts remembers facts and prints the number and the name of each when
// it is acknowledged.
func writeFacts(dir, writer string, from, to int) int {
	d, err := filestore.Open(dir, filestore.Options{CacheDir: filepath.Join(dir, "..", "cache")})
	if err != nil {
		fmt.Println("error:", err)
		return 1
	}
	defer d.Close()
	s, err := memstore.New(d, memstore.Options{})
	if err != nil {
		fmt.Println("error:", err)
		return 1
	}
	for i := from; i < to; i++ {
		r, err := s.Remember(context.Background(), testFact(writer, i))
		if err != nil {
			fmt.Println("error:", err)
			return 1
		}
		fmt.Println(i, r.Fact.Name)
	}
	return 0
}

// testFact returns the writer's fact with that number; every fourth wants a
// name that all writers want.
func testFact(writer string, i int) memstore.Fact {
	f := memstore.Fact{Description: fmt.Sprintf("note %d of writer %s", i, writer), Body: fmt.Sprintf("body %d of %s", i, writer)}
	if i%4 == 0 {
		f.Description = "same rule "
		for _, digit := range writer + "/" + strconv.Itoa(i) {
			f.Description += string('а' + digit - '/')
		}
	}
	return f
}

func helper(t *testing.T, mode string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), helperEnv+"="+mode)
	cmd.Stderr = os.Stderr
	return cmd
}

// runWriter writes one writer's facts, starting again where a killed process
// stopped, and records in acknowledged what was promised. kills ends it early.
func runWriter(t *testing.T, dir, writer string, n int, started func(*os.Process), acknowledged func(i int, name string)) {
	for next := 0; next < n; {
		cmd := helper(t, "write", dir, writer, strconv.Itoa(next), strconv.Itoa(n))
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Error(err)
			return
		}
		started(cmd.Process)
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			number, name, _ := strings.Cut(lines.Text(), " ")
			i, err := strconv.Atoi(number)
			if err != nil {
				t.Errorf("writer %s: %s", writer, lines.Text())
				_ = cmd.Wait()
				return
			}
			acknowledged(i, name)
			next = i + 1
		}
		_ = cmd.Wait() // killed, or done
	}
}

// testWriters runs writers of n facts each and kills one of them now and then;
// every fact that was acknowledged must be there in the end, once.
func testWriters(t *testing.T, writers, n int, every func() time.Duration) (kills int) {
	dir := filepath.Join(t.TempDir(), "state")
	var mu sync.Mutex
	running := map[string]*os.Process{}
	names := map[string]memstore.Fact{}
	done := make(chan struct{})
	var wg, killer sync.WaitGroup
	for w := range writers {
		writer := strconv.Itoa(w)
		wg.Go(func() {
			runWriter(t, dir, writer, n,
				func(p *os.Process) {
					mu.Lock()
					defer mu.Unlock()
					running[writer] = p
				},
				func(i int, name string) {
					mu.Lock()
					defer mu.Unlock()
					names[name] = testFact(writer, i)
				})
		})
	}
	killer.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(every()):
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
	wg.Wait()
	close(done)
	killer.Wait()
	checkFacts(t, dir, names, writers*n)
	return kills
}

func checkFacts(t *testing.T, dir string, names map[string]memstore.Fact, want int) {
	t.Helper()
	d := open(t, dir, filestore.Options{})
	s := newStore(t, d)
	// The last writer may have been killed before it listed its fact.
	if _, err := s.Remember(t.Context(), memstore.Fact{Body: "the end"}); err != nil {
		t.Fatal(err)
	}
	facts, err := s.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	byName, descriptions := map[string]memstore.Fact{}, map[string]bool{}
	for _, f := range facts {
		byName[f.Name] = f
		descriptions[f.Description] = true
	}
	if len(facts) != want+1 || len(byName) != want+1 || len(descriptions) != want+1 || len(names) != want {
		t.Errorf("got %d facts, %d names, %d descriptions, %d acknowledged, want %d", len(facts), len(byName), len(descriptions), len(names), want+1)
	}
	for name, want := range names {
		if got := byName[name]; got.Body != want.Body || got.Description != want.Description {
			t.Errorf("%s: got %q, want %q", name, got.Body, want.Body)
		}
	}
	problems, err := d.Problems(t.Context())
	if err != nil || len(problems) > 0 {
		t.Errorf("got problems %v, %v", problems, err)
	}
}

func TestProcesses_Killed(t *testing.T) {
	writers, n := 4, 12
	if os.Getenv(fullEnv) != "" {
		writers, n = 8, 500
	} else if testing.Short() {
		t.Skip("starts processes")
	}
	start := time.Now()
	kills := testWriters(t, writers, n, func() time.Duration { return 50 * time.Millisecond })
	t.Logf("%d writers, %d facts each, %d kills, %v", writers, n, kills, time.Since(start).Round(time.Millisecond))
}

// TestProcesses_KillCycles kills a writer again and again, at any point of its work, and looks after each thirty facts that
// what it acknowledged is there.
func TestProcesses_KillCycles(t *testing.T) {
	want := 10
	if os.Getenv(fullEnv) != "" {
		want = 300
	} else if testing.Short() {
		t.Skip("starts processes")
	}
	kills := 0
	for kills < want && !t.Failed() {
		kills += testWriters(t, 1, 30, func() time.Duration { return time.Duration(5+rand.IntN(60)) * time.Millisecond })
	}
	t.Logf("%d kills", kills)
}

// TestProcesses_HolderKilled has a process die with the lock: who waits for it
// goes on within a second.
func TestProcesses_HolderKilled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	cmd := helper(t, "hold", dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("got %q, %v", line, err)
	}
	s := newStore(t, open(t, dir, filestore.Options{}))
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := s.Remember(ctx, memstore.Fact{Body: "too early"}); err == nil || !strings.Contains(err.Error(), "locked by another process") {
		t.Errorf("got %v, want that it is locked", err)
	}
	if _, err := s.Recall(t.Context(), "early", 5); err != nil {
		t.Errorf("reading while another writes: %v", err)
	}
	result := make(chan error, 1)
	go func() {
		_, err := s.Remember(t.Context(), memstore.Fact{Body: "waits"})
		result <- err
	}()
	time.Sleep(50 * time.Millisecond)
	killed := time.Now()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if err := <-result; err != nil {
		t.Fatal(err)
	}
	if took := time.Since(killed); took > time.Second {
		t.Errorf("went on after %v", took)
	}
}
