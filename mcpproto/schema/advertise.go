package schema

import (
	"bytes"
	"encoding/json"

	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v5"
)

// wire is the part of JSON Schema that every client tried can read, in the
// order it is written.
type wire struct {
	Type             kind        `json:"type"`
	Description      string      `json:"description,omitempty"`
	Enum             []any       `json:"enum,omitempty"`
	Format           string      `json:"format,omitempty"`
	Pattern          string      `json:"pattern,omitempty"`
	MinLength        *uint64     `json:"minLength,omitempty"`
	MaxLength        *uint64     `json:"maxLength,omitempty"`
	Minimum          json.Number `json:"minimum,omitempty"`
	ExclusiveMinimum json.Number `json:"exclusiveMinimum,omitempty"`
	Maximum          json.Number `json:"maximum,omitempty"`
	ExclusiveMaximum json.Number `json:"exclusiveMaximum,omitempty"`
	MultipleOf       json.Number `json:"multipleOf,omitempty"`
	MinItems         *uint64     `json:"minItems,omitempty"`
	MaxItems         *uint64     `json:"maxItems,omitempty"`
	UniqueItems      bool        `json:"uniqueItems,omitempty"`
	Default          any         `json:"default,omitempty"`
	Items            *wire       `json:"items,omitempty"`
	Properties       properties  `json:"properties,omitzero"`
	Required         []string    `json:"required,omitempty"`
	Additional       *bool       `json:"additionalProperties,omitempty"`
}

// properties is an object that keeps its order.
type properties []property

type property struct {
	name string
	wire *wire
}

// IsZero tells a schema that is no object from one without properties.
func (p properties) IsZero() bool { return p == nil }

// MarshalJSON writes the properties in their order.
func (p properties) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, one := range p {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), one.name...), `":`...) // names are plain
		raw, err := encode(one.wire)
		if err != nil {
			return nil, err
		}
		b = append(b, raw...)
	}
	return append(b, '}'), nil
}

// encode is json.Marshal without the HTML escapes, which would cost tokens.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// advertise renders the schema clients see: without the hidden arguments.
func (s *shape) advertise() json.RawMessage { return s.render(false) }

func (s *shape) render(hidden bool) json.RawMessage {
	raw, err := encode(s.wire(hidden))
	if err != nil {
		panic("schema: " + err.Error()) // a wire value holds nothing that cannot be encoded
	}
	return raw
}

func (s *shape) wire(hidden bool) *wire {
	w := keywords(s.schema)
	w.Type = s.kind
	if s.item != nil {
		w.Items = s.item.wire(hidden)
	}
	if s.kind != object {
		return w
	}
	w.Properties = properties{}
	for _, f := range s.fields {
		if f.hidden && !hidden {
			continue
		}
		p := f.shape.wire(hidden)
		p.Default = f.fallback
		w.Properties = append(w.Properties, property{f.name, p})
		if f.required {
			w.Required = append(w.Required, f.name)
		}
	}
	if s.extra == nil {
		w.Additional = new(bool)
	}
	return w
}

func keywords(s *jsonschema.Schema) *wire {
	return &wire{
		Description:      s.Description,
		Enum:             s.Enum,
		Format:           s.Format,
		Pattern:          s.Pattern,
		MinLength:        s.MinLength,
		MaxLength:        s.MaxLength,
		Minimum:          s.Minimum,
		ExclusiveMinimum: s.ExclusiveMinimum,
		Maximum:          s.Maximum,
		ExclusiveMaximum: s.ExclusiveMaximum,
		MultipleOf:       s.MultipleOf,
		MinItems:         s.MinItems,
		MaxItems:         s.MaxItems,
		UniqueItems:      s.UniqueItems,
	}
}

// compile makes the validator of the whole schema, hidden arguments included.
// It costs most of a millisecond, so it waits for the first call.
func (s *shape) compile() *validator.Schema {
	const name = "mem:///arguments"
	c := validator.NewCompiler()
	if err := c.AddResource(name, bytes.NewReader(s.render(true))); err != nil {
		panic("schema: " + err.Error())
	}
	return c.MustCompile(name)
}
