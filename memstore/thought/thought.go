// Package thought holds what a thought is: its keys, its category and how far
// it may travel, its id, its fingerprint, its file name and its Markdown file.
//
//	t := thought.Thought{ID: thought.NewID(now, random), Body: thought.Body("[Lesson] Tabs beat spaces.")}
//	t.Prefix = thought.ParsePrefix(t.Body)
//	t.Portability = thought.Portability(t.Prefix)
//	src, err := thought.Encode(t) // the file, for t.FileName()
//	t, notes, err := thought.Decode(src, path, modified)
//
// The files are those of an engram vault, in both directions. The package
// touches no disk, no clock and no randomness, and invents no category: only
// the known prefixes are taken from a text.
package thought

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// What a thought may hold at most, so that all that is written can be read
// back, here and by engram.
const (
	MaxContent = 1 << 20 // bytes of UTF-8
	MaxPrefix  = 128     // characters
	MaxSource  = 256     // characters
)

// DefaultVault is the label of a thought that names no vault.
const DefaultVault = "default"

// Thought is one thought. Its JSON is what a client gets: all keys but metadata
// always there, times in UTC to the microsecond.
type Thought struct {
	// ID is a UUID in lower case with hyphens.
	ID            string
	SchemaVersion int
	// Prefix is the category: one of Prefixes, or a caller's own.
	Prefix string
	// Portability is portable, sensitive or block.
	Portability string
	// Source says who or what it is from.
	Source               string
	CreatedAt, UpdatedAt time.Time
	// Fingerprint is that of Body.
	Fingerprint string
	Tags        []string
	// Vault is a label, DefaultVault unless a caller gave another.
	Vault string
	// LegacyID is the id in the system it came from, or "".
	LegacyID string
	// CapturedBy is the fingerprint of a key of GPG in a team's vault, or "".
	CapturedBy string
	// EmbeddingStatus is ok, pending or failed; it is not part of the file.
	EmbeddingStatus string
	// Body is the text, with LF alone as line end.
	Body string
	// FilePath is where the file is below the folder of thoughts, with "/"; it
	// is not part of the file.
	FilePath string
	// Extra are the keys that others put there, in order.
	Extra []Field
}

// Field is a key with its value.
type Field struct {
	Key   string
	Value json.RawMessage
}

// MarshalJSON returns the thought as clients know it.
func (t Thought) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	var failed error
	put := func(key string, v any) {
		sep := byte(',')
		if b.Len() == 0 {
			sep = '{'
		}
		b.WriteByte(sep)
		fmt.Fprintf(&b, "%q:", key)
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil && failed == nil {
			failed = err
		}
		b.Truncate(b.Len() - 1) // the newline
	}
	orNull := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	put("id", t.ID)
	put("schema_version", t.SchemaVersion)
	put("prefix", t.Prefix)
	put("portability", t.Portability)
	put("source", t.Source)
	put("created_at", FormatTime(t.CreatedAt))
	put("updated_at", FormatTime(t.UpdatedAt))
	put("fingerprint", t.Fingerprint)
	put("tags", append([]string{}, t.Tags...))
	put("vault", t.Vault)
	put("legacy_id", orNull(t.LegacyID))
	put("captured_by", orNull(t.CapturedBy))
	put("embedding_status", t.EmbeddingStatus)
	put("content", t.Body)
	put("file_path", t.FilePath)
	if len(t.Extra) > 0 {
		b.WriteString(`,"metadata":`)
		for i, f := range t.Extra {
			sep := byte(',')
			if i == 0 {
				sep = '{'
			}
			b.WriteByte(sep)
			key, err := json.Marshal(f.Key)
			if err != nil {
				return nil, err
			}
			b.Write(key)
			b.WriteByte(':')
			b.Write(f.Value)
		}
		b.WriteByte('}')
	}
	b.WriteByte('}')
	return b.Bytes(), failed
}

// FormatTime writes a time as clients get it: in UTC, with microseconds.
func FormatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// ParseTime reads a date or a time of ISO 8601. A date is its midnight, and
// what names no zone is in UTC.
func ParseTime(s string) (time.Time, error) {
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05Z07",
		"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly,
	} {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no time; write 2026-05-04 or 2026-05-04T14:23:00Z", s)
}

// Body returns content as it is kept: line ends are LF, what is not UTF-8 is
// U+FFFD, and one that is not empty ends in a newline.
func Body(content string) string {
	s := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(content, "\ufffd"))
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	return s
}

// Fingerprint returns the SHA-256, in hex, of a body without the spaces at the
// ends of its lines and without empty lines at its end.
func Fingerprint(body string) string {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(body), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t\v\f\x1c\x1d\x1e\x1f\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000")
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:])
}

// Check says why a thought cannot be kept, or nil: everything that passes can
// be read back.
func Check(t Thought) error {
	switch {
	case len(t.Body) > MaxContent+1: // the newline at its end is ours
		return fmt.Errorf("content has %d bytes; the most is %d, split it", len(t.Body), MaxContent)
	case utf8.RuneCountInString(t.Prefix) > MaxPrefix:
		return fmt.Errorf("prefix has %d characters; the most is %d", utf8.RuneCountInString(t.Prefix), MaxPrefix)
	case t.Prefix == "" || unsafeLabel(t.Prefix):
		return fmt.Errorf("prefix %q holds \"..\", NUL or a sign of writing direction; CleanPrefix takes them out", t.Prefix)
	case utf8.RuneCountInString(t.Source) > MaxSource:
		return fmt.Errorf("source has %d characters; the most is %d", utf8.RuneCountInString(t.Source), MaxSource)
	case t.Source == "" || unsafeLabel(t.Source):
		return fmt.Errorf("source %q must not be empty or hold \"..\", NUL or a sign of writing direction", t.Source)
	case !slices.Contains([]string{"portable", "sensitive", "block"}, t.Portability):
		return fmt.Errorf("portability %q is none of portable, sensitive, block", t.Portability)
	}
	for _, f := range t.Extra {
		if Reserved(f.Key) || f.Key == "" {
			return fmt.Errorf("metadata key %q is kept for the vault; choose another name", f.Key)
		}
	}
	return nil
}
