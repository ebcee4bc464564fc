package mcpproto

import (
	"bytes"
	"context"
	"encoding/json"
	"unicode/utf8"
)

// A Class tells a transport when it may answer a message.
type Class int

const (
	// Immediate messages are answered in order, as soon as they are read.
	Immediate Class = iota
	// Shared messages hold calls of read-only tools alone; they may run beside
	// each other.
	Shared
	// Exclusive messages hold a call of another tool: it starts after every
	// earlier call has ended, and ends before any later one starts.
	Exclusive
	// Standing messages open a subscription. Its acknowledgement leaves through
	// notify at once; the answer is what ends it, to be sent when the transport
	// stops reading, and not at all once the client cancels it.
	Standing
)

// A Message is one parsed line. Parse it once, then Answer it once.
type Message struct {
	handler *Handler
	batch   bool
	parts   []*request
}

// request is one JSON-RPC message. A notification has no id.
type request struct {
	session *session
	id      json.RawMessage
	method  string
	params  params
	fail    *Error // what is wrong with it; it goes no further
	call    *call  // for tools/call
}

// maxBatch bounds the answer to a line of very many tiny messages.
const maxBatch = 1000

// Parse reads one message. A byte order mark and white space around it are
// skipped, invalid UTF-8 is replaced. It never fails: a message that is wrong
// parses into one whose answer says so. The Message keeps msg; do not change it
// afterwards.
func (h *Handler) Parse(msg []byte) *Message {
	m := &Message{handler: h}
	msg = trim(bytes.TrimPrefix(trim(msg), []byte("\uFEFF")))
	if len(msg) == 0 {
		return m
	}
	if !utf8.Valid(msg) {
		msg = bytes.ToValidUTF8(msg, []byte("\uFFFD"))
	}
	s := h.session.Load()
	switch {
	case !json.Valid(msg):
		m.refuse(errorf(CodeParseError, "message is not valid JSON"))
	case msg[0] != '[':
		m.parts = []*request{h.parse(msg, s)}
	case !s.opened || !s.revision.batches:
		m.refuse(errorf(CodeInvalidRequest, "batches are not part of this protocol revision"))
	default:
		m.parseBatch(msg, s)
	}
	return m
}

func (m *Message) refuse(e *Error) { m.parts = []*request{{fail: e}} }

func (m *Message) parseBatch(msg []byte, s *session) {
	for raw := range elements(msg) {
		if len(m.parts) == maxBatch {
			m.refuse(errorf(CodeInvalidRequest, "batch has more than %d messages", maxBatch))
			return
		}
		r := m.handler.parse(raw, s)
		if r.id != nil && r.fail == nil && (r.method == "initialize" || r.session.revision.stateless) {
			r.call, r.fail = nil, errorf(CodeInvalidRequest, "%s cannot be part of a batch", r.method)
		}
		m.parts = append(m.parts, r)
	}
	if len(m.parts) == 0 {
		m.refuse(errorf(CodeInvalidRequest, "batch is empty"))
		return
	}
	m.batch = true
}

// parse reads one request, notification or stray answer.
func (h *Handler) parse(raw json.RawMessage, s *session) *request {
	r := &request{session: s}
	if raw[0] != '{' {
		r.fail = errorf(CodeInvalidRequest, "message is not an object")
		return r
	}
	e := readEnvelope(raw)
	if e.reply && e.method == nil && e.misspelt == "" {
		return r
	}
	if isID(e.id) {
		r.id = e.id
	}
	if r.fail = e.problem(); r.fail != nil {
		return r
	}
	r.method = decodeString(e.method)
	fits := e.params == nil || isNull(e.params)
	if e.params != nil && e.params[0] == '{' {
		r.params, fits = readParams(e.params), true
	}
	m := methods[r.method]
	switch {
	case r.id == nil: // a notification has nobody to complain to
		return r
	case m.run == nil:
		r.fail = errorf(CodeMethodNotFound, "unknown method %s", quote(r.method))
		return r
	case !fits:
		r.fail = errorf(CodeInvalidParams, "params is not an object")
		return r
	}
	meta := readMeta(r.params.meta)
	r.fail = r.settle(m, meta)
	switch {
	case r.fail != nil:
	case r.method == "tools/call":
		r.call, r.fail = h.parseCall(r.params, meta.token)
	case r.method == "subscriptions/listen":
		r.fail = checkFilter(r.params.notifications)
	}
	return r
}

// Class tells when the message may be answered.
func (m *Message) Class() Class {
	class := Immediate
	for _, r := range m.parts {
		if r.stands() {
			return Standing
		}
		if r.call == nil {
			continue
		}
		if r.call.tool.Annotations.ReadOnly {
			class = max(class, Shared)
		} else {
			class = max(class, Exclusive)
		}
	}
	return class
}

// stands reports whether the request opens a subscription, which is never part
// of a batch.
func (r *request) stands() bool {
	return r.fail == nil && r.id != nil && r.method == "subscriptions/listen"
}

// IDs returns the ids of what a client can cancel in the message: its calls, or
// the subscription.
// They are JSON spellings, made comparable: two ids are equal when these are.
func (m *Message) IDs() []string {
	var ids []string
	for _, r := range m.parts {
		if r.call != nil || r.stands() {
			ids = append(ids, idKey(r.id))
		}
	}
	return ids
}

// Cancels returns the ids that the message asks to cancel, spelled as by IDs.
// A malformed cancellation names none.
func (m *Message) Cancels() []string {
	var ids []string
	for _, r := range m.parts {
		if r.fail != nil || r.id != nil || r.method != "notifications/cancelled" {
			continue
		}
		if id := r.params.requestID; isID(id) {
			ids = append(ids, idKey(id))
		}
	}
	return ids
}

// Cancel ends the calls of the message that have this id, as spelled by IDs: a
// running one has its context cancelled, a waiting one does not start, and
// neither sends anything more. It is safe to call at any time.
func (m *Message) Cancel(id string) {
	for _, r := range m.parts {
		if r.call != nil && idKey(r.id) == id {
			r.call.stop()
		}
	}
}

// idKey spells equal ids alike: a string may be escaped in many ways.
func idKey(id json.RawMessage) string {
	if isString(id) && bytes.IndexByte(id, '\\') >= 0 {
		return string(mustEncode(decodeString(id)))
	}
	return string(id)
}

// Answer runs the message and returns its answer, or nil when there is none.
// The parts of a batch run one after another.
func (m *Message) Answer(ctx context.Context, notify func([]byte)) []byte {
	if !m.batch {
		for _, r := range m.parts {
			return m.handler.answer(ctx, r, notify)
		}
		return nil
	}
	var b []byte
	for _, r := range m.parts {
		if one := m.handler.answer(ctx, r, notify); one != nil {
			b = append(append(b, ','), one...)
		}
	}
	if b == nil {
		return nil
	}
	b[0] = '['
	return append(b, ']')
}
