package mcpproto

// A revision is one edition of the protocol and what it changed for a server
// that only has tools.
type revision struct {
	name        string
	batches     bool // a line may hold an array of messages
	annotations bool // tools have annotations, progress has a message
	titles      bool // title, _meta on tools, structured content
	stateless   bool // no initialize: each request says what it speaks
}

// revisions lists what is spoken, oldest first.
var revisions = [...]revision{
	{name: "2024-11-05"},
	{name: "2025-03-26", annotations: true, batches: true},
	{name: "2025-06-18", annotations: true, titles: true},
	{name: "2025-11-25", annotations: true, titles: true},
	{name: "2026-07-28", annotations: true, titles: true, stateless: true},
}

// negotiate returns the revision that initialize asks for, else the latest that
// has an initialize: what a client gets that asks for none, or for one we do not
// speak, and what holds before initialize.
func negotiate(asked string) revision {
	var latest revision
	for _, r := range revisions {
		switch {
		case r.stateless:
		case r.name == asked:
			return r
		default:
			latest = r
		}
	}
	return latest
}

// stateless returns the revision of this name that needs no initialize.
func stateless(name string) (_ revision, ok bool) {
	for _, r := range revisions {
		if r.stateless && r.name == name {
			return r, true
		}
	}
	return revision{}, false
}

// supported lists all revisions by name, newest first.
func supported() []string {
	names := make([]string, 0, len(revisions))
	for i := range revisions {
		names = append(names, revisions[len(revisions)-1-i].name)
	}
	return names
}
