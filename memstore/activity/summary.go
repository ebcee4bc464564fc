package activity

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Bounds of a summary in UTF-16 units. Rows of results show its first 70.
const (
	maxSummary = 160
	maxRequest = 80
	maxPhrase  = 60
)

// summary says the turn in one line, what was asked first.
func (w *work) summary(kind Kind) string {
	var parts []string
	if s := firstSentence(w.prompt); s != "" {
		parts = append(parts, shorten(s, maxRequest))
	}
	if s := firstSentence(w.outcome); s != "" {
		parts = append(parts, s)
	}
	if w.prompt == "" || w.outcome == "" {
		if s := w.done(kind); s != "" {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		parts = append(parts, string(kind))
	}
	return shorten(strings.Join(parts, " — "), maxSummary)
}

// done says what was done, the most telling first.
func (w *work) done(kind Kind) string {
	var edited, tried, ran, searched, read, missed, noted []string
	for _, a := range w.actions {
		if a.use == useEdit {
			if a.failed {
				tried = append(tried, a.files...)
			} else {
				edited = append(edited, a.files...)
			}
		}
		if a.use == useRead && a.failed {
			missed = append(missed, a.subject())
		}
		if a.use == useNote && a.what != "" {
			noted = append(noted, shorten(a.what, maxPhrase))
		}
	}
	tried = slices.DeleteFunc(tried, func(f string) bool { return slices.Contains(edited, f) })
	ran = w.ran(maxPhrase)
	for _, q := range w.searched() {
		searched = append(searched, `"`+strings.Trim(shorten(q, maxPhrase), `"`)+`"`)
	}
	read = w.read()
	missed = slices.DeleteFunc(missed, func(f string) bool { return slices.Contains(w.files(), f) })
	var phrases []string
	say := func(verb string, list []string) {
		if s := listed(list); s != "" {
			phrases = append(phrases, verb+" "+s)
		}
	}
	say("edited", edited)
	say("failed to edit", tried)
	say("ran", ran)
	switch kind {
	case Read:
		say("read", read)
		say("searched", searched)
	default:
		say("searched", searched)
		say("read", read)
	}
	say("failed to read", missed)
	say("noted", noted)
	if len(phrases) == 0 {
		names, _ := w.tools()
		say("used", names)
	}
	return strings.Join(phrases, "; ")
}

// listed names up to three of a list, each once, and how many more there are.
func listed(list []string) string {
	var once []string
	for _, s := range list {
		if !slices.Contains(once, s) {
			once = append(once, s)
		}
	}
	if n := len(once) - 3; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(once[:3], ", "), n)
	}
	return strings.Join(once, ", ")
}

// firstSentence returns the first sentence of a text that tells something,
// without Markdown; the first of all if none does.
func firstSentence(s string) string {
	var plain string
	fenced := false
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			fenced = !fenced
			continue
		}
		heading := strings.HasPrefix(line, "#") || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "**") && strings.HasSuffix(line, "**")
		line = withoutMarkdown(line)
		if fenced || !strings.ContainsFunc(line, unicode.IsLetter) {
			continue
		}
		for line != "" {
			var sentence string
			sentence, line = cutSentence(line)
			sentence = withoutFillers(sentence)
			if sentence == "" {
				continue
			}
			if plain == "" {
				plain = sentence
			}
			if heading || strings.HasSuffix(sentence, ":") && strings.Count(sentence, " ") < 8 {
				continue
			}
			return strings.TrimRight(sentence, " .:")
		}
	}
	if plain == "" {
		plain = collapse(withoutMarkdown(s))
	}
	return strings.TrimRight(plain, " .:")
}

// withoutMarkdown returns a line without marks of lists, quotes, headings,
// emphasis and code.
func withoutMarkdown(line string) string {
	line = strings.TrimLeft(line, "#>*-+• \t|")
	if i := strings.IndexFunc(line, func(r rune) bool { return r < '0' || r > '9' }); i > 0 && i < 4 && strings.HasPrefix(line[i:], ". ") {
		line = line[i+2:]
	}
	line = strings.NewReplacer("**", "", "__", "", "`", "", "✅", "", "🎉", "", "✓", "").Replace(line)
	return collapse(line)
}

// cutSentence cuts off the first sentence of a line.
func cutSentence(line string) (sentence, rest string) {
	for i, r := range line {
		switch r {
		case '。', '！', '？':
			n := i + len(string(r))
			return line[:n], strings.TrimSpace(line[n:])
		case '.', '!', '?':
			if i+1 >= len(line) || line[i+1] != ' ' || isAbbreviation(line[:i]) {
				continue
			}
			return line[:i+1], strings.TrimSpace(line[i+1:])
		}
	}
	return line, ""
}

// isAbbreviation reports whether a stop after s ends no sentence.
func isAbbreviation(s string) bool {
	s = strings.ToLower(s[strings.LastIndexAny(s, " (")+1:])
	switch s {
	case "e.g", "i.e", "etc", "vs", "cf", "approx", "no", "fig":
		return true
	}
	return len(s) == 1 && s[0] >= 'a' && s[0] <= 'z'
}

// withoutFillers returns a sentence without the words of politeness it begins
// with; nothing if there are no others.
func withoutFillers(sentence string) string {
	for {
		end := strings.IndexAny(sentence, ",.!:;—-")
		head := sentence
		if end >= 0 {
			head = sentence[:end]
		}
		if !isFiller(strings.ToLower(strings.TrimSpace(head))) {
			return sentence
		}
		if end < 0 {
			return ""
		}
		sentence = strings.TrimLeft(sentence[end:], " ,.!:;—-")
	}
}

func isFiller(s string) bool {
	switch s {
	case "", "done", "all done", "perfect", "great", "excellent", "awesome", "good", "nice", "ok", "okay", "sure", "yes", "no",
		"got it", "absolutely", "certainly", "of course", "right", "you're right", "you're absolutely right", "alright", "hi",
		"hello", "hey", "thanks", "thank you", "please", "cool", "wonderful", "fantastic", "success", "fixed", "well", "now",
		"great question", "good question", "great news", "good news", "understood", "summary", "tl;dr", "i see", "so":
		return true
	}
	return false
}

// firstLine returns the first line of s that is not blank.
func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}
