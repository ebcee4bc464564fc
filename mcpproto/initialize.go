package mcpproto

import (
	"context"
	"encoding/json"
)

type wireInfo struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version"`
}

type wireCapabilities struct {
	Tools struct{} `json:"tools"`
}

type wireInitialize struct {
	Version      string           `json:"protocolVersion"`
	Capabilities wireCapabilities `json:"capabilities"`
	Server       wireInfo         `json:"serverInfo"`
	Instructions string           `json:"instructions,omitempty"`
}

// initialize settles the revision and remembers the client. It may come again:
// the last one holds.
func initialize(_ context.Context, h *Handler, r *request, _ func([]byte)) (json.RawMessage, *Error) {
	s := &session{
		revision: negotiate(decodeString(r.params.version)),
		client:   parseInfo(r.params.client),
		opened:   true,
	}
	h.session.Store(s)

	w := wireInitialize{Version: s.revision.name, Server: wireInfo(h.info), Instructions: h.opts.Instructions}
	if !s.revision.titles {
		w.Server.Title = ""
	}
	return mustEncode(w), nil
}

// parseInfo takes what it can: a client is not turned away for its own name.
func parseInfo(raw json.RawMessage) Info {
	var i Info
	if len(raw) == 0 || raw[0] != '{' {
		return i
	}
	for key, value := range members(raw) {
		switch key {
		case "name":
			i.Name = decodeString(value)
		case "title":
			i.Title = decodeString(value)
		case "version":
			i.Version = decodeString(value)
		}
	}
	return i
}

func ping(context.Context, *Handler, *request, func([]byte)) (json.RawMessage, *Error) {
	return json.RawMessage("{}"), nil
}
