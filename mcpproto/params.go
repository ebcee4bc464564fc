package mcpproto

import "encoding/json"

// params is what the methods here read of a request's params: the last value of
// each name, nil when it is absent.
type params struct {
	meta                     json.RawMessage // an object, or nil
	name, arguments          json.RawMessage // tools/call
	cursor                   json.RawMessage // tools/list
	version, client          json.RawMessage // initialize
	notifications, requestID json.RawMessage // subscriptions/listen; notifications/cancelled
}

func readParams(obj json.RawMessage) params {
	var p params
	for key, value := range members(obj) {
		switch key {
		case "_meta":
			p.meta = value
		case "name":
			p.name = value
		case "arguments":
			p.arguments = value
		case "cursor":
			p.cursor = value
		case "protocolVersion":
			p.version = value
		case "clientInfo":
			p.client = value
		case "notifications":
			p.notifications = value
		case "requestId":
			p.requestID = value
		}
	}
	if len(p.meta) > 0 && p.meta[0] != '{' {
		p.meta = nil
	}
	return p
}

// The names of _meta that the protocol itself gives a meaning.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaClient       = "io.modelcontextprotocol/clientInfo"
)

// metadata is what a request says of itself in _meta; nil members were absent.
type metadata struct {
	version, capabilities, client json.RawMessage
	token                         json.RawMessage // of progress: a string or a whole number
}

// readMeta skips what it does not know, such as the keys of a trace.
func readMeta(obj json.RawMessage) metadata {
	var d metadata
	if obj == nil {
		return d
	}
	for key, value := range members(obj) {
		switch key {
		case metaVersion:
			d.version = value
		case metaCapabilities:
			d.capabilities = value
		case metaClient:
			d.client = value
		case "progressToken":
			if isID(value) {
				d.token = value
			}
		}
	}
	return d
}
