package activity

import (
	"slices"
	"strings"
	"time"
)

// defaultGap is how long a session without prompts is quiet between two turns.
const defaultGap = 10 * time.Minute

// maxUses is how many tool uses a turn without a prompt holds.
const maxUses = 40

// FoldOptions say how events become observations; the zero value folds
// finished turns only and leaves paths and texts as they are.
type FoldOptions struct {
	// Root is the project's folder, absolute. Files in it become relative.
	Root string
	// Home is the user's home folder; wherever it stands it becomes ~.
	Home string
	// Redact masks secrets in everything that is kept; nil masks nothing.
	Redact func(string) string
	// Gap is how long a pause between two events ends a turn without a prompt:
	// 10 minutes if zero, never if negative.
	Gap time.Duration
	// Quiet, if positive, ends the last turn when its last event is at least so
	// long before Now.
	Quiet time.Duration
	Now   time.Time
	// Final ends the last turn: nothing more will come.
	Final bool
}

// Fold returns what the turns in the events of one session came to, oldest
// first, and the sequence number of the last event consumed, the cursor of the
// next call; -1 is that of the first. Events up to the cursor are passed over,
// so that events folded in any pieces give the same observations. Their ID is
// 0: the caller numbers them.
//
// A turn goes from a prompt to the end of the turn or to the next prompt; one
// without a prompt ends at a pause too, and after 40 tool uses. The last turn
// stays unconsumed while it is unfinished. A turn without a prompt in which
// nothing was done, or only what is remembered already was brought back, is
// consumed and gives nothing.
func Fold(events []Event, cursor int64, o FoldOptions) (found []Observation, next int64) {
	if o.Gap == 0 {
		o.Gap = defaultGap
	}
	if o.Redact == nil {
		o.Redact = func(s string) string { return s }
	}
	bySeq := func(a, b Event) int {
		switch {
		case a.Seq < b.Seq:
			return -1
		case a.Seq > b.Seq:
			return 1
		}
		return 0
	}
	if !slices.IsSortedFunc(events, bySeq) {
		events = slices.Clone(events)
		slices.SortStableFunc(events, bySeq)
	}
	next = cursor
	where := newPlaces(o.Root, o.Home)
	var t turn
	end := func() {
		if len(t.events) == 0 {
			return
		}
		if obs, ok := t.observe(o.Redact, where); ok {
			found = append(found, obs)
		}
		next = t.events[len(t.events)-1].Seq
		t = turn{}
	}
	for _, e := range events {
		if e.Seq <= cursor {
			continue
		}
		prompt := ""
		if e.Kind == PromptSubmitted {
			prompt = promptText(o.Redact(promptOf(e)))
		}
		if prompt != "" || t.paused(e, o.Gap) {
			end()
		}
		if prompt != "" {
			t.prompt = prompt
		}
		t.events = append(t.events, e)
		if e.Kind == ToolUsed {
			t.uses++
		}
		if e.Kind == Stopped && !isCompaction(e) || t.prompt == "" && t.uses == maxUses {
			end()
		}
	}
	if n := len(t.events); n > 0 {
		quiet := o.Quiet > 0 && !o.Now.IsZero() && !t.events[n-1].Time.After(o.Now.Add(-o.Quiet))
		if o.Final || quiet {
			end()
		}
	}
	return found, next
}

func promptOf(e Event) string {
	if e.Data.Prompt != "" {
		return e.Data.Prompt
	}
	return e.Label
}

// isCompaction reports whether a Stopped is how older programs said Compacted.
func isCompaction(e Event) bool {
	return e.Data.Outcome == "" && strings.Contains(strings.ToLower(e.Label), "compact")
}

// turn is what lies between two ends.
type turn struct {
	prompt string // cleaned, empty if there is none
	events []Event
	uses   int
}

// paused reports whether e comes so late that it belongs to another turn.
func (t *turn) paused(e Event, gap time.Duration) bool {
	if len(t.events) == 0 || t.prompt != "" || gap < 0 {
		return false
	}
	last := t.events[len(t.events)-1].Time
	return !last.IsZero() && !e.Time.IsZero() && e.Time.Sub(last) > gap
}

// maxFiles and maxTags bound the lists of an observation.
const (
	maxFiles = 50
	maxTags  = 16
)

// observe returns what the turn came to, if it is worth keeping.
func (t *turn) observe(redact func(string) string, where places) (Observation, bool) {
	w := gather(t.events, redact, where)
	w.prompt = where.hide(t.prompt)
	if w.prompt == "" && !w.telling {
		return Observation{}, false
	}
	first, last := t.events[0], t.events[len(t.events)-1]
	kind := w.kind()
	files := w.files()
	o := Observation{
		Session: first.Session,
		Time:    last.Time,
		Kind:    kind,
		Summary: w.summary(kind),
		Detail:  w.detail(),
		Files:   files[:min(len(files), maxFiles)],
		First:   first.Seq,
		Last:    last.Seq,
	}
	o.Tags = []string{string(kind)}
	tags := slices.Concat(w.codes(), frequentStems(files), w.toolTags())
	for _, tag := range tags {
		if len(o.Tags) < maxTags && !slices.Contains(o.Tags, tag) {
			o.Tags = append(o.Tags, tag)
		}
	}
	return o, true
}

// frequentStems returns the stems of the files in the project, those of most
// files first.
func frequentStems(files []string) []string {
	count := map[string]int{}
	var stems []string
	for _, f := range files {
		if outside(f) {
			continue
		}
		for _, s := range Stems(f) {
			if count[s]++; count[s] == 1 {
				stems = append(stems, s)
			}
		}
	}
	slices.SortStableFunc(stems, func(a, b string) int { return count[b] - count[a] })
	return stems
}
