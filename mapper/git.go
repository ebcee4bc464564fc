package mapper

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// gitEnv is the caller's environment without git's own variables, which could
// point it at another repository, and with everything off that writes or asks.
func gitEnv(env []string) []string {
	clean := make([]string, 0, len(env)+4)
	for _, kv := range env {
		if !strings.HasPrefix(strings.ToUpper(kv), "GIT_") {
			clean = append(clean, kv)
		}
	}
	return append(clean, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat", "LC_ALL=C")
}

// gitPatience is the longest a git command may take; 50,000 files take it a
// tenth of a second.
const gitPatience = 10 * time.Second

// runGit runs one git command in dir and gives what it prints. A repository
// may name a program as its file system monitor; none is started. A git that
// waits, on a pipe in a file's place for instance, is given up.
func runGit(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, gitPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = gitEnv(env)
	cmd.WaitDelay = time.Second
	return cmd.Output()
}

// gitFiles lists the paths below dir that git would track, relative to dir.
// It is not ok where git or a repository it accepts is missing.
func gitFiles(ctx context.Context, dir string, env []string) (paths []string, ok bool) {
	out, err := runGit(ctx, dir, env, "ls-files", "-co", "--exclude-standard", "-z")
	if err != nil {
		return nil, false
	}
	for path := range bytes.SplitSeq(out, []byte{0}) {
		// A final slash is a repository of its own: git does not enter it.
		if len(path) > 0 && path[len(path)-1] != '/' {
			paths = append(paths, string(path))
		}
	}
	return paths, true
}

// gitSources names the files outside the scanned tree that decide git's list:
// the index, the exclude files and the configuration. It is empty outside a
// repository.
func gitSources(ctx context.Context, dir string, env []string) []string {
	out, err := runGit(ctx, dir, env, "rev-parse", "--show-toplevel", "--git-path", "index", "--git-path", "info/exclude", "--git-path", "config")
	if err != nil {
		return nil
	}
	lines := strings.Split(strings.TrimRight(string(out), "\r\n"), "\n")
	for i, l := range lines {
		if !filepath.IsAbs(l) {
			lines[i] = filepath.Join(dir, l)
		}
	}
	sources := lines[1:]
	// Every configuration file that is read, included ones too, and where the
	// user's exclude file lies.
	if out, err = runGit(ctx, dir, env, "config", "--list", "--show-origin", "-z"); err == nil {
		sources = append(sources, configSources(out, dir)...)
	}
	return append(sources, userFiles(env)...)
}

// configSources reads `git config --list --show-origin -z`: origin and setting
// in turn.
func configSources(out []byte, dir string) []string {
	var sources []string
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		file, ok := strings.CutPrefix(fields[i], "file:")
		if !ok {
			continue
		}
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		if len(sources) == 0 || sources[len(sources)-1] != file {
			sources = append(sources, file)
		}
		if key, value, _ := strings.Cut(fields[i+1], "\n"); strings.EqualFold(key, "core.excludesfile") {
			sources = append(sources, value)
		}
	}
	return sources
}

// userFiles names the user's own git files: the configuration that may
// still appear and the exclude file that applies when none is configured.
func userFiles(env []string) []string {
	home, config := getenv(env, "HOME"), getenv(env, "XDG_CONFIG_HOME")
	if config == "" && home != "" {
		config = filepath.Join(home, ".config")
	}
	var files []string
	if home != "" {
		files = append(files, filepath.Join(home, ".gitconfig"))
	}
	if config != "" {
		files = append(files, filepath.Join(config, "git", "config"), filepath.Join(config, "git", "ignore"))
	}
	return files
}

func getenv(env []string, key string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(env[i], key+"="); ok {
			return v
		}
	}
	return ""
}

// enclosing finds the top of the repository around dir, "" when there is none.
// looked names every place where a repository was or might appear.
func enclosing(dir string) (top string, looked []string) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", nil
	}
	for {
		git := filepath.Join(dir, ".git")
		looked = append(looked, git)
		if _, err := os.Lstat(git); err == nil {
			return dir, looked
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", looked
		}
		dir = up
	}
}
