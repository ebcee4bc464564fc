package frontmatter

import "strings"

// simple reads a head of the plainest lines, which most are, fifty times faster
// than a parser of YAML: each a key with a word, a text in double quotes or a
// block list of those. ok is false when any line is more than that; then it has
// said nothing.
func simple(head string) (entries []entry, ok bool) {
	if len(head) > MaxHead || head == "" {
		return nil, false
	}
	all, at := head, 0
	var starts []int // of the entries' lines
	open := false    // the last entry is a list whose items follow
	for at < len(all) {
		line, _, ended := strings.Cut(all[at:], "\n")
		if !ended {
			return nil, false
		}
		start := at
		at += len(line) + 1
		if item, is := strings.CutPrefix(line, "  - "); is {
			v, ok := simpleValue(item)
			if !open || !ok {
				return nil, false
			}
			e := &entries[len(entries)-1]
			e.list, e.values = true, append(e.values, v)
			continue
		}
		if open && !entries[len(entries)-1].list {
			return nil, false
		}
		key, value, cut := strings.Cut(line, ":")
		if !cut || !simpleKey(key) {
			return nil, false
		}
		for i := range entries {
			if entries[i].key == key {
				return nil, false
			}
		}
		e := entry{key: key}
		if value != "" {
			v, ok := simpleValue(strings.TrimPrefix(value, " "))
			if value[0] != ' ' || !ok {
				return nil, false
			}
			e.values = []string{v}
		}
		open = value == ""
		entries, starts = append(entries, e), append(starts, start)
	}
	for i := range entries {
		end := len(all)
		if i+1 < len(entries) {
			end = starts[i+1]
		}
		entries[i].raw = all[starts[i]:end]
	}
	return entries, !open || entries[len(entries)-1].list
}

func simpleKey(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '_' && (c < 'a' || c > 'z') || i == 0 && c == '_' {
			return false
		}
	}
	return s != "" && !reserved(s)
}

// simpleValue returns the text of a value that no reading of YAML can take for
// anything else.
func simpleValue(s string) (string, bool) {
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		s = s[1 : len(s)-1]
		for i := 0; i < len(s); i++ {
			if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
				return "", false
			}
		}
		return s, !strings.Contains(s, "  ") && strings.TrimSpace(s) == s
	}
	if s == "" || s[len(s)-1] == ' ' {
		return "", false
	}
	digits := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		digit := '0' <= c && c <= '9'
		digits = digits && digit
		if !letter && (i == 0 || !digit && c != ' ' && c != '-' && c != '_' && c != '.' && c != '/') && !digits {
			return "", false
		}
	}
	if digits {
		return s, len(s) < 10 && s[0] != '0'
	}
	return s, s[0] > '9' && !strings.Contains(s, "  ") && !reserved(s)
}
