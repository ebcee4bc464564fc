package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/memstore/thought"
)

// What the thought tools share: their filter, and answers that are JSON within what a client takes.

type thoughtFilter struct {
	Prefix        []string `json:"prefix,omitempty" jsonschema_description:"categories"`
	Portability   []string `json:"portability,omitempty" jsonschema_description:"portable, sensitive, block"`
	Source        []string `json:"source,omitempty" jsonschema_description:"sources"`
	Vault         []string `json:"vault,omitempty" jsonschema_description:"labels"`
	Tags          []string `json:"tags,omitempty" jsonschema_description:"any of these"`
	CreatedAfter  string   `json:"created_after,omitempty" jsonschema_description:"ISO date or time"`
	CreatedBefore string   `json:"created_before,omitempty" jsonschema_description:"ISO date or time"`
	Type          []string `json:"type,omitempty" hidden:"true"`
	Topics        []string `json:"topics,omitempty" hidden:"true" alias:"topic"`
	People        []string `json:"people,omitempty" hidden:"true" alias:"person"`
}

// listFilter is thoughtFilter as list_thoughts advertises it: by name alone, for every session pays for descriptors.
type listFilter struct {
	Prefix        []string       `json:"prefix,omitempty" hidden:"true"`
	Portability   []string       `json:"portability,omitempty" hidden:"true"`
	Source        []string       `json:"source,omitempty" hidden:"true"`
	Vault         []string       `json:"vault,omitempty" hidden:"true"`
	Tags          []string       `json:"tags,omitempty" hidden:"true"`
	CreatedAfter  string         `json:"created_after,omitempty" hidden:"true"`
	CreatedBefore string         `json:"created_before,omitempty" hidden:"true"`
	Type          []string       `json:"type,omitempty" hidden:"true"`
	Topics        []string       `json:"topics,omitempty" hidden:"true" alias:"topic"`
	People        []string       `json:"people,omitempty" hidden:"true" alias:"person"`
	Extra         map[string]any `json:"-"`
}

// filter is what it stands for; the error names a key that no filter has.
func (l *listFilter) filter() (*thoughtFilter, error) {
	if l == nil {
		return nil, nil
	}
	for key := range l.Extra {
		return nil, fmt.Errorf("filter: %s is not one of prefix, portability, source, vault, tags, created_after, created_before", echo(key))
	}
	return &thoughtFilter{l.Prefix, l.Portability, l.Source, l.Vault, l.Tags, l.CreatedAfter, l.CreatedBefore, l.Type, l.Topics, l.People}, nil
}

// openBrain are the filters that Open Brain's own prompts put beside the query.
type openBrain struct {
	source, kind, topic, person string
	days                        float64
}

// filterOf checks a filter and adds Open Brain's to it.
func filterOf(in *thoughtFilter, o openBrain, now time.Time) (thought.Filter, error) {
	var f thought.Filter
	if in != nil {
		for _, p := range in.Portability {
			if !slices.Contains([]string{"portable", "sensitive", "block"}, p) {
				return f, fmt.Errorf("filter.portability: %s is not one of portable, sensitive, block", echo(p))
			}
		}
		f = thought.Filter{
			Prefix: in.Prefix, Portability: in.Portability, Source: in.Source, Vault: in.Vault, Tags: in.Tags,
			Type: in.Type, Topics: in.Topics, People: in.People,
		}
		for _, t := range []struct {
			name, text string
			into       *time.Time
		}{{"filter.created_after", in.CreatedAfter, &f.CreatedAfter}, {"filter.created_before", in.CreatedBefore, &f.CreatedBefore}} {
			if t.text == "" {
				continue
			}
			var err error
			if *t.into, err = ParseTime(t.name, t.text); err != nil {
				return f, err
			}
		}
	}
	add := func(list *[]string, s string) {
		if s != "" {
			*list = append(*list, s)
		}
	}
	add(&f.Source, o.source)
	add(&f.Type, o.kind)
	add(&f.Topics, o.topic)
	add(&f.People, o.person)
	if o.days > 0 {
		if since := now.Add(-time.Duration(o.days * 24 * float64(time.Hour))); since.After(f.CreatedAfter) {
			f.CreatedAfter = since
		}
	}
	return f, nil
}

// object is JSON with its keys in the order they were put.
type object struct{ b bytes.Buffer }

func (o *object) put(key string, v any) {
	sep := byte(',')
	if o.b.Len() == 0 {
		sep = '{'
	}
	o.b.WriteByte(sep)
	o.b.Write(encoded(key))
	o.b.WriteByte(':')
	o.b.Write(encoded(v))
}

// result is the answer, the same for programs and for models.
func (o *object) result() mcpproto.Result {
	o.b.WriteByte('}')
	r := mcpproto.Text(o.b.String())
	r.Structured = o.b.Bytes()
	return r
}

// encoded is v as JSON, with < and > as they are.
func encoded(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return []byte("null") // a value of these tools has no way to fail
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// fitThoughts returns the thoughts as JSON in at most room characters: long bodies are cut, with a mark that says how to get
// the rest, and what does not fit all the same is left out at the end. extra, unless nil, gives more keys of one.
func fitThoughts(thoughts []thought.Thought, extra func(i int) string, room int) (shown []json.RawMessage) {
	for _, most := range []int{maxAnswer, 4000, 1500, 600, 250} {
		shown = shown[:0]
		left := room
		for i, t := range thoughts {
			more := ""
			if body := cutBody(t.Body, most, t.ID); body != t.Body {
				t.Body, more = body, `,"content_truncated":true`
			}
			if extra != nil {
				more += extra(i)
			}
			one := encoded(t)
			one = append(one[:len(one)-1], more+"}"...)
			if left -= width(string(one)) + 1; left < 0 {
				break
			}
			shown = append(shown, one)
		}
		if len(shown) == len(thoughts) {
			break
		}
	}
	return shown
}

// cutBody shortens a body to about so many characters.
func cutBody(body string, most int, id string) string {
	all := width(body)
	if all <= most {
		return body
	}
	n := 0
	for i := range body {
		if n++; n > most {
			body = strings.ToValidUTF8(body[:i], "")
			break
		}
	}
	return fmt.Sprintf("%s… [cut: %d of %d characters; fetch %s for all]", body, most, all, id)
}
