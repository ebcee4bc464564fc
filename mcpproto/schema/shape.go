package schema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// A kind is a JSON type as the schema spells it.
type kind string

const (
	text   kind = "string"
	whole  kind = "integer"
	number kind = "number"
	truth  kind = "boolean"
	list   kind = "array"
	object kind = "object"
)

// noun is the kind in a sentence: `"ten" is not a whole number`.
func (k kind) noun() string {
	switch k {
	case text:
		return "text"
	case whole:
		return "a whole number"
	case number:
		return "a number"
	case truth:
		return "true or false"
	case list:
		return "a list"
	}
	return "an object"
}

// A shape joins a Go type to its schema: all that decoding needs.
type shape struct {
	kind   kind
	bits   int // size of a whole number
	schema *jsonschema.Schema
	item   *shape   // of a list
	fields []*field // of an object, in the order of the struct
	extra  []int    // index of Extra; nil: the object is closed
}

// field is one property of an object.
type field struct {
	name     string
	names    []string // name, then its aliases
	hidden   bool
	required bool
	noun     string // what the tool "needs"
	index    []int  // for reflect.Value.FieldByIndex
	shape    *shape
	fallback any // the default, as decoded JSON; nil: none
}

// shapeOf reads a struct type. Its errors are programmers' mistakes.
func shapeOf(t reflect.Type) (*shape, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%v is not a struct", t)
	}
	root, err := inspect(t, t.String(), nil)
	if err != nil {
		return nil, err
	}
	if root.extra != nil {
		return nil, fmt.Errorf("%v: only a nested struct can have Extra", t)
	}
	r := jsonschema.Reflector{Anonymous: true, DoNotReference: true}
	if err := root.bind(r.ReflectFromType(t), t.String()); err != nil {
		return nil, err
	}
	return root, nil
}

// inspect reads a type before invopop does, which would recurse for ever on a
// recursive one and describe others as anything at all.
func inspect(t reflect.Type, path string, above []reflect.Type) (*shape, error) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if ownJSON(t) {
		return nil, fmt.Errorf("%s: %v has a JSON form of its own", path, t)
	}
	switch t.Kind() {
	case reflect.String:
		return &shape{kind: text}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return &shape{kind: whole, bits: t.Bits()}, nil
	case reflect.Float32, reflect.Float64:
		return &shape{kind: number}, nil
	case reflect.Bool:
		return &shape{kind: truth}, nil
	case reflect.Slice:
		item, err := inspect(t.Elem(), path+"[]", above)
		return &shape{kind: list, item: item}, err
	case reflect.Struct:
		if slices.Contains(above, t) {
			return nil, fmt.Errorf("%s: %v contains itself", path, t)
		}
		s := &shape{kind: object}
		return s, s.inspectFields(t, path, nil, append(slices.Clip(above), t))
	}
	return nil, fmt.Errorf("%s: %v has no portable schema", path, t)
}

func ownJSON(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

func (s *shape) inspectFields(t reflect.Type, path string, prefix []int, above []reflect.Type) error {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(slices.Clip(prefix), i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		at := path + "." + f.Name
		switch {
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			if slices.Contains(above, f.Type) {
				return fmt.Errorf("%s: %v contains itself", at, f.Type)
			}
			if err := s.inspectFields(f.Type, at, index, append(slices.Clip(above), f.Type)); err != nil {
				return err
			}
			continue
		case f.Anonymous:
			return fmt.Errorf("%s: only a plain struct can be embedded", at)
		case f.Name == "Extra" && name == "-" && f.Type == reflect.TypeFor[map[string]any]():
			s.extra = index
			continue
		case name == "-" || !f.IsExported():
			continue
		case name == "":
			name = f.Name
		}
		inner, err := inspect(f.Type, at, above)
		if err != nil {
			return err
		}
		added := &field{
			name:   name,
			names:  []string{name},
			hidden: f.Tag.Get("hidden") == "true",
			noun:   f.Tag.Get("needs"),
			index:  index,
			shape:  inner,
		}
		if alias := f.Tag.Get("alias"); alias != "" {
			added.names = append(added.names, strings.Split(alias, ",")...)
		}
		if added.noun == "" {
			added.noun = name
		}
		for _, word := range added.names {
			if !portable(word) {
				return fmt.Errorf("%s: name %q is outside [A-Za-z0-9_.-]{1,64}", at, word)
			}
			if s.accepts(word) {
				return fmt.Errorf("%s: name %q is taken", at, word)
			}
		}
		s.fields = append(s.fields, added)
	}
	return nil
}

func portable(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"
	return name != "" && len(name) <= 64 && strings.Trim(name, letters) == ""
}

// accepts reports whether the object has a field of this name or alias.
func (s *shape) accepts(name string) bool {
	return slices.ContainsFunc(s.fields, func(f *field) bool {
		return slices.Contains(f.names, name)
	})
}

// bind takes over what invopop read from the tags.
func (s *shape) bind(schema *jsonschema.Schema, path string) error {
	switch {
	case schema == nil || schema.Type != string(s.kind):
		return fmt.Errorf("%s: its schema is not of type %s", path, s.kind)
	case schema.OneOf != nil || schema.AnyOf != nil || schema.AllOf != nil || schema.Not != nil || schema.Ref != "":
		return fmt.Errorf("%s: its schema combines others, which clients do not all read", path)
	}
	s.schema = schema
	if s.item != nil {
		if err := s.item.bind(schema.Items, path+"[]"); err != nil {
			return err
		}
	}
	for _, f := range s.fields {
		at := path + "." + f.name
		property, _ := schema.Properties.Get(f.name)
		if err := f.shape.bind(property, at); err != nil {
			return err
		}
		f.required = slices.Contains(schema.Required, f.name)
		if property.Default != nil {
			f.fallback = f.shape.coerce(property.Default)
		}
		switch {
		case f.required && f.hidden:
			return fmt.Errorf("%s: a required argument cannot be hidden", at)
		case f.required && f.fallback != nil:
			return fmt.Errorf("%s: a required argument cannot have a default; add omitempty", at)
		case f.fallback != nil && !f.shape.holds(f.fallback):
			return fmt.Errorf("%s: default %v is not %s", at, property.Default, f.shape.kind.noun())
		}
	}
	return nil
}

// holds reports whether a coerced value is of the right kind, all the way down.
func (s *shape) holds(v any) bool {
	switch v := v.(type) {
	case string:
		return s.kind == text
	case bool:
		return s.kind == truth
	case json.Number:
		return s.kind == number || s.kind == whole && isWhole(v)
	case []any:
		return s.kind == list && !slices.ContainsFunc(v, func(item any) bool { return !s.item.holds(item) })
	}
	return false
}
