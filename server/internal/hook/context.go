package hook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/server/internal/visible"
)

// Signal is what is known when a session begins: the work at hand, and what could be told about it.
type Signal struct {
	// Branch, Changed (paths relative to the project) and Prompt say what the work is; each may be empty.
	Branch  string
	Changed []string
	Prompt  string
	// Last are observations of earlier sessions, newest first, Near those that speak of the work at hand, nearest first.
	Last, Near []activity.Observation
	// Facts are all that may be told, in any order.
	Facts []Fact
	// Digest is that of the session itself when it was compacted; nil otherwise.
	Digest *Digest
}

// ContextOptions bound a context.
type ContextOptions struct {
	// Tokens counts a text; nil counts a token for three bytes.
	Tokens func(string) int
	// Budget is the most tokens of a context, as Tokens counts them. 0 or less tells nothing.
	Budget int
	// Root is the project's folder; the digest's files in it are told relative to it.
	Root string
}

// Bounds of what a context tells, in UTF-16 units and lines.
const (
	maxBody    = 700
	maxRow     = 240
	maxTold    = 400 // of how a turn ended
	firstRows  = 3   // of what was worked on last: before any fact
	maxRows    = 6
	maxRefused = 12 // facts that do not fit, until no further is tried
)

// The parts of a context, in the order they stand in.
const (
	digestPart = iota
	closePart
	nearPart
	lastPart
	otherPart
	parts
)

// Context returns what a new session should know first, in Markdown between two lines <slipstream-context>, or "" when
// there is nothing to tell or no room. After a compaction that is the session itself; then facts that share words with the
// branch, the changed files or the prompt; what was worked on last; with room to spare other facts by their descriptions.
//
// It is never over the budget nor over what Render keeps whole. What it quotes is data: it stands in list items, and cannot
// close the lines around it.
func Context(in Signal, o ContextOptions) string {
	if o.Tokens == nil {
		o.Tokens = func(s string) int { return (len(s) + 2) / 3 }
	}
	p := page{tokens: o.Tokens, budget: o.Budget}
	if in.Digest != nil {
		for _, item := range in.Digest.items(o.Root) {
			p.add(digestPart, item, o.Budget*6/10)
		}
	}
	rows := rowsOf(in.Last, nil)
	for _, row := range rows[:min(len(rows), firstRows)] {
		p.addRow(lastPart, row, o.Budget)
	}
	for _, row := range rowsOf(in.Near, in.Last) {
		p.addRow(nearPart, row, o.Budget*8/10)
	}
	closest, others := in.match()
	left := p.addFacts(closePart, closest, Fact.whole, o.Budget*9/10)
	left = p.addFacts(closePart, left, Fact.brief, o.Budget)
	for _, row := range rows[min(len(rows), firstRows):] {
		p.add(lastPart, row.line, o.Budget)
	}
	if len(left) == 0 {
		p.addFacts(otherPart, others, Fact.brief, o.Budget)
	}
	if !p.told {
		return ""
	}
	return p.text()
}

// page is a context that grows item by item within its budget.
type page struct {
	tokens func(string) int
	budget int
	items  [parts][]string
	told   bool // something is on it
}

// add adds an item if the page then has at most so many tokens.
func (p *page) add(part int, item string, most int) bool {
	if item == "" {
		return false
	}
	before := p.items[part]
	p.items[part] = append(before, item)
	if text := p.text(); p.tokens(text) > min(most, p.budget) || units(text) > maxAdded {
		p.items[part] = before
		return false
	}
	p.told = true
	return true
}

// addRow adds a row with how its turn ended, or its line alone if that does not fit.
func (p *page) addRow(part int, r row, most int) {
	if r.told == "" || !p.add(part, r.line+"\n  "+r.told, most) {
		p.add(part, r.line, most)
	}
}

// addFacts adds facts, each as it is told or in a line if that does not fit, and returns those that do not fit either.
func (p *page) addFacts(part int, facts []Fact, told func(Fact) string, most int) (left []Fact) {
	for i, f := range facts {
		if len(left) == maxRefused {
			return append(left, facts[i:]...)
		}
		if !p.add(part, told(f), most) && !p.add(part, f.brief(), most) {
			left = append(left, f)
		}
	}
	return left
}

// text returns the page. The number of its tokens, which it tells itself, is rounded up to tens.
func (p *page) text() string {
	var b strings.Builder
	headings := [parts]string{
		digestPart: "This session before it was compacted, latest first",
		closePart:  "Facts close to the work at hand",
		nearPart:   "Earlier work close to it",
		lastPart:   "Worked on last, in earlier sessions",
		otherPart:  "Other facts",
	}
	for part, items := range p.items {
		if len(items) > 0 {
			b.WriteString("\n## " + headings[part] + "\n" + strings.Join(items, "\n") + "\n")
		}
	}
	frame := func(n int) string {
		return fmt.Sprintf("%s\nslipstream: what this project remembers (about %d tokens; sp_recall and sp_search_memory find the rest).\n%s%s",
			contextBegin, n, b.String(), contextEnd)
	}
	return frame((p.tokens(frame(1000)) + 9) / 10 * 10)
}

