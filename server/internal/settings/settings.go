// Package settings holds every setting of a project, its default and where it is set: settings.json in the state folder,
// or a variable of the environment, which wins.
package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"github.com/slipstream-mcp/slipstream/server/internal/state"
)

// File is the name of the settings file in the state folder.
const File = "settings.json"

// Settings are the knobs of a project.
type Settings struct {
	// MaxResultTokens is the most tokens of one answer that is not source text: 200 or more, 4,000 by default.
	// Variable: SLIPSTREAM_MAX_RESULT_TOKENS.
	MaxResultTokens int `json:"maxResultTokens"`
}

// Defaults returns the settings nobody has changed.
func Defaults() Settings { return Settings{MaxResultTokens: 4000} }

// MinResultTokens is the smallest budget in which a map has a shape.
const MinResultTokens = 200

// Load returns the settings of a state folder. The settings are usable in any case; an error says what in them was
// not, with the file or the variable.
func Load(at state.Location, getenv func(string) string) (Settings, error) {
	s := Defaults()
	path := state.Folder + "/" + File
	text, err := at.ReadFile(File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	case err == nil:
		if err = json.Unmarshal(text, &s); err != nil {
			s = Defaults()
			err = fmt.Errorf("%s: %w", path, err)
		} else if s.MaxResultTokens < MinResultTokens {
			err = fmt.Errorf("%s: maxResultTokens: %d is less than %d", path, s.MaxResultTokens, MinResultTokens)
			s.MaxResultTokens = Defaults().MaxResultTokens
		}
	}
	if v := getenv("SLIPSTREAM_MAX_RESULT_TOKENS"); v != "" {
		n, bad := strconv.Atoi(v)
		if bad != nil || n < MinResultTokens {
			return s, errors.Join(err, fmt.Errorf("SLIPSTREAM_MAX_RESULT_TOKENS: %q is not a whole number of %d or more", v, MinResultTokens))
		}
		s.MaxResultTokens = n
	}
	return s, err
}
