package mcpproto

import (
	"encoding/json"
	"math"
	"sync"
)

type wireProgress struct {
	Version string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  struct {
		Token    json.RawMessage `json:"progressToken"`
		Progress float64         `json:"progress"`
		Total    float64         `json:"total,omitempty"`
		Message  string          `json:"message,omitempty"`
	} `json:"params"`
}

// progress sends one call's notifications.
type progress struct {
	token  json.RawMessage // nil: the client did not ask
	notify func([]byte)
	terse  bool // the revision has no message
	silent func() bool

	mu    sync.Mutex // held while sending, so that what leaves is in order
	last  float64
	ended bool
}

func (p *progress) send(done, total float64, message string) {
	if p.token == nil || p.notify == nil || math.IsNaN(done) || math.IsInf(done, 0) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended || done <= p.last || p.silent() {
		return
	}
	p.last = done
	w := wireProgress{Version: "2.0", Method: "notifications/progress"}
	w.Params.Token, w.Params.Progress = p.token, done
	if total > 0 && !math.IsInf(total, 0) {
		w.Params.Total = total
	}
	if !p.terse {
		w.Params.Message = message
	}
	p.notify(mustEncode(w))
}

// end makes everything after it silent, and waits for what is being sent.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
}
