package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
	"github.com/slipstream-mcp/slipstream/memstore/thought"
)

const fetchDoc = `Use to read one thought in full by its id; of one too long for an answer, ID#2 is its second part. An unknown id answers {"thought": null}.`

type fetchArgs struct {
	ID string `json:"id" needs:"an id" jsonschema_description:"a thought's id"`
}

// partWidth is how much of a long thought one answer holds, in characters: JSON may need two for one.
const partWidth = 15000

func fetch(d Deps) mcpproto.Tool {
	return schema.ResultTool("fetch", fetchDoc, func(ctx context.Context, _ *mcpproto.Call, in fetchArgs) (mcpproto.Result, error) {
		id, part, err := thought.ParseID(in.ID)
		if err != nil {
			return mcpproto.Result{}, err
		}
		v, err := d.Memories.Vault()
		if err != nil {
			return mcpproto.Result{}, err
		}
		t, ok, err := v.Get(ctx, id)
		if err != nil {
			return mcpproto.Result{}, err
		}
		var o object
		if !ok {
			o.put("thought", nil)
			return o.result(), nil
		}
		if width(string(encoded(t))) <= maxAnswer-100 && part == 1 {
			o.put("thought", t)
			return o.result(), nil
		}
		parts := partsOf(t.Body)
		if part > len(parts) {
			return mcpproto.Result{}, fmt.Errorf("thought %s has %d parts; there is no part %d", id, len(parts), part)
		}
		t.Body = parts[part-1]
		o.put("thought", t)
		o.put("part", part)
		o.put("parts", len(parts))
		if part < len(parts) {
			o.put("next", fmt.Sprintf("%s#%d", id, part+1))
		}
		return o.result(), nil
	})
}

// partsOf cuts a text into parts at line ends where there are some; joined they are the text.
func partsOf(text string) []string {
	var parts []string
	for text != "" {
		n, end := 0, len(text)
		for i := range text {
			if n++; n > partWidth {
				end = i
				break
			}
		}
		if at := strings.LastIndexByte(text[:end], '\n'); end < len(text) && at > end/2 {
			end = at + 1
		}
		parts = append(parts, text[:end])
		text = text[end:]
	}
	if parts == nil {
		return []string{""}
	}
	return parts
}
