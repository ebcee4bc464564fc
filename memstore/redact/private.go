package redact

import "strings"

// dropPrivate returns s without what stands between <private> and </private>,
// whatever the case of the tags. Inner pairs go with the outer; without an end
// it is the rest of the text.
func dropPrivate(s string) string {
	var b strings.Builder
	depth, kept, at := 0, 0, 0
	for {
		i := strings.IndexByte(s[at:], '<')
		if i < 0 {
			break
		}
		at += i
		switch {
		case hasFold(s[at:], "<private>"):
			if depth == 0 {
				b.WriteString(s[kept:at])
			}
			depth++
			at += len("<private>")
		case depth > 0 && hasFold(s[at:], "</private>"):
			depth--
			at += len("</private>")
			kept = at
		default:
			at++
		}
	}
	if depth > 0 {
		return b.String()
	}
	if kept == 0 {
		return s
	}
	b.WriteString(s[kept:])
	return b.String()
}

func hasFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
