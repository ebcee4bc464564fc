package filestore

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore"
)

var update = flag.Bool("update", false, "rewrite goldens")

func same(s string) string { return s }

// TestFormat_Original reads files that have the exact bytes which js-yaml 3
// gives them and writes them again, anew and over themselves.
func TestFormat_Original(t *testing.T) {
	files, err := filepath.Glob("testdata/original/*.md")
	if err != nil || len(files) < 100 {
		t.Fatalf("got %d files, %v, want 100 at least", len(files), err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		key := strings.TrimSuffix(filepath.Base(file), ".md")
		f, err := decodeFact(key, src, same)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if f.Name != key || f.Created.IsZero() || f.Updated.IsZero() {
			t.Errorf("%s: got %+v", file, f)
		}
		if got := encodeFact(nil, f); string(got) != string(src) {
			t.Errorf("%s: written anew: got\n%s\nwant\n%s", file, got, src)
		}
		if got := encodeFact(src, f); string(got) != string(src) {
			t.Errorf("%s: rewritten: got\n%s\nwant\n%s", file, got, src)
		}
	}
}

func TestFormat_OriginalPage(t *testing.T) {
	files, _ := filepath.Glob("testdata/original/*.md")
	var facts []*memstore.Fact
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := decodeFact(strings.TrimSuffix(filepath.Base(file), ".md"), src, same)
		if err != nil {
			t.Fatal(err)
		}
		facts = append(facts, f)
	}
	slices.SortFunc(facts, compareFacts)
	var lines []string
	for _, f := range facts {
		lines = append(lines, pageLine(f))
	}
	golden(t, "testdata/page.txt", string(renderPage(facts, lines))+"\n====\n"+string(renderPage(nil, nil)))
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
	}
}

