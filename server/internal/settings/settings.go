// Package settings holds every setting of a project, its default and where it is set: settings.json in the state folder,
// or a variable of the environment, which wins.
package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/server/internal/state"
)

// File is the name of the settings file in the state folder.
const File = "settings.json"

// Settings are the knobs of a project.
type Settings struct {
	// MaxResultTokens is the most tokens of one answer that is not source text: 200 or more, 4,000 by default.
	// Variable: SLIPSTREAM_MAX_RESULT_TOKENS.
	MaxResultTokens int `json:"maxResultTokens"`
	// Capture says whether sessions are captured: "on" (the default), "off", or "opt-in", which is off unless the file of the
	// project itself says "on". Variable: SLIPSTREAM_CAPTURE.
	Capture string `json:"capture"`
	// CaptureIgnore are globs of files, relative to the root, whose reading and editing is not captured: * and ? within a
	// folder, ** across folders, a name alone in every folder.
	CaptureIgnore []string `json:"captureIgnore"`
	// Off says why sessions are not captured; "" when they are.
	Off string `json:"-"`
	// ContextTokens is the most tokens a session is given at its start: 0 to 1,200, which is the default.
	// Variable: SLIPSTREAM_CONTEXT_TOKENS.
	ContextTokens int `json:"contextTokens"`
}

// Defaults returns the settings nobody has changed.
func Defaults() Settings {
	return Settings{MaxResultTokens: 4000, Capture: CaptureOn, ContextTokens: MaxContextTokens}
}

// The ways sessions are captured.
const (
	CaptureOn    = "on"
	CaptureOff   = "off"
	CaptureOptIn = "opt-in"
)

// MaxContextTokens is the most a session may be given at its start.
const MaxContextTokens = 1200

// MinResultTokens is the smallest budget in which a map has a shape.
const MinResultTokens = 200

// Captures reports whether the project's sessions are captured.
func (s Settings) Captures() bool { return s.Capture == CaptureOn }

// Load returns the settings of a state folder. The settings are usable in any case; an error says what in them was
// not, with the file or the variable.
func Load(at state.Location, getenv func(string) string) (Settings, error) {
	s := Defaults()
	var errs []error
	path := state.Folder + "/" + File
	text, err := at.ReadFile(File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		// What was meant to be off must not be on because the file cannot be read.
		s.Capture = CaptureOff
		errs = append(errs, err)
	default:
		if err := json.Unmarshal(text, &s); err != nil {
			// What was meant to be off must not be on because of a comma elsewhere.
			s = Defaults()
			s.Capture = CaptureOff
			errs = append(errs, fmt.Errorf("%s: %w", path, err))
		}
		for _, err := range s.check() {
			errs = append(errs, fmt.Errorf("%s: %w", path, err))
		}
	}
	if v := getenv("SLIPSTREAM_MAX_RESULT_TOKENS"); v != "" {
		if n, err := strconv.Atoi(v); err != nil || n < MinResultTokens {
			errs = append(errs, fmt.Errorf("SLIPSTREAM_MAX_RESULT_TOKENS: %q is not a whole number of %d or more", v, MinResultTokens))
		} else {
			s.MaxResultTokens = n
		}
	}
	if v := getenv("SLIPSTREAM_CONTEXT_TOKENS"); v != "" {
		if n, err := strconv.Atoi(v); err != nil || n < 0 || n > MaxContextTokens {
			errs = append(errs, fmt.Errorf("SLIPSTREAM_CONTEXT_TOKENS: %q is not a whole number from 0 to %d", v, MaxContextTokens))
		} else {
			s.ContextTokens = n
		}
	}
	switch v := getenv("SLIPSTREAM_CAPTURE"); v {
	case "", CaptureOn:
	case CaptureOff:
		s.Capture, s.Off = CaptureOff, "SLIPSTREAM_CAPTURE says so"
	case CaptureOptIn:
		var own struct{ Capture string }
		if json.Unmarshal(text, &own) != nil || own.Capture != CaptureOn {
			s.Capture, s.Off = CaptureOff, "SLIPSTREAM_CAPTURE asks for opt-in, and "+path+` does not say "capture": "on"`
		}
	default:
		s.Capture = CaptureOff
		errs = append(errs, fmt.Errorf("SLIPSTREAM_CAPTURE: %q is none of on, off, opt-in; nothing is captured", v))
	}
	if !s.Captures() && s.Off == "" {
		s.Off = path + " says so"
	}
	return s, errors.Join(errs...)
}

// check puts what is out of bounds right and says so.
func (s *Settings) check() (errs []error) {
	if s.MaxResultTokens < MinResultTokens {
		errs = append(errs, fmt.Errorf("maxResultTokens: %d is less than %d", s.MaxResultTokens, MinResultTokens))
		s.MaxResultTokens = Defaults().MaxResultTokens
	}
	if s.ContextTokens < 0 || s.ContextTokens > MaxContextTokens {
		errs = append(errs, fmt.Errorf("contextTokens: %d is not from 0 to %d", s.ContextTokens, MaxContextTokens))
		s.ContextTokens = Defaults().ContextTokens
	}
	switch s.Capture {
	case CaptureOn, CaptureOff:
	case CaptureOptIn: // nobody opted in
		s.Capture = CaptureOff
	default:
		errs = append(errs, fmt.Errorf("capture: %q is none of on, off, opt-in; nothing is captured", s.Capture))
		s.Capture = CaptureOff
	}
	for _, glob := range s.CaptureIgnore {
		if _, err := compile(glob); err != nil {
			errs = append(errs, fmt.Errorf("captureIgnore: %w", err))
		}
	}
	return errs
}

// Ignores reports whether a file, relative to the root with forward slashes, is one whose use is not captured.
func (s Settings) Ignores(file string) bool {
	for _, glob := range s.CaptureIgnore {
		if re, err := compile(glob); err == nil && re.MatchString(file) {
			return true
		}
	}
	return false
}

// compile turns a glob into a regular expression over whole paths.
func compile(glob string) (*regexp.Regexp, error) {
	var b strings.Builder
	b.WriteString("^")
	rest := strings.TrimPrefix(glob, "/")
	if !strings.Contains(strings.TrimSuffix(rest, "/"), "/") && rest == glob {
		b.WriteString("(?:.*/)?")
	}
	for rest != "" {
		switch {
		case strings.HasPrefix(rest, "**/"):
			b.WriteString("(?:.*/)?")
			rest = rest[3:]
		case strings.HasPrefix(rest, "**"):
			b.WriteString(".*")
			rest = rest[2:]
		case rest == "/":
			rest = ""
		case rest[0] == '*':
			b.WriteString("[^/]*")
			rest = rest[1:]
		case rest[0] == '?':
			b.WriteString("[^/]")
			rest = rest[1:]
		default:
			_, n := utf8.DecodeRuneInString(rest)
			b.WriteString(regexp.QuoteMeta(rest[:n]))
			rest = rest[n:]
		}
	}
	b.WriteString("(?:/.*)?$") // what a folder's name hides, it hides with all in it
	if glob == "" || glob == "/" {
		return nil, fmt.Errorf("%q names no file", glob)
	}
	return regexp.Compile(b.String())
}
