// Package checkout tells what work a git checkout is about: its branch and the files that were changed. It asks git, reads no
// content, and knows nothing where there is no git or git takes too long.
package checkout

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Work is what is being worked on.
type Work struct {
	Branch  string   // "" on none
	Changed []string // relative to the folder that was asked about, with forward slashes, in git's order
}

// Of returns the work in a folder, as git tells it within patience; none when it does not.
func Of(ctx context.Context, dir string, patience time.Duration) Work {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", "-c", "core.fsmonitor=false", "-c", "status.relativePaths=false",
		"--no-optional-locks", "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.WaitDelay = patience
	out, err := cmd.Output()
	if err != nil {
		return Work{}
	}
	return parse(out)
}

// parse reads git status --porcelain=v2 -z.
func parse(status []byte) Work {
	var w Work
	fields := bytes.Split(status, []byte{0})
	for i := 0; i < len(fields); i++ {
		line := string(fields[i])
		// The path is the last of so many fields; of a move, where it came from follows.
		parts := 0
		switch {
		case strings.HasPrefix(line, "# branch.head "):
			if w.Branch = strings.TrimPrefix(line, "# branch.head "); w.Branch == "(detached)" {
				w.Branch = ""
			}
		case strings.HasPrefix(line, "1 "):
			parts = 9
		case strings.HasPrefix(line, "2 "):
			parts = 10
			i++
		case strings.HasPrefix(line, "u "):
			parts = 11
		case strings.HasPrefix(line, "? "):
			parts = 2
		}
		if split := strings.SplitN(line, " ", parts); parts > 0 && len(split) == parts {
			w.Changed = append(w.Changed, split[parts-1])
		}
	}
	return w
}
