package memstore

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSlug is the length of a name in bytes, without the number that tells it
// from another of the same text. Names on disk depend on it.
const maxSlug = 60

// Slug returns the name that a text gives: lower-case letters a to z and
// digits, anything else between them a dash, at most 60 bytes. The cut comes
// last, so that a name may end in a dash, as those of existing stores do. A
// text without any such letter keeps the letters of its own script, and one
// without letters at all is called by its hash.
func Slug(text string) string {
	s := dashed(text, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' })
	if s == "" {
		s = dashed(text, func(r rune) bool {
			return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
		})
	}
	if s == "" {
		h := fnv.New32a()
		h.Write([]byte(text))
		return fmt.Sprintf("fact-%08x", h.Sum32())
	}
	if len(s) > maxSlug {
		s = s[:maxSlug]
		for !utf8.ValidString(s) {
			s = s[:len(s)-1]
		}
	}
	return s
}

func dashed(text string, keep func(rune) bool) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(text) {
		if !keep(r) || r == utf8.RuneError {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte('-')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// freeName returns the slug, numbered from 2 when it is taken or reserved.
// Names are compared without case, since some disks do.
func freeName(slug string, taken func(lower string) bool) string {
	name := slug
	for n := 2; reserved(name) || taken(strings.ToLower(name)); n++ {
		name = strings.TrimRight(slug, "-") + "-" + strconv.Itoa(n)
	}
	return name
}

// reserved reports whether a file called name.md would be the index page of a
// store (on a disk that ignores case) or a device (on Windows).
func reserved(name string) bool {
	switch strings.ToLower(name) {
	case "memory", "con", "prn", "aux", "nul":
		return true
	}
	return len(name) == 4 && name[3] >= '0' && name[3] <= '9' &&
		(strings.EqualFold(name[:3], "com") || strings.EqualFold(name[:3], "lpt"))
}
