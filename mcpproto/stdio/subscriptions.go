package stdio

import (
	"slices"

	"github.com/slipstream-mcp/slipstream/mcpproto"
)

// mostSubscriptions bounds what a client can make us remember.
const mostSubscriptions = 64

// subscriptions are the open ones, oldest first. One goroutine uses them.
type subscriptions struct {
	write func([]byte)
	open  []subscription
}

type subscription struct {
	id     string
	ending []byte
}

// add takes a subscription and what ends it. One too many ends the oldest.
func (s *subscriptions) add(m *mcpproto.Message, ending []byte) {
	for _, id := range m.IDs() {
		s.open = append(s.open, subscription{id, ending})
	}
	if len(s.open) > mostSubscriptions {
		s.write(s.open[0].ending)
		s.open = slices.Delete(s.open, 0, 1)
	}
}

// cancel forgets a subscription: the client wants to hear no more of it.
func (s *subscriptions) cancel(id string) {
	s.open = slices.DeleteFunc(s.open, func(o subscription) bool { return o.id == id })
}

// end tells the client that there is nothing more to come.
func (s *subscriptions) end() {
	for _, o := range s.open {
		s.write(o.ending)
	}
	s.open = nil
}
