package schema_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
)

var update = flag.Bool("update", false, "rewrite the goldens")

type common struct {
	Root string `json:"root,omitempty" jsonschema_description:"project root, <absolute> or relative"`
}

type lines struct {
	File  string `json:"file" alias:"path"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	common
}

type search struct {
	Query string `json:"query" jsonschema_description:"words, or a question" needs:"a query" alias:"q,text"`
	Limit int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50,default=8" jsonschema_description:"1 to 50, default 8" alias:"k"`
	Kind  string `json:"kind,omitempty" jsonschema:"enum=edit,enum=read,enum=command"`
	Old   string `json:"old,omitempty" hidden:"true" jsonschema:"maxLength=3"`
}

type open struct {
	Prefix string         `json:"prefix,omitempty"`
	Tags   []string       `json:"tags,omitempty"`
	Level  int            `json:"level,omitempty" jsonschema:"default=3"`
	Extra  map[string]any `json:"-"`
}

type closed struct {
	Name string  `json:"name"`
	Rate float64 `json:"rate,omitempty" jsonschema:"exclusiveMinimum=0,default=0.5"`
}

type everything struct {
	IDs      []int    `json:"ids,omitempty" jsonschema:"minItems=1,maxItems=3,minimum=0"`
	Small    int8     `json:"small,omitempty"`
	Ratio    float64  `json:"ratio,omitempty" jsonschema:"minimum=-1.5,maximum=1.5"`
	Flag     bool     `json:"flag,omitempty" jsonschema:"default=true"`
	Maybe    *int     `json:"maybe,omitempty"`
	Words    []string `json:"words,omitempty" jsonschema:"default=a,default=b,enum=a,enum=b,enum=c"`
	Grid     [][]int  `json:"grid,omitempty"`
	Meta     open     `json:"meta,omitempty"`
	Inner    *closed  `json:"inner,omitempty"`
	Inners   []closed `json:"inners,omitempty"`
	Untagged string   `json:",omitempty"`
	Skipped  chan int `json:"-"`
}

// portable walks a schema and reports what a client may not read.
func portable(t *testing.T, at string, s map[string]any) {
	t.Helper()
	known := " type description enum format pattern minLength maxLength minimum exclusiveMinimum maximum exclusiveMaximum multipleOf minItems maxItems uniqueItems default items properties required additionalProperties "
	for key := range s {
		if !strings.Contains(known, " "+key+" ") {
			t.Errorf("%s: keyword %q", at, key)
		}
	}
	switch s["type"] {
	case "object":
		properties, ok := s["properties"].(map[string]any)
		if !ok {
			t.Errorf("%s: no properties", at)
		}
		for name, p := range properties {
			portable(t, at+"."+name, p.(map[string]any))
		}
	case "array":
		items, ok := s["items"].(map[string]any)
		if !ok {
			t.Fatalf("%s: no typed items", at)
		}
		portable(t, at+"[]", items)
	case "string", "integer", "number", "boolean":
	default:
		t.Errorf("%s: type %v", at, s["type"])
	}
}

