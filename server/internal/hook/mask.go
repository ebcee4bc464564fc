package hook

import (
	"bytes"
	"encoding/json"
)

// maxMasked is how much of a text is looked at, in bytes: more than of any is kept.
const maxMasked = 64 << 10

// Masked returns the payload with the secrets taken out of all that is kept of it. It comes before Handle: a secret that was
// cut is not known for one any more.
func (p Payload) Masked(mask func(string) string) Payload {
	for _, s := range []*string{&p.Agent, &p.AgentType, &p.Source, &p.Model, &p.Prompt, &p.Trigger, &p.Instructions, &p.Reason, &p.LastMessage, &p.Tool, &p.Error} {
		*s = mask(cut(*s, maxMasked))
	}
	p.Input = Mask(p.Input, mask)
	return p
}

// Mask returns JSON with every text in it masked, the names of keys too, and what is over 64 KiB of a text cut off. What is no
// JSON is masked as a text.
func Mask(raw json.RawMessage, mask func(string) string) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		v = string(raw)
	}
	out, err := json.Marshal(masked(v, mask))
	if err != nil {
		return nil // it was JSON, and is nothing else now
	}
	return out
}

func masked(v any, mask func(string) string) any {
	switch v := v.(type) {
	case string:
		return mask(cut(v, maxMasked))
	case []any:
		for i, element := range v {
			v[i] = masked(element, mask)
		}
	case map[string]any:
		for key, element := range v {
			if safe := mask(key); safe != key {
				delete(v, key)
				key = safe
			}
			v[key] = masked(element, mask)
		}
	}
	return v
}
