package hook

import (
	"slices"
	"strings"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
)

// Digest is what a session has come to so far, for the model that has just forgotten it. Texts are single lines; lists have
// the latest first, and each text once.
type Digest struct {
	// Request is what was asked last; Answered says that a turn has ended since with words of the assistant.
	Request  string
	Answered bool
	// Earlier are the requests before.
	Earlier []string
	// Done are the beginnings of what the assistant said at the ends of turns.
	Done []string
	// Files were changed, those changed most often first, as the tools named them.
	Files []string
	// Failed are the commands and changes that failed when they were last tried, with how the error begins.
	Failed []string
	// Plan is the list of things to do as it was last stated, in its order.
	Plan []string
	// Decisions are what was saved as a fact, and the sentences that speak of a choice.
	Decisions []string
}

// Bounds of a Digest: lengths in UTF-16 units.
const (
	maxRequest     = 400
	maxDigestLine  = 200
	maxEarlier     = 3
	maxDone        = 4
	maxDigestFiles = 12
	maxFailures    = 4
	maxDecisions   = 6
)

// DigestOf returns the digest of one session's events, oldest first. What a subagent was asked and said is none of its lines;
// what it changed is.
func DigestOf(events []activity.Event) Digest {
	var d Digest
	var prompts, failed, decisions []string
	edits := map[string]int{}
	reasons := map[string]string{}
	for _, e := range events {
		main := e.Agent == "" || e.Agent == mainName
		if len(e.Data.Plan) > 0 {
			d.Plan = e.Data.Plan
		}
		switch {
		case e.Kind == activity.PromptSubmitted && main:
			text := e.Data.Prompt
			if text == "" {
				text = e.Label
			}
			if request := request(text); request != "" {
				prompts = append(prompts, request)
				decisions = append(decisions, choices(text)...)
				d.Answered = false
			}
		case e.Kind == activity.Stopped && main:
			if said := short(firstLine(e.Data.Outcome)); said != "" {
				d.Done = append(d.Done, said)
				decisions = append(decisions, choices(e.Data.Outcome)...)
				d.Answered = true
			}
		case e.Kind == activity.ToolUsed:
			name, subject, _ := strings.Cut(e.Label, " ")
			name = bareName(name)
			does := toolOf(name).does
			if name == "sp_remember" && !e.Data.Failed && subject != "" {
				decisions = append(decisions, short(subject))
			}
			if does == readsFile || does == searches {
				continue
			}
			what := short(name + " " + subject)
			failed = slices.DeleteFunc(failed, func(s string) bool { return s == what })
			if e.Data.Failed {
				failed = append(failed, what)
				reasons[what] = activity.Reason(e.Data.Error)
			} else if does == editsFile || does == patches {
				for _, f := range e.Data.Files {
					edits[f]++
				}
			}
		}
	}
	if n := len(prompts); n > 0 {
		d.Request = prompts[n-1]
		d.Earlier = latest(prompts[:n-1], maxEarlier)
		d.Earlier = slices.DeleteFunc(d.Earlier, func(s string) bool { return s == d.Request })
	}
	d.Done = latest(d.Done, maxDone)
	d.Decisions = latest(decisions, maxDecisions)
	for _, what := range latest(failed, maxFailures) {
		if reasons[what] != "" {
			what += ": " + reasons[what]
		}
		d.Failed = append(d.Failed, short(what))
	}
	for f := range edits {
		d.Files = append(d.Files, f)
	}
	slices.SortFunc(d.Files, func(a, b string) int {
		if edits[a] != edits[b] {
			return edits[b] - edits[a]
		}
		return strings.Compare(a, b)
	})
	d.Files = d.Files[:min(len(d.Files), maxDigestFiles)]
	return d
}

// request is a prompt in a line; one that only tells the host to forget asks for nothing.
func request(text string) string {
	text = line(text, 4*maxRequest)
	for _, command := range []string{"/compact", "/clear"} {
		if text == command || strings.HasPrefix(text, command+" ") {
			return ""
		}
	}
	return shorten(text, maxRequest)
}

func short(s string) string { return shorten(line(s, 4*maxDigestLine), maxDigestLine) }

// latest returns the last n different texts, the last first.
func latest(texts []string, n int) []string {
	var out []string
	for _, s := range slices.Backward(texts) {
		if len(out) < n && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// choices returns the sentences of a text that speak of a choice. A question does not make one.
func choices(text string) []string {
	var found []string
	for row := range strings.Lines(cut(text, maxOutcome)) {
		for _, sentence := range sentences(row) {
			if !strings.HasSuffix(sentence, "?") && speaksOfChoice(sentence) {
				found = append(found, short(sentence))
			}
		}
	}
	return found
}

// sentences splits a line after each stop with a space and no small letter behind it, without the marks of a list before it.
func sentences(row string) []string {
	row = strings.TrimLeft(strings.TrimSpace(row), "#>*-+• ")
	var out []string
	start := 0
	for i := 0; i+2 < len(row); i++ {
		if strings.IndexByte(".!?", row[i]) >= 0 && row[i+1] == ' ' && (row[i+2] < 'a' || row[i+2] > 'z') {
			out = append(out, strings.TrimSpace(row[start:i+1]))
			start = i + 1
		}
	}
	return append(out, strings.TrimSpace(row[start:]))
}

func speaksOfChoice(sentence string) bool {
	words := strings.FieldsFunc(strings.ToLower(sentence), func(r rune) bool { return r < 0x80 && (r < 'a' || r > 'z') })
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch {
		case strings.HasPrefix(w, "decid"), strings.HasPrefix(w, "decision"), strings.HasPrefix(w, "prefer"),
			w == "chose", w == "chosen", w == "choose", w == "choosing", w == "adopt", w == "adopted", w == "adopting", w == "rejected",
			(w == "switch" || w == "switched" || w == "switching") && next == "to",
			(w == "instead" || w == "rather") && (next == "of" || next == "than"),
			w == "go" && next == "with", w == "going" && next == "with":
			return true
		}
	}
	return false
}