// row is an observation as a context tells it.
type row struct {
	line string
	told string // how the turn ended, where the line does not say it all
}

// rowsOf returns rows of the first observations that say something new, without those that are listed elsewhere.
func rowsOf(observations, elsewhere []activity.Observation) []row {
	var rows []row
	var said []string
	for _, o := range observations {
		summary := quoted(o.Summary, maxRow)
		if summary == "" || slices.Contains(said, summary) || isSmallTalk(o) ||
			slices.ContainsFunc(elsewhere, func(other activity.Observation) bool { return other.ID == o.ID }) {
			continue
		}
		if len(rows) == maxRows {
			break
		}
		said = append(said, summary)
		rows = append(rows, row{
			line: fmt.Sprintf("- #%d [%s] %s %s", o.ID, quoted(string(o.Kind), maxAgent), o.Time.UTC().Format("2006-01-02 15:04"), summary),
			told: endOf(o),
		})
	}
	return rows
}

// isSmallTalk reports whether nothing was done in a turn and little was said: "ok thanks", "/clear".
func isSmallTalk(o activity.Observation) bool {
	const little = 14 // characters of a request
	request, _, _ := strings.Cut(o.Summary, " — ")
	return o.Kind == activity.Prompt && len(o.Files) == 0 && len([]rune(request)) < little
}

// endOf returns how the turn of an observation ended, when its summary does not say it all.
func endOf(o activity.Observation) string {
	for line := range strings.Lines(o.Detail) {
		outcome, ok := strings.CutPrefix(line, "Outcome: ")
		if !ok {
			continue
		}
		if outcome = quoted(outcome, maxTold); !strings.HasSuffix(strings.TrimRight(o.Summary, ".…"), strings.TrimRight(outcome, ".…")) {
			return outcome
		}
	}
	return ""
}

// brief returns a fact in a line.
func (f Fact) brief() string {
	description := f.Description
	if strings.TrimSpace(description) == "" {
		description = firstLine(f.Body)
	}
	return f.head() + quoted(description, maxDigestLine)
}

// whole returns a fact with how its body begins.
func (f Fact) whole() string {
	body := strings.TrimSpace(f.Body)
	begins := strings.TrimRight(strings.TrimSpace(f.Description), ".…")
	switch {
	case body == "":
		return f.brief()
	case !strings.HasPrefix(body, begins):
		return f.brief() + "\n  " + block(body)
	}
	return f.head() + block(body) // a description is often but the beginning of the body
}

func (f Fact) head() string {
	return fmt.Sprintf("- %s (%s): ", quoted(f.Name, maxAgent), quoted(f.Type, maxAgent))
}

// block returns a text of lines as it stands in a list item, without the blank ones.
func block(text string) string {
	var rows []string
	for row := range strings.Lines(shorten(cut(text, 8*maxBody), maxBody)) {
		row = visible.Text(strings.ReplaceAll(strings.TrimRight(row, " \t\r\n"), "\t", "  "))
		if row != "" {
			rows = append(rows, strings.ToValidUTF8(inert(row), "\uFFFD"))
		}
	}
	return strings.Join(rows, "\n  ")
}

// quoted returns a text of somebody in one line.
func quoted(s string, n int) string {
	return inert(visible.Text(shorten(line(s, 4*n), n)))
}

// inert takes their meaning from the tags that could end the context, or the reminder a host puts it in.
func inert(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		name := strings.ToLower(strings.TrimLeft(s[i:min(len(s), i+64)], "</ "))
		if s[i] == '<' && (strings.HasPrefix(name, "slipstream-context") || strings.HasPrefix(name, "system-reminder")) {
			b.WriteString("‹")
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// items returns the lines of a digest, what matters most first.
func (d *Digest) items(root string) []string {
	var items []string
	say := func(label string, texts ...string) {
		for _, s := range texts {
			if s = quoted(s, maxRequest); s != "" {
				items = append(items, "- "+label+": "+s)
			}
		}
	}
	if d.Answered {
		say("Last request, answered", d.Request)
	} else {
		say("Open request", d.Request)
	}
	say("Plan", strings.Join(d.Plan, "; "))
	var files []string
	for _, f := range d.Files {
		files = append(files, relative(f, root))
	}
	say("Edited", strings.Join(files, ", "))
	say("Done", d.Done...)
	say("Still failing", d.Failed...)
	say("Decided", d.Decisions...)
	say("Asked before", d.Earlier...)
	return items
}

// relative returns a file without the folder it lies in.
func relative(file, root string) string {
	root = strings.TrimRight(root, `/\`)
	if rest, ok := strings.CutPrefix(file, root); ok && root != "" && strings.IndexAny(rest, `/\`) == 0 {
		return strings.ReplaceAll(rest[1:], `\`, "/")
	}
	return file
}
