package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	validator "github.com/santhosh-tekuri/jsonschema/v5"
)

// refusal puts what the validator found into words, in the order of the
// arguments.
type refusal struct {
	causes   map[string][]*validator.ValidationError // by place in the arguments
	needs    string                                  // what the tool itself lacks
	problems []string
	more     int
}

// maxProblems bounds a refusal: a list of a thousand wrong items is one mistake.
const maxProblems = 10

func (r *refusal) collect(e *validator.ValidationError) {
	if len(e.Causes) == 0 {
		r.causes[e.InstanceLocation] = append(r.causes[e.InstanceLocation], e)
	}
	for _, cause := range e.Causes {
		r.collect(cause)
	}
}

// explain returns nil when there is nothing wrong.
func (r *refusal) explain(tool string, root *shape, m map[string]any) error {
	r.walk(root, m, "", "")
	if r.needs == "" && len(r.problems) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString(tool)
	b.WriteString(r.needs)
	for i, p := range r.problems {
		switch {
		case i > 0 || r.needs != "":
			b.WriteString("; ")
		default:
			b.WriteString(": ")
		}
		b.WriteString(p)
	}
	if r.more > 0 {
		fmt.Fprintf(&b, "; and %d more", r.more)
	}
	return errors.New(b.String())
}

func (r *refusal) add(name, format string, args ...any) {
	if len(r.problems) == maxProblems {
		r.more++
		return
	}
	p := fmt.Sprintf(format, args...)
	if name != "" {
		p = name + ": " + p
	}
	r.problems = append(r.problems, p)
}

// walk explains a value and what it holds. name is its place in words, at its
// place as the validator spells it.
func (r *refusal) walk(s *shape, v any, name, at string) {
	causes := r.causes[at]
	if i := slices.IndexFunc(causes, func(e *validator.ValidationError) bool { return keyword(e) == "type" }); i >= 0 {
		r.add(name, "%s is not %s", show(v), s.kind.noun())
		return
	}
	for _, e := range causes {
		r.cause(s, v, name, e)
	}
	switch v := v.(type) {
	case json.Number:
		if s.kind == whole && len(causes) == 0 {
			if _, err := strconv.ParseInt(v.String(), 10, s.bits); err != nil {
				r.add(name, "%s is out of range", show(v))
			}
		}
	case []any:
		for i, item := range v {
			r.walk(s.item, item, fmt.Sprintf("%s[%d]", name, i), fmt.Sprintf("%s/%d", at, i))
		}
	case map[string]any:
		for _, f := range s.fields {
			if value, ok := v[f.name]; ok {
				r.walk(f.shape, value, strings.TrimPrefix(name+"."+f.name, "."), at+"/"+f.name)
			}
		}
		if s.extra == nil {
			r.unknown(s, v, name)
		}
	}
}

// keyword returns the part of the schema that a value fails.
func keyword(e *validator.ValidationError) string {
	return e.KeywordLocation[strings.LastIndexByte(e.KeywordLocation, '/')+1:]
}

// cause explains one failed keyword. Unknown arguments come last, so they have
// their own place in walk.
func (r *refusal) cause(s *shape, v any, name string, e *validator.ValidationError) {
	switch keyword(e) {
	case "required":
		needs := s.needs(v.(map[string]any))
		if name == "" {
			r.needs = " " + needs
		} else {
			r.add(name, "%s", needs)
		}
	case "additionalProperties":
	case "enum":
		words := make([]string, len(s.schema.Enum))
		for i, w := range s.schema.Enum {
			words[i] = fmt.Sprint(w)
		}
		r.add(name, "%s is not one of %s", show(v), strings.Join(words, ", "))
	case "minimum":
		r.add(name, "%s is less than %s", show(v), s.schema.Minimum)
	case "maximum":
		r.add(name, "%s is more than %s", show(v), s.schema.Maximum)
	case "exclusiveMinimum":
		r.add(name, "%s is not more than %s", show(v), s.schema.ExclusiveMinimum)
	case "exclusiveMaximum":
		r.add(name, "%s is not less than %s", show(v), s.schema.ExclusiveMaximum)
	case "multipleOf":
		r.add(name, "%s is not a multiple of %s", show(v), s.schema.MultipleOf)
	case "minLength":
		r.add(name, "%s is shorter than %s", show(v), count(*s.schema.MinLength, "character"))
	case "maxLength":
		r.add(name, "%s is longer than %s", show(v), count(*s.schema.MaxLength, "character"))
	case "pattern":
		r.add(name, "%s does not match %s", show(v), s.schema.Pattern)
	case "minItems":
		r.add(name, "fewer than %s", count(*s.schema.MinItems, "item"))
	case "maxItems":
		r.add(name, "more than %s", count(*s.schema.MaxItems, "item"))
	default:
		r.add(name, "%s", escape(e.Message))
	}
}

func count(n uint64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// needs lists what an object requires and, when it has some of that, what it
// lacks.
func (s *shape) needs(m map[string]any) string {
	var nouns, missing []string
	for _, f := range s.fields {
		if !f.required {
			continue
		}
		nouns = append(nouns, f.noun)
		if _, ok := m[f.name]; !ok {
			missing = append(missing, f.name)
		}
	}
	needs := "needs " + and(nouns)
	switch {
	case len(missing) == len(nouns):
		return needs
	case len(missing) == 1:
		return fmt.Sprintf("%s (%s is missing)", needs, missing[0])
	}
	return fmt.Sprintf("%s (%s are missing)", needs, and(missing))
}

func and(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// unknown names arguments that do not exist, each with the one that was meant;
// where that cannot be told, the first names them all.
func (r *refusal) unknown(s *shape, m map[string]any, name string) {
	listed := false
	keys := s.unknown(m)
	for i, key := range keys {
		if len(r.problems) == maxProblems {
			r.more += len(keys) - i
			return
		}
		switch meant := s.nearest(key); {
		case meant != "":
			r.add(name, "unknown argument %s; did you mean %s?", show(key), meant)
		case listed:
			r.add(name, "unknown argument %s", show(key))
		default:
			r.add(name, "unknown argument %s; %s", show(key), s.offer())
			listed = true
		}
	}
}

// offer lists the advertised arguments.
func (s *shape) offer() string {
	var names []string
	for _, f := range s.fields {
		if !f.hidden {
			names = append(names, f.name)
		}
	}
	if len(names) == 0 {
		return "there are none"
	}
	return "accepted: " + strings.Join(names, ", ")
}

// show spells a value for a message: one line, escaped, about 80 characters.
func show(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(shorten(v))
	case nil:
		return "null"
	case json.Number:
		return shorten(v.String())
	}
	raw, err := encode(v)
	if err != nil {
		return "it"
	}
	return escape(shorten(string(raw)))
}

func shorten(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// escape makes control and bidirectional characters visible.
func escape(s string) string {
	if strings.IndexFunc(s, func(c rune) bool { return !unicode.IsPrint(c) }) < 0 {
		return s
	}
	var b strings.Builder
	for _, c := range s {
		if unicode.IsPrint(c) {
			b.WriteRune(c)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(c), "'"))
		}
	}
	return b.String()
}
