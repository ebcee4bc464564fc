package capture

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/server/internal/settings"
)

// Keep returns an event as it may be kept of a project: its files relative to the root where they lie in it, without those
// that the settings ignore. It is false when nothing else was used, or a command names an ignored file, so that nothing of the
// event is kept.
func Keep(s settings.Settings, root string, e activity.Event) (activity.Event, bool) {
	if len(e.Data.Files) == 0 {
		if names(s, root, e) {
			return activity.Event{}, false
		}
		return e, true
	}
	files := make([]string, 0, len(e.Data.Files))
	ignored := false
	for _, f := range e.Data.Files {
		rel := relative(root, f)
		if s.Ignores(rel) || ignoredByLink(s, root, rel) {
			ignored = true
			continue
		}
		if rel != f {
			e.Label = strings.ReplaceAll(e.Label, f, rel)
		}
		if !slices.Contains(files, rel) {
			files = append(files, rel)
		}
	}
	if len(files) == 0 {
		return activity.Event{}, false
	}
	if ignored {
		tool, _, _ := strings.Cut(e.Label, " ")
		e.Label = tool + " " + strings.Join(files, " ")
		e.Data.Error = "" // it may name the other files
	}
	e.Data.Files = files
	return e, true
}

// names reports whether what a tool was applied to names a file that the settings ignore.
func names(s settings.Settings, root string, e activity.Event) bool {
	if len(s.CaptureIgnore) == 0 || e.Kind != activity.ToolUsed && e.Kind != activity.ToolStarting {
		return false
	}
	_, what, _ := strings.Cut(e.Label, " ")
	apart := func(r rune) bool { return strings.ContainsRune(" \t\"'`=:;,|&<>()[]{}@", r) }
	for word := range strings.FieldsFuncSeq(what, apart) {
		if s.Ignores(relative(root, strings.TrimPrefix(word, "./"))) {
			return true
		}
	}
	return false
}

// ignoredByLink reports whether a file of the project is an ignored one under another name.
func ignoredByLink(s settings.Settings, root, rel string) bool {
	if len(s.CaptureIgnore) == 0 || !filepath.IsLocal(filepath.FromSlash(rel)) {
		return false
	}
	real, err := filepath.EvalSymlinks(filepath.Join(root, filepath.FromSlash(rel)))
	if err != nil {
		return false
	}
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil {
		return false
	}
	rel, ok := below(realRoot, real)
	return ok && s.Ignores(rel)
}

// relative returns a file's path from the root, with forward slashes, where it lies there; else as it is.
func relative(root, file string) string {
	if !filepath.IsAbs(file) {
		if clean := filepath.Clean(file); filepath.IsLocal(clean) {
			return filepath.ToSlash(clean)
		}
		return file
	}
	if rel, ok := below(root, file); ok {
		return rel
	}
	// A host may name the root by another way than it was given here.
	if real, err := filepath.EvalSymlinks(root); err == nil && real != root {
		if rel, ok := below(real, file); ok {
			return rel
		}
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil {
		if rel, ok := below(root, filepath.Join(dir, filepath.Base(file))); ok {
			return rel
		}
	}
	return file
}

func below(root, file string) (string, bool) {
	rel, err := filepath.Rel(root, file)
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return "", false
	}
	return filepath.ToSlash(rel), true
}
