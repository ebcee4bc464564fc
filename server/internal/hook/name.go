package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// mainName is what a session or an agent is called that nobody named.
const mainName = "main"

// Bounds of names, in characters of SessionName and in UTF-16 units of AgentName.
const (
	maxSession = 100
	maxAgent   = 100
)

// Session returns the name of the session that a payload or a transcript is of: its id, else what the host's environment
// says, else "main". A nil getenv is an empty environment.
func Session(id string, getenv func(string) string) string {
	if getenv != nil {
		for _, key := range []string{"CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID"} {
			if id == "" {
				id = getenv(key)
			}
		}
	}
	return SessionName(id)
}

// SessionName makes a session's id the name of a file on any system: 1 to 100 of A-Z, a-z, 0-9, dot, underscore and dash, no
// dot at the start or the end, no device of Windows. An id that is such a name is its own; any other keeps what it can and
// ends in 64 bits of its hash, so that two ids do not share a file. No id at all is "main".
func SessionName(id string) string {
	if id == "" {
		return mainName
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			return r
		}
		return '-'
	}, id)
	name = strings.Trim(name, ".")
	if name == id && len(name) <= maxSession && !isDevice(name) {
		return name
	}
	sum := sha256.Sum256([]byte(id))
	tail := "-" + hex.EncodeToString(sum[:8])
	name = strings.Trim(name[:min(len(name), maxSession-len(tail))], "-.")
	if name == "" || isDevice(name) {
		name = "session"
	}
	return name + tail
}

// isDevice reports whether Windows takes a file of that name, with whatever extension, for a device.
func isDevice(name string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), ".")
	switch name {
	case "con", "prn", "aux", "nul":
		return true
	}
	port := strings.HasPrefix(name, "com") || strings.HasPrefix(name, "lpt")
	return port && len(name) == 4 && name[3] >= '0' && name[3] <= '9'
}

// AgentName is what events call the agent of that id: "main" for none, else the id in one line of at most 100 UTF-16 units.
func AgentName(id string) string {
	if name := line(id, maxAgent); name != "" {
		return name
	}
	return mainName
}
