// Package schema makes tools from Go structs: the struct is the schema, the
// documentation and the decoder of a tool's arguments.
//
//	type args struct {
//		Query string `json:"query" jsonschema_description:"words to look for" needs:"a query"`
//		Limit int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50,default=8"`
//	}
//	t := schema.Tool("search", "Use to find files.", func(ctx context.Context, in args) (string, error) { … })
//
// Decoding is lenient where models slip (a number in quotes, a list sent as
// JSON text, a bare value for a list) and strict elsewhere, and a refusal names
// every problem at once.
//
// Fields are strings, signed integers, floats, booleans, structs, slices of
// these and pointers to these. A field without omitempty is required. The tags:
//
//	json                    the name; omitempty makes it optional
//	jsonschema              minimum=1,maximum=50,default=8,enum=a,enum=b,minItems=1,…
//	jsonschema_description  what it means, for the model
//	alias:"old,other"       other spellings that are accepted
//	hidden:"true"           accepted and validated, but not advertised
//	needs:"a query"         the noun in a refusal: "search needs a query"
//
// A nested struct with a field Extra map[string]any tagged json:"-" is an open
// dictionary: what it does not name lands in Extra, numbers as [json.Number].
package schema

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"

	"github.com/slipstream-mcp/slipstream/mcpproto"
)

// Tool returns a tool that answers with text. Its annotations are those of a
// tool that only reads; change them on the result. It panics, naming the tool
// and the field, when In is not a struct that has a portable schema.
func Tool[In any](name, doc string, fn func(ctx context.Context, in In) (string, error)) mcpproto.Tool {
	return ResultTool(name, doc, func(ctx context.Context, _ *mcpproto.Call, in In) (mcpproto.Result, error) {
		text, err := fn(ctx, in)
		if err != nil {
			return mcpproto.Result{}, err
		}
		return mcpproto.Text(text), nil
	})
}

// ResultTool is [Tool] for a function that wants the whole call or gives more
// than text.
func ResultTool[In any](name, doc string, fn func(ctx context.Context, c *mcpproto.Call, in In) (mcpproto.Result, error)) mcpproto.Tool {
	root, err := shapeOf(reflect.TypeFor[In]())
	if err != nil {
		panic(fmt.Sprintf("schema: tool %q: %v", name, err))
	}
	d := decoder{tool: name, root: root, validator: sync.OnceValue(root.compile)}
	return mcpproto.Tool{
		Name:        name,
		Description: doc,
		InputSchema: root.advertise(),
		Annotations: mcpproto.Annotations{ReadOnly: true},
		Call: func(ctx context.Context, c *mcpproto.Call) (mcpproto.Result, error) {
			var in In
			if err := d.decode(c.Arguments, reflect.ValueOf(&in).Elem()); err != nil {
				return mcpproto.Result{}, err
			}
			return fn(ctx, c, in)
		},
	}
}

// Of returns the schema a tool with arguments In advertises. It panics like
// [Tool].
func Of[In any]() json.RawMessage {
	root, err := shapeOf(reflect.TypeFor[In]())
	if err != nil {
		panic(fmt.Sprintf("schema: %v", err))
	}
	return root.advertise()
}
