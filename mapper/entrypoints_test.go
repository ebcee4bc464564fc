package mapper_test

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/slipstream-mcp/slipstream/mapper"
)

func TestEntryPoints(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"package", map[string]string{
			"package.json": `{"main": "./lib/index", "bin": "bin/x.js", "exports": {".": [{"import": {"node": "./dist/esm/node.mjs"}}], "./a/*": "./src/*"}}`,
			"src/index.ts": "", "bin/x.js": "", "src/node.ts": "", "src/other.ts": "",
		}, []string{"bin/x.js", "src/index.ts", "src/node.ts"}},
		{"folder-as-main", map[string]string{"package.json": `{"main": "lib"}`, "lib/index.js": ""}, []string{"lib/index.js"}},
		{"workspaces", map[string]string{
			"package.json": `{"workspaces": ["packages/*"]}`, "packages/a/package.json": `{"main": "../../x.js", "module": "m.mjs"}`,
			"packages/a/m.mjs": "", "x.js": "",
		}, []string{"packages/a/m.mjs"}},
		{"broken", map[string]string{"package.json": `{"main": `, "pyproject.toml": "[[[", "Cargo.toml": "=\n[", "index.js": ""}, nil},
		{"not-strings", map[string]string{"package.json": `{"main": 3, "bin": [null, {"a": true}]}`}, nil},
		{"python", map[string]string{
			"pyproject.toml": "[project.scripts]\na = \"pkg.cli:main\"\n'b' = 'pkg'\n[tool.poetry.scripts]\nc = \"late:x\"\n[tool.other]\nd = \"no:x\"\n",
			"src/pkg/cli.py": "", "src/pkg/__init__.py": "", "late.py": "", "no.py": "", "pkg2/__main__.py": "",
		}, []string{"late.py", "pkg2/__main__.py", "src/pkg/__init__.py", "src/pkg/cli.py"}},
		{"cargo", map[string]string{
			"Cargo.toml": "[package]\nname = \"x\"\n[[bin]]\nname = \"tool\"\n", "src/main.rs": "", "src/bin/tool.rs": "", "src/lib.rs": "",
			"ws/Cargo.toml": "[workspace]\n", "ws/src/main.rs": "",
		}, []string{"src/main.rs", "src/bin/tool.rs"}},
		{"go", map[string]string{
			"cmd/a/main.go": "// A.\npackage main\n\nfunc main() {}\n", "cmd/a/help.go": "package main\n", "lib.go": "package lib\nfunc main() {}\n",
			"gen.go": "//go:build ignore\n\npackage main\n\nfunc main() {}\n", "testdata/x.go": "package main\nfunc main() {}\n",
			"vendor/v/main.go": "package main\nfunc main() {}\n", "_asm/main.go": "package main\nfunc main() {}\n",
		}, []string{"cmd/a/main.go"}},
	} {
		fsys := fstest.MapFS{}
		for name, text := range c.files {
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := scan(t, fsys, mapper.Options{}).EntryPoints; !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
