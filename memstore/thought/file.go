package thought

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/internal/frontmatter"
)

// Reserved reports whether a key of the frontmatter has a meaning of its own,
// so that no caller may use it.
func Reserved(key string) bool { return slices.Contains(known(), key) }

// known returns the keys in the order they are written.
func known() []string {
	return []string{
		"schema_version", "id", "prefix", "portability", "source", "created_at", "updated_at",
		"fingerprint", "tags", "vault", "legacy_id", "captured_by",
	}
}

// Encode returns the Markdown file of a thought that passes Check. An error
// names a key of Extra that YAML cannot hold.
func Encode(t Thought) ([]byte, error) {
	if err := Check(t); err != nil {
		return nil, err
	}
	var d frontmatter.Doc
	if err := d.SetJSON("schema_version", json.RawMessage(strconv.Itoa(max(1, t.SchemaVersion)))); err != nil {
		return nil, err
	}
	d.SetQuoted("id", t.ID, "schema_version")
	d.SetScalar("prefix", t.Prefix, "id")
	d.SetScalar("portability", t.Portability, "prefix")
	d.SetScalar("source", t.Source, "portability")
	d.SetQuoted("created_at", isoTime(t.CreatedAt), "source")
	d.SetQuoted("updated_at", isoTime(t.UpdatedAt), "created_at")
	d.SetQuoted("fingerprint", t.Fingerprint, "updated_at")
	last := "fingerprint"
	if len(t.Tags) > 0 {
		d.SetList("tags", t.Tags, last)
		last = "tags"
	}
	if t.Vault != "" && t.Vault != DefaultVault {
		d.SetScalar("vault", t.Vault, last)
		last = "vault"
	}
	if t.LegacyID != "" {
		d.SetScalar("legacy_id", t.LegacyID, last)
		last = "legacy_id"
	}
	if t.CapturedBy != "" {
		d.SetQuoted("captured_by", t.CapturedBy, last)
	}
	for _, f := range t.Extra {
		if err := d.SetJSON(f.Key, f.Value); err != nil {
			return nil, err
		}
	}
	if longest, _, all := d.Size(); all > frontmatter.MaxHead {
		return nil, fmt.Errorf("the keys take %d bytes, %q the most; the most is %d, put more into content", all, longest, frontmatter.MaxHead)
	}
	return append(d.Head(), t.Body...), nil
}

// isoTime writes a time as Python does: no fraction when it is zero.
func isoTime(t time.Time) string {
	t = t.UTC().Truncate(time.Microsecond)
	if t.Nanosecond() == 0 {
		return t.Format("2006-01-02T15:04:05+00:00")
	}
	return t.Format("2006-01-02T15:04:05.000000+00:00")
}

// Merge returns a file with tags and keys added, changed at the given time; all
// else stays byte for byte but for line ends. A key that is there keeps its
// place and takes the new value. changed is false when there was nothing new.
func Merge(src []byte, tags []string, extra []Field, at time.Time) (out []byte, changed bool, err error) {
	head, body, err := split(src)
	if err != nil {
		return nil, false, err
	}
	d, err := frontmatter.ParseHead(head)
	if err != nil {
		return nil, false, err
	}
	before := d.Head()
	have, _ := d.List("tags")
	all := slices.Clone(have)
	for _, tag := range tags {
		if !slices.Contains(all, tag) {
			all = append(all, tag)
		}
	}
	if len(all) > len(have) {
		d.SetList("tags", all, "fingerprint")
	}
	for _, f := range extra {
		if Reserved(f.Key) {
			return nil, false, fmt.Errorf("metadata key %q is kept for the vault; choose another name", f.Key)
		}
		if old, ok := d.JSON(f.Key); ok && equalJSON(old, f.Value) {
			continue
		}
		if err := d.SetJSON(f.Key, f.Value); err != nil {
			return nil, false, err
		}
	}
	if bytes.Equal(before, d.Head()) {
		return src, false, nil
	}
	d.SetQuoted("updated_at", isoTime(at), "created_at")
	if longest, _, all := d.Size(); all > frontmatter.MaxHead {
		return nil, false, fmt.Errorf("the keys take %d bytes, %q the most; the most is %d", all, longest, frontmatter.MaxHead)
	}
	return append(d.Head(), body...), true, nil
}

func equalJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// split is that of frontmatter, but a file that does not begin with a head is
// all body.
func split(src []byte) (head, body string, err error) {
	text := bytes.TrimPrefix(src, []byte("\ufeff"))
	first, _, _ := bytes.Cut(text, []byte("\n"))
	if strings.TrimRight(string(first), " \t\r") != "---" && !bytes.HasPrefix(first, []byte("---\r")) {
		return "", strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(string(text), "\ufffd")), nil
	}
	return frontmatter.Split(src)
}

// BodyOf returns what follows the frontmatter of a file, as Decode does, without
// a look at the keys in it.
func BodyOf(src []byte) (string, error) {
	_, body, err := split(src)
	return body, err
}

// Decode reads a file that is at filePath below the folder of thoughts and was
// modified when modified says. What a hand-written file leaves out is derived:
// the id from the path, the prefix from the text, the times from the file's; the
// fingerprint is always that of the body. A portability that is none counts as
// block. notes name what was odd; an error means that the frontmatter cannot be
// read at all.
func Decode(src []byte, filePath string, modified time.Time) (t Thought, notes []string, err error) {
	head, body, err := split(src)
	if err != nil {
		return Thought{}, nil, err
	}
	d, err := frontmatter.ParseHead(head)
	if err != nil {
		return Thought{}, nil, err
	}
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	text := func(key string) string {
		s, ok := d.Scalar(key)
		if !ok && slices.Contains(d.Keys(), key) {
			note("%s is no text", key)
		}
		return s
	}
	t = Thought{
		SchemaVersion: 1, Body: body, Fingerprint: Fingerprint(body), FilePath: filePath,
		Prefix: text("prefix"), Portability: text("portability"), Source: text("source"),
		Vault: text("vault"), LegacyID: text("legacy_id"), CapturedBy: text("captured_by"),
	}
	if s := text("schema_version"); s != "" {
		if n, err := strconv.Atoi(s); err == nil && n > 0 {
			t.SchemaVersion = n
		} else {
			note("schema_version %q is no number from 1 on", s)
		}
	}
	if t.ID, _, err = ParseID(text("id")); err != nil {
		if s := text("id"); s != "" {
			note("id: %v", err)
		}
		t.ID, err = pathID(filePath), nil
	}
	if t.Prefix == "" {
		t.Prefix = ParsePrefix(body)
	}
	switch t.Portability {
	case "portable", "sensitive", "block":
	case "":
		t.Portability = Portability(t.Prefix)
	default:
		note("portability %q is none of portable, sensitive, block; block is meant until it is mended", t.Portability)
		t.Portability = "block"
	}
	if t.Vault == "" {
		t.Vault = DefaultVault
	}
	moment := func(key string, otherwise time.Time) time.Time {
		s := text(key)
		if s == "" {
			return otherwise
		}
		at, err := ParseTime(s)
		if err != nil {
			note("%s: %v", key, err)
			return otherwise
		}
		return at
	}
	t.CreatedAt = moment("created_at", nameTime(filePath, modified))
	t.UpdatedAt = moment("updated_at", t.CreatedAt)
	var ok bool
	if t.Tags, ok = d.List("tags"); !ok && slices.Contains(d.Keys(), "tags") {
		note("tags is no list of texts")
	}
	for _, key := range d.Keys() {
		if Reserved(key) {
			continue
		}
		v, ok := d.JSON(key)
		if !ok {
			note("the value of %s cannot be read", key)
			continue
		}
		t.Extra = append(t.Extra, Field{key, v})
	}
	return t, notes, nil
}

// pathID returns the id of a file that names none, the same as long as the file
// keeps its path.
func pathID(filePath string) string {
	sum := sha256.Sum256([]byte(filePath))
	u := sum[:16]
	u[6] = u[6]&0x0f | 0x80 // version 8, of one's own making
	u[8] = u[8]&0x3f | 0x80
	return hyphenated(u)
}

// nameTime returns the time that a file's name begins with, else the other.
func nameTime(filePath string, otherwise time.Time) time.Time {
	stamp, _, _ := strings.Cut(path.Base(filePath), "-")
	if at, err := time.Parse("20060102150405", stamp); err == nil {
		return at
	}
	return otherwise.UTC().Truncate(time.Microsecond)
}
