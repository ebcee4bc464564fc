package thought

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// NewID returns a UUID of version 7 (RFC 9562): the millisecond, then chance.
func NewID(t time.Time, random [10]byte) string {
	var u [16]byte
	ms := t.UnixMilli()
	for i := range 6 {
		u[i] = byte(ms >> (8 * (5 - i)))
	}
	copy(u[6:], random[:])
	u[6] = u[6]&0x0f | 0x70
	u[8] = u[8]&0x3f | 0x80
	return hyphenated(u[:])
}

func hyphenated(u []byte) string {
	s := hex.EncodeToString(u)
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// ParseID reads an id in any usual form: upper case, without hyphens, in
// braces, after urn:uuid:. "ID#2" asks for the second part of a long thought;
// part is 1 when none is named.
func ParseID(s string) (id string, part int, err error) {
	part = 1
	text, number, cut := strings.Cut(strings.TrimSpace(s), "#")
	if cut {
		part, err = strconv.Atoi(number)
		if err != nil || part < 1 {
			return "", 0, fmt.Errorf("%q: the part after # must be a number from 1 on", s)
		}
	}
	text = strings.ToLower(text)
	text = strings.TrimPrefix(strings.TrimPrefix(text, "urn:"), "uuid:")
	text = strings.ReplaceAll(strings.Trim(text, "{}"), "-", "")
	u, err := hex.DecodeString(text)
	if err != nil || len(u) != 16 {
		return "", 0, fmt.Errorf("%q is no id; an id looks like 0192f3c4-7b1e-7c55-9a10-5d2f6b7c8e90", s)
	}
	return hyphenated(u), part, nil
}
