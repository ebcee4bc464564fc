package frontmatter

import (
	"encoding/json"
	"reflect"
	"testing"
)

const plainHead = "schema_version: 1\nid: \"0192f3c4-7b1e-7c55-9a10-5d2f6b7c8e90\"\nprefix: Action Item\ncreated_at: \"2026-05-04T14:23:00+00:00\"\ntags:\n  - ci\n  - \"a: b\"\nlast: x\n"

// FuzzSimple holds the short way to the long one: what it accepts means the
// same to a parser of YAML.
func FuzzSimple(f *testing.F) {
	for _, s := range []string{plainHead, "tags:\n", "tags:\n  - x", "a: 1\n", "abc: 0x1\n", "abc: nan\n", "abc: \"~\"\n", "abc: 1e3\n", "abc: 12\n", "abc: A-b_c. d/e\n", "abc: null\nabc: y\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, head string) {
		got, ok := simple(head)
		if !ok {
			return
		}
		want, err := parseHead(head)
		if err != nil {
			t.Fatalf("simple accepts %q, YAML does not: %v", head, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v, want %+v", head, got, want)
		}
	})
}

func TestSimple(t *testing.T) {
	if _, ok := simple(plainHead); !ok {
		t.Errorf("a plain head is not taken for one")
	}
	for _, head := range []string{"", "a b: c\n", "key: [a]\n", "key: 'a'\n", "key: a: b\n", "key: true\n", "tags:\nkey: b\n", "  - a\n", "key: 2026-05-04\n", "key: |\n  a\n", "# c\n", "key: a\nkey: b\n"} {
		if e, ok := simple(head); ok {
			t.Errorf("%q: got %+v", head, e)
		}
	}
}

// TestJSON holds that a value of JSON comes back as it was.
func TestJSON(t *testing.T) {
	for _, v := range []string{
		`"text"`, `""`, `" x"`, `"2026-05-04"`, `"12"`, `"0o17"`, `"true"`, `"null"`, `"~"`, `"a: b # c"`, `"two\nlines"`, `"\u0000\u0007\u0085\u2028 日本 😀 \"q\" \\ '"`,
		`1`, `-5`, `0`, `1.5`, `1e3`, `12345678901234567890123`, `true`, `null`, `[]`, `["a"]`, `["a","- b",""]`, `["x","12","yes"]`,
		`{}`, `{"a":1,"b":[1,null,{"c d":"e"}],"":"x"}`, `[[1],[{"x":[]}]]`, `"{a}"`, `"[a]"`, `"&a"`, `"*a"`, `"<<"`, `"---"`,
	} {
		for _, key := range []string{"topic", "a key", "ключ", "12", "yes", "a: b", `q"q`} {
			d, err := ParseHead("prefix: Note\n")
			if err != nil {
				t.Fatal(err)
			}
			if err := d.SetJSON(key, json.RawMessage(v)); err != nil {
				t.Errorf("%s: %s: %v", key, v, err)
				continue
			}
			head := string(d.Head())
			back, err := Parse(d.Head())
			if err != nil {
				t.Errorf("%s: %v", head, err)
				continue
			}
			got, ok := back.JSON(key)
			if !ok || string(got) != string(canonical(t, v)) {
				t.Errorf("%s: got %s, want %s, in\n%s", key, got, v, head)
			}
		}
	}
}

// canonical spells escapes in the one way that JSON gives.
func canonical(t *testing.T, v string) []byte {
	var s string
	if json.Unmarshal([]byte(v), &s) == nil && v != "null" {
		return appendText(nil, s)
	}
	return []byte(v)
}

func BenchmarkParseHead(b *testing.B) {
	b.Run("simple", func(b *testing.B) {
		for b.Loop() {
			_, _ = simple(plainHead)
		}
	})
	b.Run("yaml", func(b *testing.B) {
		for b.Loop() {
			_, _ = parseHead(plainHead)
		}
	})
}
