package mapper

import (
	"bytes"
	"encoding/json"
	"iter"
	"path"
	"slices"
	"strings"
)

// Where a project starts is written in its manifests or in the sources
// themselves. manifest reads one file; what it gives is kept with the file
// and resolved against the list in entryPoints. A value that starts with
// modulePrefix is a dotted Python module, everything else a path relative to
// the manifest's folder.
const modulePrefix = "python:"

func manifest(name string, f File, text []byte) []string {
	switch {
	case name == "package.json":
		return packageStarts(text)
	case name == "pyproject.toml":
		return pyprojectStarts(text)
	case name == "Cargo.toml":
		return cargoStarts(text)
	case name == "__main__.py":
		return []string{name}
	case strings.HasSuffix(name, ".go") && goMain(f, text):
		return []string{name}
	}
	return nil
}

// entryPoints gives the listed files that manifests and sources name, sorted
// by path.
func (m *Map) entryPoints() []string {
	var paths []string
	for _, b := range m.bodies {
		dir, name := splitPath(b.file.Path)
		if len(b.starts) == 0 || b.test || isVendored(b.file.Path) || strings.HasSuffix(name, ".go") && aside(dir) {
			continue
		}
		for _, start := range b.starts {
			if p := m.resolve(dir, start); p != "" {
				paths = append(paths, p)
			}
		}
	}
	slices.SortFunc(paths, ComparePaths)
	return slices.Compact(paths)
}

// aside reports whether the go command passes over a folder.
func aside(dir string) bool {
	return strings.HasPrefix(dir, "_") || strings.HasPrefix(dir, ".") || strings.Contains(dir, "/_") || strings.Contains(dir, "/.")
}

// resolve finds the file a manifest in dir means, "" when it is not listed: a
// build product may stand for its source.
func (m *Map) resolve(dir, start string) string {
	var tries []string
	if module, ok := strings.CutPrefix(start, modulePrefix); ok {
		at := strings.ReplaceAll(module, ".", "/")
		for _, p := range []string{at, "src/" + at} {
			tries = append(tries, p+".py", p+"/__init__.py")
		}
	} else {
		start = strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(start, `\`, "/")), "/")
		stem := strings.TrimSuffix(start, path.Ext(start))
		tries = []string{start}
		for _, p := range []string{start, stem, start + "/index", sourceOf(stem)} {
			for _, ext := range []string{".ts", ".tsx", ".mts", ".js", ".jsx", ".mjs"} {
				tries = append(tries, p+ext)
			}
		}
	}
	for _, t := range tries {
		if p := join(dir, t); t != "" {
			if _, ok := m.find(p); ok {
				return p
			}
		}
	}
	return ""
}

// sourceOf maps dist/cli.d to src/cli: where a package's build product comes
// from by habit.
func sourceOf(stem string) string {
	stem = strings.TrimSuffix(stem, ".d")
	out, rest, ok := strings.Cut(stem, "/")
	if !ok || !slices.Contains([]string{"dist", "lib", "build", "out", "esm", "cjs"}, out) {
		return stem
	}
	for _, kind := range []string{"esm/", "cjs/", "src/"} {
		rest = strings.TrimPrefix(rest, kind)
	}
	return "src/" + rest
}

// packageStarts reads main, module, bin and exports of a package.json. The
// manifests of workspaces are listed files of their own.
func packageStarts(text []byte) []string {
	var p struct {
		Main, Module, Source any
		Bin, Exports         any
	}
	if json.Unmarshal(text, &p) != nil {
		return nil
	}
	var starts []string
	for _, v := range []any{p.Source, p.Main, p.Module, p.Bin, p.Exports} {
		starts = appendStrings(starts, v)
	}
	return slices.DeleteFunc(starts, func(s string) bool {
		return s == "" || strings.Contains(s, "*") || strings.HasSuffix(s, ".json")
	})
}

// appendStrings appends every string inside a JSON value; conditions and
// subpaths nest without bound, keys are no paths.
func appendStrings(list []string, v any) []string {
	switch v := v.(type) {
	case string:
		return append(list, v)
	case []any:
		for _, e := range v {
			list = appendStrings(list, e)
		}
	case map[string]any:
		for _, e := range v {
			list = appendStrings(list, e)
		}
	}
	return list
}

// pyprojectStarts reads the script tables: name = "package.module:function".
func pyprojectStarts(text []byte) []string {
	var starts []string
	for s := range tomlStrings(text) {
		switch s.table {
		case "project.scripts", "project.gui-scripts", "tool.poetry.scripts":
			module, _, _ := strings.Cut(s.value, ":")
			if s.key != "" && module != "" {
				starts = append(starts, modulePrefix+strings.TrimSpace(module))
			}
		}
	}
	return starts
}

// cargoStarts reads a crate's binaries: those it names and the customary ones,
// of which only the listed count.
func cargoStarts(text []byte) []string {
	var starts []string
	crate := false
	for s := range tomlStrings(text) {
		crate = crate || s.table == "package"
		if s.table == "bin" && s.key == "path" {
			starts = append(starts, s.value)
		}
		if s.table == "bin" && s.key == "name" {
			starts = append(starts, "src/bin/"+s.value+".rs", "src/bin/"+s.value+"/main.rs")
		}
	}
	if crate {
		starts = append(starts, "src/main.rs")
	}
	return starts
}

// A setting is a string in a TOML file.
type setting struct{ table, key, value string }

// tomlStrings walks the string settings of a TOML file: as much of the
// language as manifests use for what is wanted here, one setting a line.
func tomlStrings(text []byte) iter.Seq[setting] {
	return func(yield func(setting) bool) {
		table := ""
		for raw := range bytes.Lines(text) {
			line := strings.TrimSpace(string(raw))
			if strings.HasPrefix(line, "[") {
				name, _, _ := strings.Cut(strings.TrimLeft(line, "["), "]")
				table = strings.TrimSpace(name)
				continue
			}
			key, value, ok := strings.Cut(line, "=")
			value = strings.TrimSpace(value)
			if !ok || len(value) < 2 || value[0] != '"' && value[0] != '\'' {
				continue
			}
			quoted, _, closed := strings.Cut(value[1:], value[:1])
			if closed && !yield(setting{table, strings.Trim(strings.TrimSpace(key), `"'`), quoted}) {
				return
			}
		}
	}
}

// goMain reports whether a Go file declares func main of package main.
func goMain(f File, text []byte) bool {
	if !slices.ContainsFunc(f.Symbols, func(s Symbol) bool { return s.Top && s.Name == "main" }) {
		return false
	}
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte("//go:build ")) && bytes.Contains(line, []byte("ignore")) {
			return false // a script that the package's own tools run
		}
		if rest, ok := bytes.CutPrefix(line, []byte("package ")); ok {
			word, _, _ := bytes.Cut(bytes.TrimSpace(rest), []byte(" "))
			return string(word) == "main"
		}
	}
	return false
}
