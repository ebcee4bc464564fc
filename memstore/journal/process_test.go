package journal_test

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

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
	"github.com/slipstream-mcp/slipstream/memstore/journal"
	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
)

// helperEnv makes this test binary another process on a journal.
const helperEnv = "JOURNAL_TEST_HELPER"

// fullEnv, when set, makes the tests with processes as large as they are meant
// to be: 8 writers with 300 turns each, and one killed every 50 ms.
const fullEnv = "JOURNAL_TEST_FULL"

func TestMain(m *testing.M) {
	if os.Getenv(helperEnv) == "" {
		os.Exit(m.Run())
	}
	from, _ := strconv.Atoi(os.Args[4])
	to, _ := strconv.Atoi(os.Args[5])
	os.Exit(writeTurns(os.Args[1], os.Args[2], os.Args[3], from, to))
}

// writeTurns records and captures turns of a session and prints the number of
// each when it is acknowledged.
func writeTurns(dir, writer, session string, from, to int) int {
	j, err := journal.Open(dir, journal.Options{CacheDir: filepath.Join(dir, "..", "cache"), Wait: time.Minute})
	for n := from; err == nil && n < to; n++ {
		if err = j.Record(context.Background(), turn(session, n, requestOf(writer, n))...); err == nil {
			fmt.Println(n)
			_, err = j.Capture(context.Background(), session, activity.FoldOptions{})
		}
	}
	if err != nil {
		fmt.Println("error:", err)
		return 1
	}
	return 0
}

func requestOf(writer string, n int) string { return fmt.Sprintf("request %d of %s", n, writer) }

// TestProcesses has processes write the turns of a few sessions at a time, and
// kills one now and then, while another reads: every turn that was recorded is
// captured once, numbers are given once, and the reader never fails.
func TestProcesses(t *testing.T) {
	writers, turns, every := 8, 12, 60*time.Millisecond
	if os.Getenv(fullEnv) != "" {
		writers, turns, every = 8, 300, 50*time.Millisecond
	}
	dir := filepath.Join(t.TempDir(), "state")
	var mu sync.Mutex
	running := map[string]*os.Process{}
	recorded := map[string]int{}
	var wg, others sync.WaitGroup
	done := make(chan struct{})
	for w := range writers {
		writer := strconv.Itoa(w)
		session := "session" + strconv.Itoa(w/2) // two share one
		wg.Go(func() {
			for next := 0; next < turns; {
				cmd := exec.Command(os.Args[0], dir, writer, session, strconv.Itoa(next), strconv.Itoa(turns))
				cmd.Env = append(os.Environ(), helperEnv+"=1")
				cmd.Stderr = os.Stderr
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
					n, err := strconv.Atoi(lines.Text())
					if err != nil {
						t.Errorf("writer %s: %s", writer, lines.Text())
						_ = cmd.Wait()
						return
					}
					next = n + 1
					mu.Lock()
					recorded[requestOf(writer, n)]++
					mu.Unlock()
				}
				_ = cmd.Wait() // killed, or done
			}
		})
	}
	kills := 0
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
	reads := 0
	others.Go(func() {
		j := open(t, dir)
		for {
			select {
			case <-done:
				return
			default:
			}
			reads++
			hits, err := j.Search(context.Background(), hybrid.Query{Text: "request of"})
			if err != nil {
				t.Errorf("a reader beside writers: %v", err)
				return
			}
			for _, h := range hits {
				if got, err := j.Get(context.Background(), h.ID); err != nil || len(got) != 1 {
					t.Errorf("%d was found and is %+v, %v", h.ID, got, err)
					return
				}
			}
		}
	})
	wg.Wait()
	close(done)
	others.Wait()

	j := open(t, dir)
	for w := range writers / 2 {
		capture(t, j, "session"+strconv.Itoa(w), activity.FoldOptions{Final: true})
	}
	captured, given := map[string]int{}, map[int64]bool{}
	for _, o := range all(t, j) {
		request, _, _ := strings.Cut(o.Summary, " — ")
		captured[request]++
		if given[o.ID] {
			t.Errorf("number %d was given twice", o.ID)
		}
		given[o.ID] = true
	}
	for request := range recorded {
		// A writer that was killed before it told records its turn once more.
		if n := captured[request]; n < 1 || n > 1+kills {
			t.Errorf("%s was captured %d times", request, n)
		}
	}
	if len(recorded) != writers*turns {
		t.Errorf("%d of %d turns were recorded", len(recorded), writers*turns)
	}
	// Each turn that was recorded is one observation.
	prompts := 0
	for w := range writers / 2 {
		events, err := j.Events(t.Context(), "session"+strconv.Itoa(w), 0)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[int64]bool{}
		for _, e := range events {
			if e.Kind == activity.PromptSubmitted {
				prompts++
			}
			if seen[e.Seq] {
				t.Errorf("event %d of session %d is there twice", e.Seq, w)
			}
			seen[e.Seq] = true
		}
	}
	if total := len(given); total != prompts {
		t.Errorf("%d observations of %d recorded turns", total, prompts)
	}
	t.Logf("%d turns, %d kills, %d reads", len(given), kills, reads)
}

// A reader does not wait for a writer.
func TestReader_BesideWriter(t *testing.T) {
	j, dir := newJournal(t)
	record(t, j, turn("a", 0, "Fix the checkout")...)
	capture(t, j, "a", activity.FoldOptions{})
	held, err := lockedfile.Lock(t.Context(), filepath.Join(dir, lockedfile.LockName))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Unlock()
	if got := search(t, open(t, dir), "checkout"); len(got) != 1 {
		t.Errorf("found %v", got)
	}
	if events, err := j.Events(t.Context(), "a", 0); err != nil || len(events) != 3 {
		t.Errorf("%d events, %v", len(events), err)
	}
	short, err := journal.Open(dir, journal.Options{Wait: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := short.Record(t.Context(), turn("a", 1, "x")...); err == nil || !strings.Contains(err.Error(), "another program is writing there") {
		t.Errorf("a writer that may not wait: %v", err)
	}
}