// TestFormat_Foreign shows, for heads as people and other programs write them,
// what is read and how the file looks when its fact has changed.
func TestFormat_Foreign(t *testing.T) {
	cases := []struct{ name, src string }{
		{"crlf", "---\r\nname: a\r\ndescription: said in Windows\r\ntype: gotcha\r\ntags:\r\n  - x\r\n---\r\n\r\nbody\r\nmore\r\n"},
		{"bom", "\ufeff---\nname: a\ndescription: with a mark\ntype: fact\ntags: []\n---\n\nbody\n"},
		{"bom_crlf", "\ufeff---\r\ndescription: both\r\n---\r\nbody"},
		{"bare_times", "---\nname: a\ndescription: d\ntype: fact\ntags: []\ncreated: 2026-01-02T03:04:05.006Z\nupdated: 2026-01-03T03:04:05.000Z\n---\n\nbody\n"},
		{"other_times", "---\ndescription: d\ncreated: 2026-01-02\nupdated: \"2026-01-02 03:04:05+02:00\"\n---\nbody\n"},
		{"bad_times", "---\ndescription: d\ncreated: yesterday\nupdated: [1]\n---\nbody\n"},
		{"flow_tags", "---\ndescription: d\ntags: [a, 'b c', \"d\", 5]\n---\nbody\n"},
		{"text_tags", "---\ndescription: d\ntags: ci, deploy\n---\nbody\n"},
		{"null_tags", "---\ndescription: d\ntags:\n---\nbody\n"},
		{"mapped_tags", "---\ndescription: d\ntags:\n  a: b\n---\nbody\n"},
		{"flush_tags", "---\ndescription: d\ntags:\n- a\n- b\ntype: todo\n---\nbody\n"},
		{"number_name", "---\nname: 123\ndescription: 456\ntype: fact\n---\nbody\n"},
		{"folded", "---\ndescription: >\n  one\n  two\n\n  three\ntype: fact\n---\nbody\n"},
		{"folded_keep", "---\ndescription: >+\n  one\n  two\n\ntype: fact\n---\nbody\n"},
		{"literal", "---\ndescription: |\n  one\n    two\n  three\ntype: fact\n---\nbody\n"},
		{"plain_lines", "---\ndescription: one\n  two\n  three\ntype: fact\n---\nbody\n"},
		{"double_quotes", "---\ndescription: \"a \\\"b\\\" \\u00e9 \\U0001F680 \\\n  c\"\ntype: fact\n---\nbody\n"},
		{"single_quotes", "---\ndescription: 'it''s\n  here'\ntype: fact\n---\nbody\n"},
		{"tagged", "---\nname: !!str 12\ndescription: !!str true\n---\nbody\n"},
		{"unknown_keys", "---\nowner: [a, b]\nname: a\ndescription: d\nlinks:\n  - url: x  # why\n    weight: 0x10\ntype: fact\nempty:\ntags: []\n---\n\nbody\n"},
		{"comments", "---\n# top\nname: a # the name\n# about the description\ndescription: d\n\n# before the type\ntype: fact\n# last\n---\nbody\n"},
		{"key_order", "---\ntype: fact\ndescription: d\nupdated: '2026-01-02T03:04:05.000Z'\nname: a\n---\nbody\n"},
		{"flow_head", "---\n{name: a, description: d, extra: {k: [1, 2]}, tags: [x]}\n---\nbody\n"},
		{"quoted_keys", "---\n\"description\": d\n'type': fact\n---\nbody\n"},
		{"defaults", "---\ndescription: only that\n---\n"},
		{"own_type", "---\ndescription: d\ntype: preference\n---\nbody\n"},
		{"trailing_dots", "---   \ndescription: d\n---\t\n\n\n  body with space around  \n\n\n"},
		{"no_final_newline", "---\ndescription: d\n---\nbody"},
		{"rule_in_body", "---\ndescription: d\n---\n\nabove\n---\nbelow\n"},
		{"no_head", "# Notes\n\njust text\n"},
		{"no_end", "---\ndescription: d\nbody\n"},
		{"no_description", "---\nname: a\n---\nbody\n"},
		{"bad_yaml", "---\nname: a\ndescription: \"open\ntype: fact\n---\nbody\n"},
		{"bad_indent", "---\nname: a\n  description: d\n---\nbody\n"},
		{"list_head", "---\n- a\n- b\n---\nbody\n"},
		{"anchor", "---\ndescription: &x d\nname: *x\n---\nbody\n"},
		{"twice", "---\ndescription: d\ndescription: e\n---\nbody\n"},
		{"two_documents", "---\ndescription: d\n--- {a: b}\n---\nbody\n"},
		{"not_utf8", "---\ndescription: caf\xe9\n---\nbody \xff\n"},
		{"nul", "---\ndescription: a\x00b\n---\nbody\n"},
		{"empty", ""},
		{"empty_head", "---\n---\nbody\n"},
	}
	var b strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&b, "==== %s\n%s", c.name, visible(c.src))
		f, err := decodeFact("key", []byte(c.src), same)
		if err != nil {
			fmt.Fprintf(&b, "---- error\n%v\n", err)
			continue
		}
		fmt.Fprintf(&b, "---- read\nname %q type %q tags %q\ndescription %q\nbody %q\ncreated %s updated %s\n",
			f.Name, f.Type, f.Tags, f.Description, f.Body, f.Created.Format(timeForm), f.Updated.Format(timeForm))
		f.Body = "new body"
		f.Updated = time.Date(2026, 12, 24, 18, 0, 0, 0, time.UTC)
		out := encodeFact([]byte(c.src), f)
		fmt.Fprintf(&b, "---- changed\n%s", out)
		again, err := decodeFact("key", out, same)
		if err != nil || fmt.Sprintf("%+v", *again) != fmt.Sprintf("%+v", *f) {
			t.Errorf("%s: rewritten, it reads %+v, %v, want %+v", c.name, again, err, f)
		}
	}
	golden(t, "testdata/foreign.txt", b.String())
}

// visible shows what an editor would hide.
func visible(s string) string {
	s = strings.NewReplacer("\r\n", "␍␊\n", "\ufeff", "<BOM>", "\x00", "<NUL>", "\t", "<TAB>").Replace(s)
	return strings.ToValidUTF8(s, "<BAD>") + "<END>\n"
}
