package activity

import (
	"regexp"
	"strings"
	"sync"
)

// Reason returns the line of an error's text that says most of what went wrong:
// the first that speaks of a failure, else the first; that a program ended with
// some code is said of every failure.
func Reason(text string) string {
	const looked = 40 // lines
	first := ""
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if n++; n > looked {
			break
		}
		if exitCode().MatchString(line) {
			continue
		}
		if failing().MatchString(line) {
			return line
		}
		if first == "" {
			first = line
		}
	}
	if first == "" {
		first = firstLine(text)
	}
	return first
}

var exitCode = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:error: )?(?:command failed|process exited|exit(?:ed)?)(?: with)?(?: exit)?(?: code| status)?:? *\d+\.?$`)
})

// errorCode is a name that a program gives an error.
var errorCode = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bE[A-Z]{4,}\b|\b[A-Z][A-Z0-9]*_[A-Z0-9_]{3,}\b`)
})

// isErrorCode reports whether a tag is an error code.
func isErrorCode(tag string) bool { return errorCode().FindString(tag) == tag && tag != "" }

// failing is how errors speak: their words, or a code such as EADDRINUSE or
// ERR_PG_42P01.
var failing = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i:error|fail|cannot|can't|could not|denied|not found|no such|refused|panic|exception|undefined|unexpected|timed? ?out|fatal|invalid)|\bE[A-Z]{4,}\b|\b[A-Z]+_[A-Z0-9_]{3,}\b`)
})
