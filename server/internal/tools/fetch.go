package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
	"github.com/slipstream-mcp/slipstream/memstore/thought"
)

const fetchDoc = `Use to read one thought in full by its id; ID#2 is the second part of a very long one. An unknown id answers {"thought": null}.`

type fetchArgs struct {
	ID string `json:"id" needs:"an id" jsonschema_description:"a thought's id"`
}

// An answer holds up to partWidth characters of a thought's text, as JSON has it, and fetchWidth in all: more than other
// answers, for clients are told so.
const (
	partWidth  = 400000
	fetchWidth = 500000
)

func fetch(d Deps) mcpproto.Tool {
	t := schema.ResultTool("fetch", fetchDoc, func(ctx context.Context, _ *mcpproto.Call, in fetchArgs) (mcpproto.Result, error) {
		id, part, err := thought.ParseID(in.ID)
		if err != nil {
			return mcpproto.Result{}, err
		}
		v, err := d.Memories.Vault()
		if err != nil {
			return mcpproto.Result{}, err
		}
		got, ok, err := v.Get(ctx, id)
		if err != nil {
			return mcpproto.Result{}, err
		}
		var o object
		if !ok {
			o.put("thought", nil)
			return o.result(), nil
		}
		parts := partsOf(got.Body)
		if part > len(parts) {
			return mcpproto.Result{}, fmt.Errorf("thought %s has %s; there is no part %d", id, counted(len(parts), "part"), part)
		}
		if len(parts) == 1 {
			o.put("thought", got)
			return o.result(), nil
		}
		got.Body = parts[part-1]
		o.put("thought", got)
		o.put("content_truncated", true)
		o.put("part", part)
		o.put("parts", len(parts))
		if part < len(parts) {
			o.put("next", fmt.Sprintf("%s#%d", id, part+1))
		}
		return o.result(), nil
	})
	t.Meta = json.RawMessage(fmt.Sprintf(`{"anthropic/maxResultSizeChars":%d}`, fetchWidth))
	return t
}

// partsOf cuts a text into parts at line ends where there are some; joined they are the text.
func partsOf(text string) []string {
	var parts []string
	for {
		size, end := 0, len(text)
		for i, r := range text {
			switch {
			case r == '"', r == '\\', r == '\n', r == '\r', r == '\t', r > 0xffff:
				size += 2
			case r < ' ', r == '\u2028', r == '\u2029':
				size += 6
			default:
				size++
			}
			if size > partWidth {
				end = i
				break
			}
		}
		if at := strings.LastIndexByte(text[:end], '\n'); end < len(text) && at > end/2 {
			end = at + 1
		}
		parts = append(parts, text[:end])
		if text = text[end:]; text == "" {
			return parts
		}
	}
}
