package memstore

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Facts within these limits are kept by every backend and read again.
const (
	// MaxBody is the length of a fact's body in bytes.
	MaxBody = 1 << 20
	// MaxDescription is the length of a description in characters.
	MaxDescription = 2000
	// MaxTags is the number of tags of a fact.
	MaxTags = 100
	// MaxTag is the length of a tag in characters.
	MaxTag = 200
)

const (
	// describesItself is the length in characters up to which a body is its own
	// description, whole.
	describesItself = 500
	// maxDerived is the length in characters of a description that is cut from
	// a longer body.
	maxDerived = 300
)

// checkSize refuses a fact beyond the limits, with the way out.
func checkSize(f Fact) error {
	if n := len(f.Body); n > MaxBody {
		return fmt.Errorf("fact: %d bytes are more than the limit of %d; keep it shorter, or name the file that holds the rest", n, MaxBody)
	}
	if n := utf8.RuneCountInString(f.Description); n > MaxDescription {
		return fmt.Errorf("description: %d characters are more than the limit of %d; describe the fact in a line", n, MaxDescription)
	}
	if n := len(f.Tags); n > MaxTags {
		return fmt.Errorf("tags: %d are more than the limit of %d; give fewer", n, MaxTags)
	}
	for i, t := range f.Tags {
		if n := utf8.RuneCountInString(t); n > MaxTag {
			return fmt.Errorf("tags: number %d has %d characters, more than the limit of %d; give a shorter one", i+1, n, MaxTag)
		}
	}
	return nil
}

// describe returns the description of a fact that was given none: a short body
// as it is, else its first line, and of a long line its first sentences or words.
func describe(body string) string {
	if utf8.RuneCountInString(body) <= describesItself {
		return body
	}
	line, _, _ := strings.Cut(body, "\n")
	line = strings.TrimSpace(line)
	if utf8.RuneCountInString(line) <= maxDerived {
		return line
	}
	line = string([]rune(line[:min(len(line), maxDerived*utf8.UTFMax)])[:maxDerived])
	if at := strings.LastIndex(line, ". "); at > 0 {
		return line[:at+1]
	}
	if at := strings.LastIndexByte(line, ' '); at > 0 {
		line = strings.TrimRight(line[:at], " ")
	}
	return line + "…"
}
