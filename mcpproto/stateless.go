package mcpproto

import (
	"context"
	"encoding/json"
)

// settle finds what a request is served under: what it says of itself in _meta,
// else what initialize settled before. Nothing of the former outlives the
// request, so both kinds of client may share a connection.
func (r *request) settle(m method, d metadata) *Error {
	says := d.version != nil || d.capabilities != nil || d.client != nil
	rev, known := stateless(decodeString(d.version))
	capable := len(d.capabilities) > 0 && d.capabilities[0] == '{'
	switch {
	case m.handshake && !says:
		return nil
	case r.method == "initialize" && !(known && capable):
		return nil // a client that falls back to it must not fail for what it wrote in _meta
	case !isString(d.version):
		return errorf(CodeInvalidParams, "%s needs _meta %q", r.method, metaVersion)
	case !known:
		return unsupported(decodeString(d.version))
	case !m.stateless:
		return errorf(CodeMethodNotFound, "revision %s has no method %s", rev.name, r.method)
	case !capable:
		return errorf(CodeInvalidParams, "%s needs _meta %q", r.method, metaCapabilities)
	}
	r.session = &session{revision: rev, client: parseInfo(d.client), opened: true}
	return nil
}

func unsupported(version string) *Error {
	e := errorf(CodeUnsupportedProtocolVersion, "unsupported protocol version %s", quote(version))
	e.Data = struct {
		Supported []string `json:"supported"`
		Requested string   `json:"requested"`
	}{supported(), version}
	return e
}

// wireComplete is what every result of a stateless revision carries beside its
// own members. A nil one, for the other revisions, leaves no trace.
type wireComplete struct {
	Type string `json:"resultType"`
	Meta struct {
		Server       wireInfo        `json:"io.modelcontextprotocol/serverInfo"`
		Subscription json.RawMessage `json:"io.modelcontextprotocol/subscriptionId,omitempty"`
	} `json:"_meta"`
}

func (h *Handler) complete(rev revision) *wireComplete {
	if !rev.stateless {
		return nil
	}
	w := &wireComplete{Type: "complete"}
	w.Meta.Server = wireInfo(h.info)
	return w
}

// wireCaching says how long a client may keep a result, and for whom.
type wireCaching struct {
	TTL   int    `json:"ttlMs"`
	Scope string `json:"cacheScope"`
}

// caching is five minutes, for one user: the tools depend on how the program was
// started, and they change when it is replaced.
func caching(rev revision) *wireCaching {
	if !rev.stateless {
		return nil
	}
	return &wireCaching{TTL: 300_000, Scope: "private"}
}

type wireDiscover struct {
	*wireComplete
	Supported    []string         `json:"supportedVersions"`
	Capabilities wireCapabilities `json:"capabilities"`
	Instructions string           `json:"instructions,omitempty"`
	*wireCaching
}

func discover(_ context.Context, h *Handler, r *request, _ func([]byte)) (json.RawMessage, *Error) {
	rev := r.session.revision
	return mustEncode(wireDiscover{
		wireComplete: h.complete(rev),
		Supported:    supported(),
		Instructions: h.opts.Instructions,
		wireCaching:  caching(rev),
	}), nil
}

type wireAcknowledged struct {
	Version string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  struct {
		Meta struct {
			Subscription json.RawMessage `json:"io.modelcontextprotocol/subscriptionId"`
		} `json:"_meta"`
		Notifications struct{} `json:"notifications"`
	} `json:"params"`
}

// checkFilter refuses what is no filter of notifications. One may be missing:
// there is nothing to filter.
func checkFilter(filter json.RawMessage) *Error {
	if filter != nil && filter[0] != '{' {
		return errorf(CodeInvalidParams, "notifications of subscriptions/listen is not an object")
	}
	return nil
}

// listen acknowledges a subscription to nothing, since nothing here changes. The
// result is what ends it; see [Standing].
func listen(_ context.Context, h *Handler, r *request, notify func([]byte)) (json.RawMessage, *Error) {
	if notify != nil {
		w := wireAcknowledged{Version: "2.0", Method: "notifications/subscriptions/acknowledged"}
		w.Params.Meta.Subscription = r.id
		notify(mustEncode(w))
	}
	end := h.complete(r.session.revision)
	end.Meta.Subscription = r.id
	return mustEncode(end), nil
}
