package tools

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
	"github.com/slipstream-mcp/slipstream/memstore/thought"
	"github.com/slipstream-mcp/slipstream/memstore/vault"
)

const captureThoughtDoc = "Use to keep a thought for life, beyond one project: a decision, a lesson, a person, an idea. It may begin with its category: [Decision], [Lesson]. Secrets are masked; a repeat is kept once."

type captureThoughtArgs struct {
	Content  string           `json:"content" needs:"content" jsonschema_description:"Markdown"`
	Metadata *thoughtMetadata `json:"metadata,omitempty" jsonschema_description:"any other key is kept"`
}

type thoughtMetadata struct {
	Prefix      string         `json:"prefix,omitempty" jsonschema_description:"category"`
	Portability string         `json:"portability,omitempty" jsonschema:"enum=portable,enum=sensitive,enum=block" jsonschema_description:"default by category"`
	Source      string         `json:"source,omitempty" jsonschema_description:"who or what it is from"`
	Tags        []string       `json:"tags,omitempty" jsonschema_description:"words to find it by"`
	Vault       string         `json:"vault,omitempty" jsonschema_description:"a label"`
	Extra       map[string]any `json:"-"`
}

func captureThought(d Deps) mcpproto.Tool {
	t := schema.ResultTool("capture_thought", captureThoughtDoc, func(ctx context.Context, _ *mcpproto.Call, in captureThoughtArgs) (mcpproto.Result, error) {
		v, err := d.Memories.Vault()
		if err != nil {
			return mcpproto.Result{}, err
		}
		var m vault.Metadata
		if in.Metadata != nil {
			m = vault.Metadata{
				Prefix: in.Metadata.Prefix, Portability: in.Metadata.Portability, Source: in.Metadata.Source, Tags: in.Metadata.Tags, Vault: in.Metadata.Vault,
				Extra: fieldsOf(in.Metadata.Extra),
			}
		}
		kept, captured, err := v.Capture(ctx, in.Content, m)
		if err != nil {
			return mcpproto.Result{}, err
		}
		var o object
		o.put("id", kept.ID)
		o.put("file_path", kept.FilePath)
		o.put("fingerprint", kept.Fingerprint)
		o.put("index_state", "ok")
		o.put("embedding_status", kept.EmbeddingStatus)
		o.put("portability", kept.Portability)
		o.put("source", kept.Source)
		if captured.Duplicate {
			o.put("duplicate", true)
		}
		return o.result(), nil
	})
	t.Annotations.ReadOnly = false
	t.Annotations.Idempotent = true
	return t
}

// fieldsOf are a caller's own keys in the order of their names, for JSON has none.
func fieldsOf(extra map[string]any) []thought.Field {
	var fields []thought.Field
	for _, key := range slices.Sorted(maps.Keys(extra)) {
		if extra[key] != nil {
			fields = append(fields, thought.Field{Key: key, Value: json.RawMessage(encoded(extra[key]))})
		}
	}
	return fields
}
