package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	validator "github.com/santhosh-tekuri/jsonschema/v5"
)

// decoder turns the arguments of one tool into its struct.
type decoder struct {
	tool      string
	root      *shape
	validator func() *validator.Schema
}

// ignored is an argument that Gemini CLI adds to every tool.
const ignored = "wait_for_previous"

// decode fills into, which is a zero struct. Its error names every problem.
func (d *decoder) decode(raw json.RawMessage, into reflect.Value) error {
	m, ok := parse(raw).(map[string]any)
	if !ok {
		return fmt.Errorf("%s: arguments is not an object", d.tool)
	}
	if !d.root.accepts(ignored) {
		delete(m, ignored)
	}
	d.root.coerceObject(m)
	r := &refusal{causes: map[string][]*validator.ValidationError{}}
	var invalid *validator.ValidationError
	if err := d.validator().Validate(m); errors.As(err, &invalid) {
		r.collect(invalid)
	} else if err != nil {
		return fmt.Errorf("%s: %v", d.tool, err)
	}
	if err := r.explain(d.tool, d.root, m); err != nil {
		return err
	}
	d.root.fill(into, m)
	return nil
}

// fill sets v from a value that has been coerced and validated.
func (s *shape) fill(v reflect.Value, value any) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch value := value.(type) {
	case string:
		v.SetString(value)
	case bool:
		v.SetBool(value)
	case json.Number:
		if s.kind == whole {
			n, _ := strconv.ParseInt(value.String(), 10, s.bits)
			v.SetInt(n)
		} else {
			f, _ := value.Float64()
			v.SetFloat(f)
		}
	case []any:
		v.Set(reflect.MakeSlice(v.Type(), len(value), len(value)))
		for i, item := range value {
			s.item.fill(v.Index(i), item)
		}
	case map[string]any:
		s.fillFields(v, value)
	}
}

// fillFields sets the fields of a struct and gives the absent ones their
// defaults.
func (s *shape) fillFields(v reflect.Value, m map[string]any) {
	for _, f := range s.fields {
		into := v.FieldByIndex(f.index)
		value, ok := m[f.name]
		switch {
		case ok:
			f.shape.fill(into, value)
		case f.fallback != nil:
			f.shape.fill(into, f.fallback)
		case into.Kind() == reflect.Struct:
			f.shape.fillFields(into, nil)
		}
	}
	if unknown := s.unknown(m); s.extra != nil && len(unknown) > 0 {
		extra := make(map[string]any, len(unknown))
		for _, key := range unknown {
			extra[key] = m[key]
		}
		v.FieldByIndex(s.extra).Set(reflect.ValueOf(extra))
	}
}

// unknown returns the keys of m that no field has, sorted.
func (s *shape) unknown(m map[string]any) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(m)), func(key string) bool {
		return slices.ContainsFunc(s.fields, func(f *field) bool { return f.name == key })
	})
}
