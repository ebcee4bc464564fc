package testscripts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// render shows the answer to a tool call as a person reads it, newline-terminated; ok is false for a
// tool error and for a protocol error.
func render(answer []byte) (text string, ok bool, err error) {
	var msg struct {
		Result *struct {
			Content    []json.RawMessage `json:"content"`
			Structured json.RawMessage   `json:"structuredContent"`
			IsError    bool              `json:"isError"`
		} `json:"result"`
		Error *struct {
			Code    int             `json:"code"`
			Message string          `json:"message"`
			Data    json.RawMessage `json:"data"`
		} `json:"error"`
	}
	if err := json.Unmarshal(answer, &msg); err != nil {
		return "", false, fmt.Errorf("%q is not an answer: %v", answer, err)
	}
	switch {
	case msg.Error != nil:
		text = fmt.Sprintf("error %d: %s\n", msg.Error.Code, msg.Error.Message)
		if msg.Error.Data != nil {
			text += indent(msg.Error.Data) + "\n"
		}
		return text, false, nil
	case msg.Result == nil:
		return "", false, fmt.Errorf("%q has neither result nor error", answer)
	}
	var b strings.Builder
	said := false // the structured content, as text
	for _, raw := range msg.Result.Content {
		part, isJSON := content(raw)
		b.WriteString(part)
		if !strings.HasSuffix(part, "\n") {
			b.WriteByte('\n')
		}
		said = said || isJSON && part == indent(msg.Result.Structured)
	}
	if msg.Result.Structured != nil && !said {
		fmt.Fprintf(&b, "structuredContent: %s\n", indent(msg.Result.Structured))
	}
	return b.String(), !msg.Result.IsError, nil
}

// content is one part of a result: text as it is, JSON in a text indented, any other type as its object.
func content(raw json.RawMessage) (part string, isJSON bool) {
	var c struct {
		Type string  `json:"type"`
		Text *string `json:"text"`
	}
	if err := json.Unmarshal(raw, &c); err != nil || c.Type != "text" || c.Text == nil {
		return indent(raw), false
	}
	if text := *c.Text; (strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")) && json.Valid([]byte(text)) {
		return indent([]byte(text)), true
	}
	return *c.Text, false
}

// indent lays JSON out, key order and spelling kept; what is no JSON stays as it is.
func indent(raw []byte) string {
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return string(raw)
	}
	return b.String()
}

// compact puts JSON on one line, as the framing needs it.
func compact(text string) []byte {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		return []byte(text)
	}
	return b.Bytes()
}
