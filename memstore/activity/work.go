package activity

import (
	"fmt"
	"slices"
	"strings"
)

// work is what was done in a turn, redacted and without the user's paths.
type work struct {
	prompt  string
	outcome string
	actions []action
	// telling says that something was done beyond bookkeeping and recall.
	telling bool
	// broken are what failed without being a tool.
	broken []string
}

// action is one use of a tool.
type action struct {
	tool   string
	what   string // what it was applied to, without the files
	files  []string
	use    use
	failed bool
	err    string // first line
}

func gather(events []Event, redact func(string) string, where places) *work {
	w := &work{}
	for _, e := range events {
		switch e.Kind {
		case ToolUsed:
			a := newAction(e, redact, where)
			w.actions = append(w.actions, a)
			w.telling = w.telling || a.use != useNone && a.use != useRecall
		case Stopped:
			if s := outcomeText(redact(e.Data.Outcome)); s != "" {
				w.outcome = where.hide(s)
			}
		default:
			if e.Data.Failed {
				what := where.hide(redact(e.Label) + ": " + Reason(redact(e.Data.Error)))
				w.broken = append(w.broken, strings.Trim(collapse(what), ": "))
			}
		}
	}
	return w
}

func newAction(e Event, redact func(string) string, where places) action {
	tool, what := splitLabel(redact(e.Label))
	a := action{tool: tool, what: what, use: classify(tool), failed: e.Data.Failed}
	a.err = where.hide(collapse(Reason(redact(e.Data.Error))))
	named := e.Data.Files
	if len(named) == 0 && (a.use == useEdit || a.use == useRead) {
		file := what
		if strings.HasPrefix(strings.ToLower(tool), "sp_") {
			file, _, _ = strings.Cut(what, " ")
		}
		if looksLikePath(file) {
			named = []string{file}
		}
	}
	for _, f := range named {
		f = redact(f)
		if a.use != useCommand {
			a.what = strings.TrimLeft(strings.TrimPrefix(a.what, f), " :#,")
		}
		if f = where.name(f); f != "" && !slices.Contains(a.files, f) {
			a.files = append(a.files, f)
		}
	}
	if first, last, ok := strings.Cut(a.what, " "); ok && strings.HasSuffix(strings.ToLower(tool), "sp_lines") {
		a.what = first + "-" + last
	}
	a.what = where.hide(a.what)
	return a
}

// kind returns what most tells of the turn, by what succeeded if anything did.
func (w *work) kind() Kind {
	order := []struct {
		use  use
		kind Kind
	}{{useEdit, Edit}, {useCommand, Command}, {useSearch, Search}, {useRead, Read}}
	for _, failed := range []bool{false, true} {
		for _, k := range order {
			for _, a := range w.actions {
				if a.use == k.use && a.failed == failed {
					return k.kind
				}
			}
		}
	}
	if w.prompt != "" {
		return Prompt
	}
	return Note
}

// files returns the files of the turn: those changed first, then those that a
// change of was tried, then the others, each in the order of use. What could
// not be read may be no file at all.
func (w *work) files() []string {
	var out []string
	add := func(match func(action) bool) {
		for _, a := range w.actions {
			if !match(a) {
				continue
			}
			for _, f := range a.files {
				if len(out) < maxFiles && !slices.Contains(out, f) {
					out = append(out, f)
				}
			}
		}
	}
	add(func(a action) bool { return a.use == useEdit && !a.failed })
	add(func(a action) bool { return a.use == useEdit })
	add(func(a action) bool { return a.use != useRead || !a.failed })
	return out
}

// tools returns the names of the tools used with how often, most used first.
func (w *work) tools() (names []string, count map[string]int) {
	count = map[string]int{}
	for _, a := range w.actions {
		if a.tool == "" {
			continue
		}
		if count[a.tool]++; count[a.tool] == 1 {
			names = append(names, a.tool)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return count[b] - count[a] })
	return names, count
}

