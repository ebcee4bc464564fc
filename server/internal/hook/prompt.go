package hook

import (
	"strings"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
)

func prompt(p Payload) Result {
	if e, ok := Prompt(p.Prompt); ok {
		return one(e)
	}
	return Result{}
}

// Prompt is the event of what a person asked, at most 32 KiB of it; its session, agent and time are the caller's. False says
// that nobody asked: the text is blank, or only tells that a task in the background has ended.
func Prompt(text string) (activity.Event, bool) {
	text = strings.TrimSpace(withoutNotifications(text))
	if text == "" {
		return activity.Event{}, false
	}
	return activity.Event{
		Kind:  activity.PromptSubmitted,
		Label: line(firstLine(text), maxFirstLine),
		Data:  activity.Data{Prompt: cut(text, maxPrompt)},
	}, true
}

// withoutNotifications drops the elements that a host puts into prompts when a task ends; one that is not closed only at the
// start, where no person wrote it.
func withoutNotifications(text string) string {
	const begin, end = "<task-notification>", "</task-notification>"
	if strings.HasPrefix(strings.TrimSpace(text), begin) && !strings.Contains(text, end) {
		return ""
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, begin)
		_, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before)
		text = after
	}
}
