package mapper

import "strings"

// A layer is the rules of one ignore file. Layers form a chain from the
// innermost folder outwards; the first layer with a matching rule decides, and
// within it the last matching rule.
type layer struct {
	outer *layer
	base  string // folder of the ignore file, "" for the top
	rules []rule
}

// A rule is one line of an ignore file.
type rule struct {
	text     string
	negated  bool // "!": takes the path back
	dirOnly  bool // "x/": matches folders alone
	anchored bool // holds a slash: matched against the path from the ignore file's folder, else against the name
	literal  bool // holds no wildcard or backslash
}

// add puts the rules of one ignore file in front of the chain.
func (l *layer) add(base string, text []byte) *layer {
	rules := parseRules(text)
	if len(rules) == 0 {
		return l
	}
	return &layer{l, base, rules}
}

// ignored reports whether the chain hides path. That no folder above it is
// hidden is the caller's to know.
func (l *layer) ignored(path string, dir bool) bool {
	_, name := splitPath(path)
	for ; l != nil; l = l.outer {
		rel := path
		if l.base != "" {
			rel = strings.TrimPrefix(path[min(len(path), len(l.base)):], "/")
		}
		for i := len(l.rules) - 1; i >= 0; i-- {
			if r := &l.rules[i]; r.match(rel, name, dir) {
				return !r.negated
			}
		}
	}
	return false
}

func (r *rule) match(rel, name string, dir bool) bool {
	if r.dirOnly && !dir {
		return false
	}
	subject := name
	if r.anchored {
		subject = rel
	}
	if r.literal {
		return subject == r.text
	}
	return wildmatch(r.text, subject)
}

// parseRules reads an ignore file in git's syntax.
func parseRules(text []byte) []rule {
	var rules []rule
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if r, ok := parseRule(trimSpaces(line)); ok {
			rules = append(rules, r)
		}
	}
	return rules
}

func parseRule(line string) (rule, bool) {
	var r rule
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	if line == "" {
		return rule{}, false
	}
	r.anchored = strings.Contains(line, "/")
	r.text = strings.TrimPrefix(line, "/")
	r.literal = !strings.ContainsAny(r.text, `*?[\`)
	return r, true
}

// trimSpaces cuts the spaces at the end of a line; a backslash keeps the one
// behind it.
func trimSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = min(i+1, len(line))
	}
	return line[:end]
}