// codes returns the error codes that failures of the turn speak of, such as
// EADDRINUSE, at most three.
func (w *work) codes() []string {
	const most = 3
	var codes []string
	for _, a := range w.actions {
		if !a.failed {
			continue
		}
		for _, code := range errorCode().FindAllString(a.err, -1) {
			if len(codes) < most && !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
	}
	return codes
}

func (w *work) toolTags() []string {
	var tags []string
	names, _ := w.tools()
	for _, n := range names {
		if u := classify(n); u != useNone && u != useRecall {
			tags = append(tags, strings.TrimPrefix(strings.ToLower(n), "sp_"))
		}
	}
	return tags
}

// Bounds of a detail, in UTF-16 units and in lines of a sort.
const (
	maxWords    = 2000
	maxRan      = 8
	maxRanLen   = 200
	maxFailed   = 5
	maxSearched = 8
	maxRead     = 12
	maxTools    = 6
)

// detail says in lines what was asked, what came of it and what was done.
func (w *work) detail() string {
	var lines []string
	one := func(label, s string) {
		if s = collapse(s); s != "" {
			lines = append(lines, label+": "+shorten(s, maxWords))
		}
	}
	several := func(label string, list []string, most int) {
		for _, s := range list[:min(len(list), most)] {
			lines = append(lines, label+": "+s)
		}
	}
	one("Request", w.prompt)
	one("Outcome", w.outcome)
	several("Ran", w.ran(maxRanLen), maxRan)
	several("Failed", w.failures(), maxFailed)
	several("Searched", w.searched(), maxSearched)
	several("Read", w.read(), maxRead)
	names, count := w.tools()
	var tools []string
	for _, n := range names[:min(len(names), maxTools)] {
		if count[n] > 1 {
			n = fmt.Sprintf("%s×%d", n, count[n])
		}
		tools = append(tools, n)
	}
	one("Tools", strings.Join(tools, ", "))
	return strings.Join(lines, "\n")
}

// ran returns the commands, each once, with whether its last run failed.
func (w *work) ran(most int) []string {
	var commands []string
	failed := map[string]bool{}
	for _, a := range w.actions {
		if a.use != useCommand || a.what == "" {
			continue
		}
		if _, seen := failed[a.what]; !seen {
			commands = append(commands, a.what)
		}
		failed[a.what] = a.failed
	}
	for i, c := range commands {
		commands[i] = shorten(c, most)
		if failed[c] {
			commands[i] += " (failed)"
		}
	}
	return commands
}

func (w *work) failures() []string {
	var out []string
	add := func(s string) {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for i, a := range w.actions {
		if !a.failed {
			continue
		}
		s := shorten(strings.Join(append([]string{a.tool}, strings.Fields(a.subject())...), " "), maxRanLen)
		if a.err != "" {
			s += ": " + shorten(a.err, maxRanLen)
		}
		if a.use == useCommand && slices.ContainsFunc(w.actions[i+1:], func(b action) bool { return !b.failed && b.use == useCommand && b.what == a.what }) {
			s += " (then it passed)"
		}
		add(s)
	}
	for _, s := range w.broken {
		add(shorten(s, 2*maxRanLen))
	}
	return out
}

// subject is what an action was applied to.
func (a action) subject() string {
	if len(a.files) > 0 && a.use != useCommand {
		return a.files[0]
	}
	return a.what
}

func (w *work) searched() []string {
	var out []string
	for _, a := range w.actions {
		if q := shorten(a.subjectOfSearch(), maxRanLen); a.use == useSearch && q != "" && !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	return out
}

func (a action) subjectOfSearch() string {
	if a.what != "" {
		return a.what
	}
	return a.subject()
}

// read returns what was read, a file with what of it.
func (w *work) read() []string {
	var out []string
	for _, a := range w.actions {
		if a.use != useRead || a.failed {
			continue
		}
		s := a.subject()
		if len(a.files) > 0 && a.what != "" && a.what != a.files[0] {
			s += ": " + a.what
		}
		if s = shorten(s, maxRanLen); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
