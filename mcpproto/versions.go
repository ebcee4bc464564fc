package mcpproto

// A revision is one edition of the protocol and what it changed for a server
// that only has tools.
type revision struct {
	name        string
	batches     bool // a line may hold an array of messages
	annotations bool // tools have annotations, progress has a message
	titles      bool // title, _meta on tools, structured content
}

// revisions lists what initialize can settle on, oldest first.
var revisions = [...]revision{
	{name: "2024-11-05"},
	{name: "2025-03-26", annotations: true, batches: true},
	{name: "2025-06-18", annotations: true, titles: true},
	{name: "2025-11-25", annotations: true, titles: true},
}

// latest is what a client gets that asks for a revision we do not speak, or for
// none, and what holds before initialize.
func latest() revision { return revisions[len(revisions)-1] }

// negotiate returns the revision asked for, else the latest.
func negotiate(asked string) revision {
	for _, r := range revisions {
		if r.name == asked {
			return r
		}
	}
	return latest()
}
