//go:build ignore

// Command measure runs memstore/redact over recorded cases and over ordinary
// text, prints what it found and exits with 1 below the bars.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/redact"
)

const (
	leastRecall    = 0.99
	leastLeftAlone = 0.92
	mostChanged    = 1.0 / 2000
	leastSpeed     = 20.0 // MB a second of CPU
)

var verbose = flag.Bool("v", false, "list every case that is missed")

func main() {
	flag.Parse()
	good := cases(flag.Arg(0))
	good = ordinary(flag.Args()[1:]) && good
	if !good {
		fmt.Println("below the bars")
		os.Exit(1)
	}
}

type tally struct{ of, good int }

func (t *tally) add(good bool) {
	t.of++
	if good {
		t.good++
	}
}

func (t tally) share() float64 { return float64(t.good) / float64(max(t.of, 1)) }

func cases(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	var masked, left tally
	rules := make(map[string]*tally)
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var c struct {
			Rule    string
			Text    string
			True    bool
			Secrets []string
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			panic(err)
		}
		if c.Text == "" { // a rule about file names
			continue
		}
		got := redact.Text(c.Text)
		if !c.True {
			left.add(got == c.Text)
			if *verbose && got != c.Text {
				fmt.Printf("masked\t%s\t%.300q\n", c.Rule, c.Text)
			}
			continue
		}
		good := got != c.Text && !slices.ContainsFunc(c.Secrets, func(s string) bool { return strings.Contains(got, s) })
		masked.add(good)
		if rules[c.Rule] == nil {
			rules[c.Rule] = new(tally)
		}
		rules[c.Rule].add(good)
		if *verbose && !good {
			fmt.Printf("passed\t%s\t%.300q\n", c.Rule, c.Text)
		}
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
	zero := 0
	for name, t := range rules {
		if t.good == 0 {
			zero++
			fmt.Printf("nothing of rule %s is masked\n", name)
		}
	}
	fmt.Printf("true cases masked: %d of %d (%.2f %%) of %d rules, %d rules at zero\n", masked.good, masked.of, 100*masked.share(), len(rules), zero)
	fmt.Printf("false cases left alone: %d of %d (%.2f %%)\n", left.good, left.of, 100*left.share())
	return masked.of > 5000 && zero == 0 && masked.share() >= leastRecall && left.share() >= leastLeftAlone
}

// ordinary measures how many paragraphs of sources and documents change, tests
// and their data left out, and how fast whole files are read.
func ordinary(dirs []string) bool {
	var texts tally
	size, spent := 0, time.Duration(0)
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			if d.IsDir() {
				if slices.Contains([]string{".git", "testdata", "test", "tests", "node_modules", "dist-packages"}, d.Name()) {
					return filepath.SkipDir
				}
				return nil
			}
			if !slices.Contains([]string{".go", ".py", ".md", ".rst", ".txt", ".sh"}, filepath.Ext(path)) || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			data, err := os.ReadFile(path)
			if err != nil || len(data) > 1<<20 {
				return nil
			}
			s := strings.ToValidUTF8(string(data), "\uFFFD")
			begin := cpu()
			redact.Text(s)
			spent += cpu() - begin
			size += len(s)
			for p := range strings.SplitSeq(s, "\n\n") {
				if strings.TrimSpace(p) == "" {
					continue
				}
				same := redact.Text(p) == p
				texts.add(same)
				if *verbose && !same {
					fmt.Printf("changed\t%s\t%.300q\n", path, redact.Text(p))
				}
			}
			return nil
		})
		if err != nil {
			panic(err)
		}
	}
	changed := texts.of - texts.good
	speed := float64(size) / 1e6 / spent.Seconds()
	fmt.Printf("ordinary paragraphs changed: %d of %d (1 in %d)\n", changed, texts.of, texts.of/max(changed, 1))
	fmt.Printf("speed: %.1f MB/s of CPU over %d MB\n", speed, size/1e6)
	return 1-texts.share() <= mostChanged && speed >= leastSpeed
}

// cpu returns the time this process has computed, which other processes on the
// machine do not stretch as they do the clock's.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