func TestOf(t *testing.T) {
	for name, got := range map[string]json.RawMessage{
		"none":       schema.Of[struct{}](),
		"lines":      schema.Of[lines](),
		"search":     schema.Of[search](),
		"everything": schema.Of[everything](),
	} {
		t.Run(name, func(t *testing.T) {
			var compact, pretty bytes.Buffer
			if err := json.Compact(&compact, got); err != nil || compact.String() != string(got) {
				t.Errorf("not compact: %v: %s", err, got)
			}
			var s map[string]any
			if err := json.Unmarshal(got, &s); err != nil {
				t.Fatal(err)
			}
			if s["additionalProperties"] != false {
				t.Error("the root is open")
			}
			portable(t, name, s)
			if err := json.Indent(&pretty, got, "", "  "); err != nil {
				t.Fatal(err)
			}
			pretty.WriteByte('\n')
			golden := filepath.Join("testdata", name, "want.json")
			if *update {
				if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(golden, pretty.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(pretty.Bytes(), want) {
				t.Errorf("got\n%swant\n%s", pretty.Bytes(), want)
			}
		})
	}
}

func TestTool_Descriptor(t *testing.T) {
	got := schema.Tool("search", "Use to find.", func(context.Context, search) (string, error) { return "", nil })
	if got.Name != "search" || got.Description != "Use to find." || got.Annotations != (mcpproto.Annotations{ReadOnly: true}) ||
		string(got.InputSchema) != string(schema.Of[search]()) {
		t.Errorf("got %+v", got)
	}
}

func TestResultTool(t *testing.T) {
	tool := schema.ResultTool("t", "", func(_ context.Context, c *mcpproto.Call, in closed) (mcpproto.Result, error) {
		return mcpproto.Text(fmt.Sprint(c.Tool, " ", in)), nil
	})
	got, err := tool.Call(t.Context(), &mcpproto.Call{Tool: "t", Arguments: json.RawMessage(`{"name":"x"}`)})
	if err != nil || got.Text() != "t {x 0.5}" {
		t.Errorf("got %q, %v", got.Text(), err)
	}
}

type recursive struct {
	Deep struct {
		Kids []*recursive `json:"kids"`
	} `json:"deep"`
}

type cycle struct{ Next *cycle }

type embedded struct{ Holder []holder }

type holder struct{ embedded }

type embedsCycle struct{ Top embedded }

type selfEmbedded struct{ *selfEmbedded }

func mistake[In any](t *testing.T, want string) {
	t.Helper()
	defer func() {
		t.Helper()
		got := fmt.Sprint(recover())
		if !strings.Contains(got, want) || !strings.Contains(got, `schema: tool "bad": `) {
			t.Errorf("%T: got %q, want %q in it", *new(In), got, want)
		}
	}()
	schema.Tool("bad", "", func(context.Context, In) (string, error) { return "", nil })
}

func TestTool_Mistakes(t *testing.T) {
	mistake[string](t, "string is not a struct")
	mistake[*closed](t, "is not a struct")
	mistake[recursive](t, "recursive.Deep.Kids[]: schema_test.recursive contains itself")
	mistake[cycle](t, "cycle.Next: schema_test.cycle contains itself")
	mistake[selfEmbedded](t, "only a plain struct can be embedded")
	mistake[struct{ A any }](t, "A: interface {} has no portable schema")
	mistake[struct{ A []any }](t, "A[]: interface {} has no portable schema")
	mistake[struct{ A map[string]int }](t, "A: map[string]int has no portable schema")
	mistake[struct{ Extra map[string]any }](t, "Extra: map[string]interface {} has no portable schema")
	mistake[open](t, "only a nested struct can have Extra")
	mistake[struct{ A json.RawMessage }](t, "A: json.RawMessage has a JSON form of its own")
	mistake[struct{ A time.Time }](t, "A: time.Time has a JSON form of its own")
	mistake[struct{ A []byte }](t, "A[]: uint8 has no portable schema")
	mistake[struct{ A uint }](t, "A: uint has no portable schema")
	mistake[struct{ A [2]int }](t, "A: [2]int has no portable schema")
	mistake[struct{ A func() }](t, "A: func() has no portable schema")
	mistake[struct{ A **int }](t, "A: *int has no portable schema")
	mistake[struct{ A struct{ B any } }](t, "A.B: interface {} has no portable schema")
	mistake[embedsCycle](t, "Top.Holder[].embedded: schema_test.embedded contains itself")
	mistake[struct {
		A int `json:"a b"`
	}](t, `name "a b" is outside`)
	mistake[struct {
		A int `json:"a"`
		B int `json:"b" alias:"a"`
	}](t, `B: name "a" is taken`)
	mistake[struct {
		A int `json:"a,string"`
	}](t, "its schema is not of type integer")
	mistake[struct {
		A int `json:"a" jsonschema:"oneof_type=string;integer"`
	}](t, "its schema is not of type integer")
	mistake[struct {
		A int `json:"a" jsonschema:"nullable"`
	}](t, "its schema is not of type integer")
	mistake[struct {
		A int `json:"a" hidden:"true"`
	}](t, "a required argument cannot be hidden")
	mistake[struct {
		A int `json:"a" jsonschema:"default=3"`
	}](t, "add omitempty")
	mistake[struct {
		A int `json:"a,omitempty" jsonschema:"default=1.5"`
	}](t, "default 1.5 is not a whole number")
}

func TestTool_Error(t *testing.T) {
	want := errors.New("no luck")
	tool := schema.Tool("t", "", func(context.Context, struct{}) (string, error) { return "lost", want })
	if got, err := tool.Call(t.Context(), &mcpproto.Call{Arguments: json.RawMessage(`{}`)}); err != want || got.Text() != "" {
		t.Errorf("got %q, %v", got.Text(), err)
	}
}

func TestOf_Mistake(t *testing.T) {
	defer func() {
		if got := recover(); got != "schema: int is not a struct" {
			t.Errorf("got %v", got)
		}
	}()
	schema.Of[int]()
}
