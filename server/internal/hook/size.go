package hook

import (
	"bytes"
	"encoding/json"
)

// Size returns how many bytes of text a tool's answer has: a string's, that of the content blocks of a server, what a command
// printed, what a file holds; of any other shape, that of its compact JSON. Pictures have none.
func Size(response json.RawMessage) int64 {
	response = bytes.TrimSpace(response)
	if len(response) == 0 || string(response) == "null" {
		return 0
	}
	content := response
	if o := objectOf(response); o != nil {
		if o["stdout"] != nil || o["stderr"] != nil {
			return int64(len(o.text("stdout")) + len(o.text("stderr")))
		}
		if content = o["content"]; content == nil {
			content = objectOf(o["file"])["content"]
		}
	}
	if n, ok := sizeOfContent(content); ok {
		return n
	}
	var compact bytes.Buffer
	if json.Compact(&compact, response) != nil {
		return 0
	}
	return int64(compact.Len())
}

// sizeOfContent returns how long a text is, or the texts of blocks of content are together; false if it is neither.
func sizeOfContent(raw json.RawMessage) (n int64, ok bool) {
	switch {
	case len(raw) == 0:
		return 0, false
	case raw[0] == '"':
		return int64(len(textOf(raw))), true
	case raw[0] != '[':
		return 0, false
	}
	for _, element := range listOf(raw) {
		block := objectOf(element)
		if block.text("type") == "" {
			return 0, false
		}
		n += int64(len(block.text("text")))
	}
	return n, true
}
