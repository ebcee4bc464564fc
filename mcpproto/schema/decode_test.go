package schema_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
)

// show returns a tool that answers with its arguments as Go sees them.
func show[In any](name string) mcpproto.Tool {
	return schema.Tool(name, "", func(_ context.Context, in In) (string, error) { return fmt.Sprintf("%+v", in), nil })
}

func run(t testing.TB, tool mcpproto.Tool, arguments string) string {
	t.Helper()
	got, err := tool.Call(t.Context(), &mcpproto.Call{Tool: tool.Name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		return err.Error()
	}
	return got.Text()
}

func TestDecode_Refusals(t *testing.T) {
	type symbol struct {
		File   string `json:"file"`
		Symbol string `json:"symbol"`
	}
	type bounds struct {
		Code string   `json:"code,omitempty" jsonschema:"minLength=2,pattern=^[a-z]+$"`
		Many []string `json:"many,omitempty" jsonschema:"uniqueItems=true"`
		Part float64  `json:"part,omitempty" jsonschema:"exclusiveMaximum=1"`
		Even int      `json:"even,omitempty" jsonschema:"multipleOf=2"`
	}
	long := strings.Repeat("long", 40)
	for tool, tests := range map[string][]struct{ in, want string }{
		"symbol": {
			{`{}`, `symbol needs file and symbol`},
			{`{"file":null,"symbol":"  "}`, `symbol needs file and symbol`},
			{`{"file":"a.go"}`, `symbol needs file and symbol (symbol is missing)`},
			{`{"file":"a.go","symbol":""}`, `symbol needs file and symbol (symbol is missing)`},
			{`{"file":["a"],"symbol":{"b":1}}`, `symbol: file: ["a"] is not text; symbol: {"b":1} is not text`},
			{`{"file":"a","symbols":"b"}`, `symbol needs file and symbol (symbol is missing); unknown argument "symbols"; did you mean symbol?`},
		},
		"lines": {
			{`{}`, `lines needs file, start and end`},
			{`{"end":3}`, `lines needs file, start and end (file and start are missing)`},
			{`{"file":"a","start":"ten","end":3}`, `lines: start: "ten" is not a whole number`},
			{`{"file":"a","start":1.5,"end":"2.5"}`, `lines: start: 1.5 is not a whole number; end: "2.5" is not a whole number`},
			{`{"end":"x","start":true}`, `lines needs file, start and end (file is missing); start: true is not a whole number; end: "x" is not a whole number`},
			{`{"fil":"a","start":1,"end":2}`, `lines needs file, start and end (file is missing); unknown argument "fil"; did you mean file?`},
			{`{"file":"a","start":1,"end":2,"fil":1}`, `lines: unknown argument "fil"; did you mean file?`},
			{`{"file":"a","start":1,"end":2,"zzz":1,"yyy":2}`, `lines: unknown argument "yyy"; accepted: file, start, end, root; unknown argument "zzz"`},
			{`{"File":"a","start":1,"end":2}`, `lines needs file, start and end (file is missing); unknown argument "File"; did you mean file?`},
			{`{"file_path":"a","start":1,"end":2}`, `lines needs file, start and end (file is missing); unknown argument "file_path"; did you mean file?`},
			{`{"file":"a","start":1,"end":2,"paht":1}`, `lines: unknown argument "paht"; did you mean file?`},
			{`{"file":"a","start":99999999999999999999,"end":1e999999999}`, `lines: start: 99999999999999999999 is out of range; end: "1e999999999" is not a whole number`},
			{`{"file":"a","start":1,"end":2,"a\nb\u202e":1}`, `lines: unknown argument "a\nb\u202e"; accepted: file, start, end, root`},
		},
		"search": {
			{`{}`, `search needs a query`},
			{`{"query":"x","limit":99}`, `search: limit: 99 is more than 50`},
			{`{"query":"x","limit":"0"}`, `search: limit: 0 is less than 1`},
			{`{"query":"x","k":51}`, `search: limit: 51 is more than 50`},
			{`{"query":"x","kind":"foo"}`, `search: kind: "foo" is not one of edit, read, command`},
			{`{"limit":"many","kind":7}`, `search needs a query; limit: "many" is not a whole number; kind: "7" is not one of edit, read, command`},
			{`{"query":"x","old":"` + long + `"}`, `search: old: "` + long[:80] + `…" is longer than 3 characters`},
			{`{"query":{"a\u001b":"\u202e"}}`, `search: query: {"a\u001b":"\u202e"} is not text`},
			{`{"query":"x","limit":null,"kind":""}`, `search: kind: "" is not one of edit, read, command`},
		},
		"everything": {
			{`{"ids":[1,2,"x",-4]}`, `everything: ids: more than 3 items; ids[2]: "x" is not a whole number; ids[3]: -4 is less than 0`},
			{`{"ids":[]}`, `everything: ids: fewer than 1 item`},
			{`{"ids":[null]}`, `everything: ids[0]: null is not a whole number`},
			{`{"ids":{"a":1}}`, `everything: ids[0]: {"a":1} is not a whole number`},
			{`{"small":128}`, `everything: small: 128 is out of range`},
			{`{"ratio":"wide"}`, `everything: ratio: "wide" is not a number`},
			{`{"ratio":-1.6}`, `everything: ratio: -1.6 is less than -1.5`},
			{`{"flag":"yes","maybe":[]}`, `everything: flag: "yes" is not true or false; maybe: [] is not a whole number`},
			{`{"flag":1}`, `everything: flag: 1 is not true or false`},
			{`{"words":["a","z"]}`, `everything: words[1]: "z" is not one of a, b, c`},
			{`{"grid":[[1],["x"]]}`, `everything: grid[1][0]: "x" is not a whole number`},
			{`{"meta":7,"inner":"x"}`, `everything: meta: 7 is not an object; inner: "x" is not an object`},
			{`{"inner":{"rat":1}}`, `everything: inner: needs name; inner: unknown argument "rat"; did you mean rate?`},
			{`{"inners":[{"name":"a","rate":0}]}`, `everything: inners[0].rate: 0 is not more than 0`},
			{`{"meta":{"tags":[[1]]}}`, `everything: meta.tags[0]: [1] is not text`},
			{`{"ids":["a","a","a","a","a","a"]}`, `everything: ids: more than 3 items` + times(4, `; ids[%d]: "a" is not a whole number`)},
			{`{"words":["z","z","z","z","z","z","z","z","z","z","z","z"]}`, `everything` + strings.Replace(times(10, `; words[%d]: "z" is not one of a, b, c`), ";", ":", 1) + `; and 2 more`},
		},
		"bounds": {
			{`{"code":"x","many":["a","a"],"part":1,"even":3}`, `bounds: code: "x" is shorter than 2 characters; many: items at index 0 and 1 are equal; part: 1 is not less than 1; even: 3 is not a multiple of 2`},
			{`{"code":"XY"}`, `bounds: code: "XY" does not match ^[a-z]+$`},
			{`{"part":1e999}`, `bounds: part: "1e999" is not a number`},
			{`{"code":"` + strings.Repeat("é", 50) + `"}`, `bounds: code: "` + strings.Repeat("é", 40) + `…" does not match ^[a-z]+$`},
			{`{"code":"ab","` + strings.Repeat("z", 70) + `":1}`, `bounds: unknown argument "` + strings.Repeat("z", 70) + `"; accepted: code, many, part, even`},
			{`{"a1":1,"a2":1,"a3":1,"a4":1,"a5":1,"a6":1,"a7":1,"a8":1,"a9":1,"b1":1,"b2":1,"b3":1}`, `bounds: unknown argument "a1"; accepted: code, many, part, even` + `; unknown argument "a2"; unknown argument "a3"; unknown argument "a4"; unknown argument "a5"; unknown argument "a6"; unknown argument "a7"; unknown argument "a8"; unknown argument "a9"; unknown argument "b1"; and 2 more`},
			{`[]`, `bounds: arguments is not an object`},
		},
		"none": {
			{`{"x":1}`, `none: unknown argument "x"; there are none`},
		},
	} {
		call := map[string]mcpproto.Tool{
			"symbol": show[symbol]("symbol"), "lines": show[lines]("lines"), "search": show[search]("search"),
			"everything": show[everything]("everything"), "none": show[struct{}]("none"), "bounds": show[bounds]("bounds"),
		}[tool]
		for _, tt := range tests {
			if got := run(t, call, tt.in); got != tt.want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.in, got, tt.want)
			}
		}
	}
}

