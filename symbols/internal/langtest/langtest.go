// Package langtest is the suite that every language passes: golden folders and
// the properties that hold for any text.
package langtest

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/symbols"
)

// Run tests l on the golden folders testdata/<case>/, each with one source
// file in.* and want.txt; update rewrites the latter.
func Run(t *testing.T, l symbols.Language, update bool) {
	files := sources(t)
	if len(files) == 0 {
		t.Fatal("no testdata/*/in.*")
	}
	for _, path := range files {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f := parse(t, l, path, src)
			golden(t, filepath.Join(filepath.Dir(path), "want.txt"), Format(f, src), update)
			if err := Check(f, src); err != nil {
				t.Error(err)
			}
			lineEnds(t, l, path, src, f)
			truncated(t, l, path, src)
			reachable(t, f)
		})
	}
}

// Fuzz tests on any text that spans lie in it and nest.
func Fuzz(f *testing.F, l symbols.Language) {
	for _, path := range sources(f) {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(filepath.Base(path), src)
	}
	f.Fuzz(func(t *testing.T, path string, src []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		file, err := l.Parse(ctx, path, src)
		if errors.Is(err, context.DeadlineExceeded) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := Check(file, src); err != nil {
			t.Error(err)
		}
		again, err := l.Parse(ctx, path, src)
		if !errors.Is(err, context.DeadlineExceeded) && (err != nil || !reflect.DeepEqual(file, again)) {
			t.Error("a second parse differs")
		}
	})
}

// Update is the flag of a test that rewrites its goldens.
func Update() *bool {
	return flag.Bool("update", false, "rewrite the golden files")
}

func sources(t testing.TB) []string {
	files, err := filepath.Glob(filepath.Join("testdata", "*", "in.*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func parse(t *testing.T, l symbols.Language, path string, src []byte) symbols.File {
	t.Helper()
	f, err := l.Parse(context.Background(), path, src)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func golden(t *testing.T, path, got string, update bool) {
	t.Helper()
	if update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// Format prints what a file declares, each declaration with its slice.
func Format(f symbols.File, src []byte) string {
	var b strings.Builder
	fmt.Fprintf(&b, "language: %s\npurpose: %s\nimports: %s\nerrors: %v\n", f.Language, f.Purpose, strings.Join(f.Imports, " "), f.Errors)
	for _, d := range f.Decls {
		fmt.Fprintf(&b, "\n%s (%s) %d-%d name %d", d.Qualified, d.Kind, d.Start, d.End, d.NameLine)
		for _, mark := range []struct {
			on   bool
			text string
		}{{d.Top, "top"}, {d.Exported, "exported"}, {d.Default, "default"}} {
			if mark.on {
				b.WriteString(" " + mark.text)
			}
		}
		if len(d.Aliases) > 0 {
			b.WriteString(" as " + strings.Join(d.Aliases, ","))
		}
		fmt.Fprintf(&b, "\n%s\n", d.Signature)
		for line := range strings.Lines(string(d.Slice(src))) {
			b.WriteString("  | " + strings.TrimRight(line, "\n") + "\n")
		}
	}
	return b.String()
}

// Check reports the first declaration whose span does not lie in src, does not
// agree with its lines, or crosses another one's.
func Check(f symbols.File, src []byte) error {
	var open []symbols.Decl
	for i, d := range f.Decls {
		slice := d.Slice(src)
		switch {
		case d.Name == "" || !strings.HasSuffix(d.Qualified, d.Name):
			return fmt.Errorf("%q (%q) at %d is no name", d.Name, d.Qualified, d.NameLine)
		case len(slice) == 0:
			return fmt.Errorf("%s: bytes %d-%d of %d", d.Qualified, d.StartByte, d.EndByte, len(src))
		case d.Start < 1 || d.NameLine < d.Start || d.End < d.NameLine:
			return fmt.Errorf("%s: lines %d, %d, %d", d.Qualified, d.Start, d.NameLine, d.End)
		case line(src, d.StartByte) != d.Start || line(src, d.EndByte-1) != d.End:
			return fmt.Errorf("%s: lines %d-%d are not bytes %d-%d", d.Qualified, d.Start, d.End, d.StartByte, d.EndByte)
		case i > 0 && d.StartByte < f.Decls[i-1].StartByte:
			return fmt.Errorf("%s: out of order", d.Qualified)
		}
		for len(open) > 0 && open[len(open)-1].EndByte <= d.StartByte {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && open[len(open)-1].EndByte < d.EndByte {
			return fmt.Errorf("%s crosses %s", d.Qualified, open[len(open)-1].Qualified)
		}
		open = append(open, d)
	}
	return nil
}

func line(src []byte, offset int) int {
	return 1 + bytes.Count(src[:offset], []byte("\n"))
}

// lineEnds tests that a file with CRLF declares the same, and that lines are
// served with their CR.
func lineEnds(t *testing.T, l symbols.Language, path string, src []byte, want symbols.File) {
	t.Helper()
	if bytes.Contains(src, []byte("\r")) {
		return
	}
	crlf := bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n"))
	got := parse(t, l, path, crlf)
	if len(got.Decls) != len(want.Decls) {
		t.Errorf("with CRLF: %d declarations, want %d", len(got.Decls), len(want.Decls))
		return
	}
	for i, d := range got.Decls {
		w := want.Decls[i]
		if d.Qualified != w.Qualified || d.Start != w.Start || d.End != w.End || d.Signature != w.Signature {
			t.Errorf("with CRLF: %s %d-%d %q, want %s %d-%d %q", d.Qualified, d.Start, d.End, d.Signature, w.Qualified, w.Start, w.End, w.Signature)
		}
		if s := bytes.ReplaceAll(d.Slice(crlf), []byte("\r\n"), []byte("\n")); !bytes.Equal(s, w.Slice(src)) {
			t.Errorf("with CRLF: %s is %q, want %q", d.Qualified, s, w.Slice(src))
		}
	}
}

// truncated tests the properties on every beginning of a file.
func truncated(t *testing.T, l symbols.Language, path string, src []byte) {
	t.Helper()
	for n := range src {
		if err := Check(parse(t, l, path, src[:n]), src[:n]); err != nil {
			t.Errorf("first %d bytes: %v", n, err)
			return
		}
	}
}

// reachable tests that every declaration is found by its qualified name, a
// twin by its number.
func reachable(t *testing.T, f symbols.File) {
	t.Helper()
	for _, d := range f.Decls {
		name := d.Qualified
		for n := 1; ; n++ {
			found, err := f.Find(name)
			if err != nil {
				t.Errorf("%s at line %d is not found by its name: %v", d.Qualified, d.Start, err)
				break
			}
			if slices.ContainsFunc(found, func(c symbols.Decl) bool { return reflect.DeepEqual(c, d) }) {
				break
			}
			name = fmt.Sprintf("%s#%d", d.Qualified, n)
		}
	}
}
