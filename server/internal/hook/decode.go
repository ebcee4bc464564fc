package hook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// MaxPayload is how many bytes of stdin Decode reads; the answer of a tool stands in it whole.
const MaxPayload = 64 << 20

// Decode reads what a host wrote to a hook's stdin. Arg is the event as the command line names it, which counts when stdin
// does not say; nothing at all on stdin is an event without fields. The error says why it is no event of Names: more than
// MaxPayload, not a JSON object, nested deeper than 10,000, or a name that it is none of.
func Decode(stdin []byte, arg string) (Payload, error) {
	if len(stdin) > MaxPayload {
		return Payload{}, fmt.Errorf("the hook's input has %d bytes, over %d", len(stdin), MaxPayload)
	}
	var in object
	stdin = bytes.TrimPrefix(stdin, []byte("\uFEFF"))
	if len(bytes.TrimSpace(stdin)) > 0 {
		if err := json.Unmarshal(stdin, &in); err != nil {
			return Payload{}, fmt.Errorf("the hook's input is not one JSON object: %w", err)
		}
	}
	name := in.text("hook_event_name")
	if name == "" {
		name = arg
	}
	e, ok := lookUp(name)
	if !ok {
		return Payload{}, fmt.Errorf("no hook event %q; the events are %s", clip(name, maxAgent), strings.Join(Names(), ", "))
	}
	return Payload{
		Event:          e.name,
		SessionID:      in.text("session_id"),
		TranscriptPath: in.text("transcript_path"),
		Dir:            in.text("cwd"),
		Agent:          in.text("agent_id"),
		AgentType:      in.text("agent_type"),
		Source:         in.text("source"),
		Model:          in.text("model"),
		Prompt:         in.text("prompt"),
		Trigger:        in.text("trigger"),
		Instructions:   in.text("custom_instructions"),
		Reason:         in.text("reason"),
		LastMessage:    in.text("last_assistant_message"),
		Tool:           in.text("tool_name"),
		Input:          in["tool_input"],
		Response:       in["tool_response"],
		Error:          in.text("error"),
		Interrupted:    string(in["is_interrupt"]) == "true",
	}, nil
}

// object is a JSON object of which each field is looked at alone, so that one of an odd type spoils no other.
type object map[string]json.RawMessage

// objectOf returns the fields of an object; of anything else none.
func objectOf(raw json.RawMessage) object {
	var o object
	if json.Unmarshal(raw, &o) != nil {
		return nil
	}
	return o
}

func (o object) text(key string) string { return textOf(o[key]) }

// textOf returns a JSON string's text; of anything else none.
func textOf(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// listOf returns the elements of an array; of anything else none.
func listOf(raw json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}
