package activity

import "strings"

// promptText returns what a person asked: a prompt without what hosts and
// this program's own hooks put into it, and of a command its name and
// arguments. It is empty when nothing else is there.
func promptText(s string) string {
	if name, ok := element(s, "command-name"); ok && strings.HasPrefix(strings.TrimSpace(s), "<") {
		args, _ := element(s, "command-args")
		return strings.TrimSpace(strings.TrimSpace(name) + " " + strings.TrimSpace(args))
	}
	return withoutRecalled(s)
}

// outcomeText returns an assistant's words without what it was reminded of.
func outcomeText(s string) string { return withoutRecalled(s) }

// element returns what stands within the first element of a name.
func element(s, name string) (string, bool) {
	_, rest, ok := strings.Cut(s, "<"+name+">")
	if !ok {
		return "", false
	}
	content, _, ok := strings.Cut(rest, "</"+name+">")
	return content, ok
}

// withoutRecalled drops the blocks that were put into a text and the rows and
// records of observations quoted in it, so that what was remembered once is
// not remembered again as news.
func withoutRecalled(s string) string {
	for _, name := range []string{"system-reminder", "slipstream-context", "task-notification", "local-command-stdout",
		"local-command-stderr", "local-command-caveat", "command-message"} {
		s = withoutElement(s, name)
	}
	if !strings.Contains(s, "#") {
		return strings.TrimSpace(s)
	}
	var keep []string
	const (
		outside = iota
		inHead  // of a record, up to its blank line
		inDetail
	)
	state := outside
	for line := range strings.SplitSeq(s, "\n") {
		trimmed := strings.TrimSpace(line)
		rest, heading := strings.CutPrefix(trimmed, "## ")
		switch {
		case heading && isRow(rest):
			state = inHead
			continue
		case isRow(strings.TrimLeft(trimmed, ">-* ")):
			state = outside
			continue
		case state != outside && trimmed == "---":
			state = outside
			continue
		case state != outside && trimmed == "":
			state = inDetail
			continue
		case state == inHead, state == inDetail && isDetail(line):
			continue
		}
		state = outside
		keep = append(keep, line)
	}
	return strings.TrimSpace(strings.Join(keep, "\n"))
}

// withoutElement drops every element of a name; one that is not closed, since
// the text was cut, only where it begins a line.
func withoutElement(s, name string) string {
	open, end := "<"+name, "</"+name+">"
	var b strings.Builder
	for {
		i := strings.Index(s, open)
		if i < 0 || i+len(open) >= len(s) || !strings.ContainsRune("> \n", rune(s[i+len(open)])) {
			return b.String() + s
		}
		n := strings.Index(s[i:], end)
		if n < 0 {
			if i > 0 && strings.TrimSpace(s[strings.LastIndexByte(s[:i], '\n')+1:i]) != "" {
				return b.String() + s
			}
			return b.String() + s[:i]
		}
		b.WriteString(s[:i])
		s = s[i+n+len(end):]
	}
}

// isRow reports whether a line is what the memory tools answer for an
// observation: #12 [edit] 2026-06-04…
func isRow(s string) bool {
	rest, ok := strings.CutPrefix(s, "#")
	if !ok {
		return false
	}
	id, rest, ok := strings.Cut(rest, " [")
	if !ok || id == "" || strings.Trim(id, "0123456789") != "" {
		return false
	}
	kind, rest, ok := strings.Cut(rest, "] ")
	if !ok || len(rest) < 10 {
		return false
	}
	for i := range 10 {
		if c := rest[i]; (i == 4 || i == 7) != (c == '-') || c != '-' && (c < '0' || c > '9') {
			return false
		}
	}
	for _, k := range Kinds() {
		if kind == string(k) {
			return true
		}
	}
	return false
}

// isDetail reports whether a line is one of those an observation's detail has.
func isDetail(line string) bool {
	label, _, ok := strings.Cut(line, ":")
	switch label {
	case "Request", "Outcome", "Ran", "Failed", "Searched", "Read", "Tools", "Files":
		return ok
	}
	return strings.HasPrefix(line, "  - ")
}
