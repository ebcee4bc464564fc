package testscripts_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// TestConsumer takes each leaf alone, as a stranger gets it: published to a file-system proxy, required by a module that
// holds nothing but the leaf's own example, built and run there.
func TestConsumer(t *testing.T) {
	if testing.Short() {
		t.Skip("publishes and downloads modules")
	}
	root, proxy := repository(t), t.TempDir()
	for _, dir := range modules(t) {
		if siblings()[dir] != nil {
			continue
		}
		version := ""
		for _, example := range examples(t, filepath.Join(root, dir)) {
			t.Run(path.Join(dir, path.Dir(example)), func(t *testing.T) {
				if version == "" {
					version = publish(t, proxy, filepath.Join(root, dir), prefix+dir)
				}
				consume(t, proxy, prefix+dir, version, filepath.Join(root, dir, example))
			})
		}
	}
}

// examples lists the examples of a module's packages that others can import, paths from its folder.
func examples(t *testing.T, dir string) []string {
	t.Helper()
	var found []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "internal" || d.Name() == "testdata"):
			return fs.SkipDir
		case d.Name() == "example_test.go":
			found = append(found, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// consume builds and runs an example outside, in a module that requires its module and nothing else.
func consume(t *testing.T, proxy, module, version, example string) {
	t.Helper()
	text, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	outside := t.TempDir()
	mod := fmt.Sprintf("module example.org/outside\n\ngo 1.26.0\n\nrequire %s %s\n", module, version)
	for name, text := range map[string]string{"go.mod": mod, "example_test.go": string(text)} {
		if err := os.WriteFile(filepath.Join(outside, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-run", "^Example", "-v", ".")
	cmd.Dir = outside
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GONOSUMDB="+prefix+"*", "GONOPROXY=none", "GOPRIVATE=",
		"GOPROXY=file://"+filepath.ToSlash(proxy)+","+os.Getenv("GOPROXY"))
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: Example")) {
		t.Errorf("the example outside: %v\n%s", err, out)
	}
	required, err := os.ReadFile(filepath.Join(outside, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(required), prefix); n != 1 {
		t.Errorf("%s brings siblings along:\n%s", module, required)
	}
}

// publish puts the module in dir into a file-system proxy, under a version made of its content, and sees to it that the
// module cache forgets it afterwards.
func publish(t *testing.T, proxy, dir, module string) (version string) {
	t.Helper()
	files := map[string][]byte{}
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = text
		fmt.Fprintf(sum, "%s %d\n%s", rel, len(text), text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	version = fmt.Sprintf("v0.0.0-20260102030405-%x", sum.Sum(nil)[:6])
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for name, text := range files {
		w, err := z.Create(module + "@" + version + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	if err := os.MkdirAll(at, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"list":            nil,
		version + ".info": fmt.Appendf(nil, `{"Version":%q,"Time":"2026-01-02T03:04:05Z"}`, version),
		version + ".mod":  files["go.mod"],
		version + ".zip":  archive.Bytes(),
	} {
		if err := os.WriteFile(filepath.Join(at, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { forget(os.Getenv("GOMODCACHE"), module, version) })
	return version
}

// forget removes one version of a module from the module cache, whose files are read-only.
func forget(cache, module, version string) {
	if cache == "" {
		return
	}
	unpacked := filepath.Join(cache, filepath.FromSlash(module)+"@"+version)
	filepath.WalkDir(unpacked, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			os.Chmod(name, 0o777)
		}
		return nil
	})
	os.RemoveAll(unpacked)
	downloads, _ := filepath.Glob(filepath.Join(cache, "cache", "download", filepath.FromSlash(module), "@v", version+".*"))
	for _, name := range downloads {
		os.Remove(name)
	}
}
