package hook

import (
	"bytes"
	"encoding/json"
	"strings"
)

// The lines around a context. By them the fold of events knows what was only brought back from memory.
const (
	contextBegin = "<slipstream-context>"
	contextEnd   = "</slipstream-context>"
)

// maxAdded is how many UTF-16 units of a string a host takes from a hook.
const maxAdded = 10_000

// Render returns what a SessionStart hook prints so that the model begins with the context: one line of JSON, or nothing for
// nothing. More than a host takes, 10,000 characters, is cut at the end of a line.
func Render(context string) []byte {
	context = strings.TrimSpace(context)
	if context == "" {
		return nil
	}
	if kept := clip(context, maxAdded); kept != context {
		kept = clip(kept, maxAdded-units("\n"+contextEnd))
		if i := strings.LastIndexByte(kept, '\n'); i > 0 {
			kept = kept[:i]
		}
		if strings.HasPrefix(kept, contextBegin) {
			kept += "\n" + contextEnd
		}
		context = kept
	}
	type specific struct {
		HookEventName     string `json:"hookEventName"`
		AdditionalContext string `json:"additionalContext"`
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	// Strings always encode, and a buffer takes everything.
	_ = enc.Encode(struct {
		Specific specific `json:"hookSpecificOutput"`
	}{specific{"SessionStart", context}})
	return out.Bytes()
}