// times repeats format for the first n items.
func times(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func TestDecode_Lenient(t *testing.T) {
	for tool, tests := range map[string][]struct{ in, want string }{
		"lines": {
			{`{"file":"a","start":1,"end":2}`, `{File:a Start:1 End:2 common:{Root:}}`},
			{`{"path":"a","start":"1","end":"2.0","root":"r"}`, `{File:a Start:1 End:2 common:{Root:r}}`},
			{`{"file":"a","path":"b","start":5.0,"end":1e3}`, `{File:a Start:5 End:1000 common:{Root:}}`},
			{`{"file":null,"path":"b","start":-1,"end":" 7 "}`, `{File:b Start:-1 End:7 common:{Root:}}`},
			{`{"file":12,"start":1,"end":2,"root":null,"wait_for_previous":true}`, `{File:12 Start:1 End:2 common:{Root:}}`},
			{`{"file":9007199254740993,"start":9007199254740993,"end":"9007199254740993"}`, `{File:9007199254740993 Start:9007199254740993 End:9007199254740993 common:{Root:}}`},
			{`{"file":1.50e2,"start":1,"end":2}`, `{File:1.50e2 Start:1 End:2 common:{Root:}}`},
			{`{"file":true,"start":1,"end":2}`, `{File:true Start:1 End:2 common:{Root:}}`},
			{`{"file":"a","file":"b","start":1,"end":2}`, `{File:b Start:1 End:2 common:{Root:}}`},
			{`{"file":"[\"a\"]","start":1,"end":2}`, `{File:["a"] Start:1 End:2 common:{Root:}}`},
		},
		"search": {
			{`{"query":"x"}`, `{Query:x Limit:8 Kind: Old:}`},
			{`{"q":"x","k":"3"}`, `{Query:x Limit:3 Kind: Old:}`},
			{`{"text":"y","q":"x"}`, `{Query:x Limit:8 Kind: Old:}`},
			{`{"query":"x","limit":null,"old":"yes","kind":"read"}`, `{Query:x Limit:8 Kind:read Old:yes}`},
		},
		"ids": {
			{`{"ids":[1,"2",3.0]}`, `[1 2 3]`},
			{`{"ids":"[1,\"2\"]"}`, `[1 2]`},
			{`{"ids":7}`, `[7]`},
			{`{"ids":"7"}`, `[7]`},
			{`{"ids":null}`, `[]`},
		},
		"words": {
			{`{}`, `["a" "b"]`},
			{`{"words":"c"}`, `["c"]`},
			{`{"words":" "}`, `[]`},
			{`{"words":"[\"c\",\"a\"]"}`, `["c" "a"]`},
		},
		"more": {
			{`{}`, `true <nil> [] {Prefix: Tags:[] Level:3 Extra:map[]} <nil> []`},
			{`{"flag":"false","maybe":"5"}`, `false 5 [] {Prefix: Tags:[] Level:3 Extra:map[]} <nil> []`},
			{`{"flag":null,"grid":[1,[2]],"inner":{"name":"n"}}`, `true <nil> [[1] [2]] {Prefix: Tags:[] Level:3 Extra:map[]} {Name:n Rate:0.5} []`},
			{`{"inner":"{\"name\":\"n\",\"rate\":\"1.5\"}","inners":{"name":"m"}}`, `true <nil> [] {Prefix: Tags:[] Level:3 Extra:map[]} {Name:n Rate:1.5} [{Name:m Rate:0.5}]`},
			{`{"meta":{"prefix":1,"tags":"t","big":9007199254740993,"x/y~":{"a":[1]},"nil":null}}`, `true <nil> [] {Prefix:1 Tags:[t] Level:3 Extra:map[big:9007199254740993 nil:<nil> x/y~:map[a:[1]]]} <nil> []`},
		},
	} {
		call := map[string]mcpproto.Tool{
			"lines": show[lines]("lines"), "search": show[search]("search"),
			"ids":   picked("ids", func(in everything) string { return fmt.Sprint(in.IDs) }),
			"words": picked("words", func(in everything) string { return fmt.Sprintf("%q", in.Words) }),
			"more": picked("more", func(in everything) string {
				maybe, inner := "<nil>", "<nil>"
				if in.Maybe != nil {
					maybe = fmt.Sprint(*in.Maybe)
				}
				if in.Inner != nil {
					inner = fmt.Sprintf("%+v", *in.Inner)
				}
				return fmt.Sprintf("%v %s %v %+v %s %+v", in.Flag, maybe, in.Grid, in.Meta, inner, in.Inners)
			}),
		}[tool]
		for _, tt := range tests {
			if got := run(t, call, tt.in); got != tt.want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.in, got, tt.want)
			}
		}
	}
}

func picked(name string, pick func(everything) string) mcpproto.Tool {
	return schema.Tool(name, "", func(_ context.Context, in everything) (string, error) { return pick(in), nil })
}
