package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/slipstream-mcp/slipstream/server/internal/settings"
	"github.com/slipstream-mcp/slipstream/server/internal/visible"
	"github.com/slipstream-mcp/slipstream/symbols/languages"
)

// Checks lists the checks in the order of the report.
func Checks() []Check {
	return []Check{
		{"project", project},
		{"languages", grammars},
		{"settings", readSettings},
		{"redaction", redaction},
		{"memory", memory},
		{"observations", observations},
		{"thoughts", thoughts},
		{"cache", cache},
	}
}

func project(ctx context.Context, s Surroundings) []Finding {
	p, err := s.Projects.Open("")
	if err != nil {
		return []Finding{bad("%v", err)}
	}
	defer p.Close()
	files, err := p.List(ctx)
	if err != nil {
		return []Finding{bad("%s cannot be listed: %v", p.Dir(), err)}
	}
	return []Finding{ok("%s, %d files", p.Dir(), len(files))}
}

func grammars(context.Context, Surroundings) []Finding {
	if missing := languages.Missing(); len(missing) > 0 {
		return []Finding{bad("built without cgo, so no symbols in %s; build with CGO_ENABLED=1 and a C compiler", strings.Join(missing, ", "))}
	}
	return []Finding{ok("%d", len(languages.All()))}
}

func readSettings(_ context.Context, s Surroundings) []Finding {
	at, err := s.Memories.Locate("")
	if err != nil {
		return []Finding{bad("%v", err)}
	}
	got, err := settings.Load(at, s.Getenv)
	if err != nil {
		return []Finding{bad("%v", err)}
	}
	captured := "sessions are captured"
	if !got.Captures() {
		captured = "sessions are not captured: " + got.Off
	}
	return []Finding{ok("answers of at most %d tokens; %s; a session begins with at most %d tokens of memory", got.MaxResultTokens, captured, got.ContextTokens)}
}

func redaction(_ context.Context, s Surroundings) []Finding {
	m, err := s.Memories.Open("")
	if err != nil {
		return []Finding{bad("%v", err)}
	}
	if err := m.CheckRules(); err != nil {
		return []Finding{bad("%v", err)}
	}
	return []Finding{ok("secrets are masked before anything is written")}
}

func memory(ctx context.Context, s Surroundings) []Finding {
	m, err := s.Memories.Open("")
	if err != nil {
		return []Finding{bad("%v", err)}
	}
	facts, err := m.List(ctx)
	if err != nil {
		return []Finding{bad("%v", err)}
	}
	problems, err := m.Problems(ctx)
	if err != nil {
		return []Finding{bad("%v", err)}
	}
	found := []Finding{ok("%s in %s", counted(len(facts), "fact"), m.Dir)}
	for _, p := range problems {
		found = append(found, bad("%s: %s", p.Path, p.Reason))
	}
	if err := writable(m.Dir); err != nil {
		found = append(found, bad("nothing can be remembered: %v", err))
	}
	return found
}

func observations(ctx context.Context, s Surroundings) []Finding {
	j, err := s.Memories.Journal("")
	if err != nil {
		return []Finding{bad("%v", err)}
	}
	got, err := j.Stats(ctx)
	if err != nil {
		return []Finding{bad("%v", err)}
	}
	found := []Finding{ok("%s in %s: %s of records, %s of events, %s of index; slipstream memory prune removes old ones",
		counted(got.Observations, "observation"), counted(got.Sessions, "session"), size(got.RecordBytes), size(got.EventBytes), size(got.IndexBytes))}
	for _, p := range got.Problems {
		found = append(found, bad("%s", p))
	}
	return found
}

func thoughts(ctx context.Context, s Surroundings) []Finding {
	v, err := s.Memories.Vault()
	if err != nil {
		return []Finding{bad("%v", err)}
	}
	got, err := v.Stats(ctx)
	if err != nil {
		return []Finding{bad("%v", err)}
	}
	problems, err := v.Problems(ctx)
	if err != nil {
		return []Finding{bad("%v", err)}
	}
	found := []Finding{ok("%s in %s, %s of index", counted(got.Total, "thought"), v.Dir(), size(got.IndexBytes))}
	if n := got.ByStatus["pending"]; n > 0 {
		found = append(found, bad("%s pending, left out of searches: slipstream serve tries again, and slipstream doctor --repair does so now", counted(n, "thought")))
	}
	for _, p := range problems {
		found = append(found, bad("%s: %s", visible.Text(p.Path), visible.Text(p.Text)))
	}
	if err := writable(v.Dir()); err != nil {
		found = append(found, bad("no thought can be kept: %v", err))
	}
	return found
}

// counted is 1 fact, 2 facts.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// size is a number of bytes as people read it.
func size(n int64) string {
	const kib, mib = 1 << 10, 1 << 20
	switch {
	case n < kib:
		return fmt.Sprintf("%d B", n)
	case n < mib:
		return fmt.Sprintf("%.1f KiB", float64(n)/kib)
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/mib)
}

func cache(_ context.Context, s Surroundings) []Finding {
	if s.CacheDir == "" {
		return []Finding{bad("there is no cache folder; set HOME or XDG_CACHE_HOME, or each start reads all files again")}
	}
	if err := writable(s.CacheDir); err != nil {
		return []Finding{bad("%v; each start reads all files again", err)}
	}
	return []Finding{ok("%s", s.CacheDir)}
}

// writable tells why a folder, or the nearest one above it that is there, cannot be written to.
func writable(dir string) error {
	for {
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("%s is not a folder", dir)
		}
		if err == nil {
			break
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		return err
	}
	f, err := os.CreateTemp(dir, ".slipstream-*")
	if err != nil {
		return fmt.Errorf("%s cannot be written to", dir)
	}
	f.Close()
	return os.Remove(f.Name())
}
