package mcpproto_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/slipstream-mcp/slipstream/mcpproto"
)

// emptySchema is the schema of a tool without declared arguments.
var emptySchema = json.RawMessage(`{"type":"object","properties":{}}`)

func tool(name string, readOnly bool, call mcpproto.CallFunc) mcpproto.Tool {
	return mcpproto.Tool{
		Name:        name,
		Description: "Use to try " + name + ".",
		InputSchema: emptySchema,
		Annotations: mcpproto.Annotations{ReadOnly: readOnly},
		Call:        call,
	}
}

// echo answers with its arguments as they came.
func echo(_ context.Context, c *mcpproto.Call) (mcpproto.Result, error) {
	return mcpproto.Text(string(c.Arguments)), nil
}

func newHandler(tools ...mcpproto.Tool) *mcpproto.Handler {
	tools = append(tools, tool("echo", true, echo))
	return mcpproto.New(mcpproto.Info{Name: "test", Title: "Test", Version: "1"}, tools, mcpproto.Options{})
}

func handle(t *testing.T, h *mcpproto.Handler, msg string) string {
	t.Helper()
	return string(h.Handle(t.Context(), []byte(msg), nil))
}

func open(t *testing.T, h *mcpproto.Handler, version string) {
	t.Helper()
	msg := fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%q,"clientInfo":{"name":"c","title":"C","version":"9"}}}`, version)
	if got := handle(t, h, msg); !strings.Contains(got, `"result"`) {
		t.Fatalf("initialize %s: %s", version, got)
	}
}

// refused is the start of an error answer.
func refused(id string, code int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":`, id, code)
}

func TestHandle_OddInput(t *testing.T) {
	deep := strings.Repeat("[", 20000) + strings.Repeat("]", 20000)
	pong := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":{}}` }
	tests := []struct{ name, in, want string }{
		{"not_json", `{"jsonrpc":`, refused("null", -32700)},
		{"two_values", `{} {}`, refused("null", -32700)},
		{"nul_byte", "\x00", refused("null", -32700)},
		{"string", `"hello"`, refused("null", -32600)},
		{"number", `42`, refused("null", -32600)},
		{"empty_object", `{}`, refused("null", -32600)},
		{"no_jsonrpc", `{"id":1,"method":"ping"}`, refused("1", -32600)},
		{"jsonrpc_1", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, refused("1", -32600)},
		{"jsonrpc_number", `{"jsonrpc":2.0,"id":1,"method":"ping"}`, refused("1", -32600)},
		{"method_7", `{"jsonrpc":"2.0","id":1,"method":7}`, refused("1", -32600)},
		{"no_method", `{"jsonrpc":"2.0","id":1}`, refused("1", -32600)},
		{"id_true", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, refused("null", -32600)},
		{"id_fraction", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, refused("null", -32600)},
		{"id_object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, refused("null", -32600)},
		{"id_null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, refused("null", -32600)},
		{"id_zero", `{"jsonrpc":"2.0","id":0,"method":"ping"}`, pong("0")},
		{"id_negative", `{"jsonrpc":"2.0","id":-7,"method":"ping"}`, pong("-7")},
		{"id_large", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, pong("9007199254740993")},
		{"id_text", `{"jsonrpc":"2.0","id":"listen:0","method":"ping"}`, pong(`"listen:0"`)},
		{"id_escaped", `{"jsonrpc":"2.0","id":"\u0061\/","method":"ping"}`, pong(`"\u0061\/"`)},
		{"id_last_wins", `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, pong("2")},
		{"key_escaped", `{"jsonrpc":"2.0","id":1,"\u006dethod":"ping"}`, pong("1")},
		{"case_method", `{"jsonrpc":"2.0","id":1,"Method":"ping"}`, refused("1", -32600)},
		{"case_id", `{"jsonrpc":"2.0","ID":1,"method":"ping"}`, refused("null", -32600)},
		{"case_jsonrpc", `{"JSONRPC":"2.0","id":1,"method":"ping"}`, refused("1", -32600)},
		{"case_params", `{"jsonrpc":"2.0","id":1,"method":"ping","Params":{}}`, refused("1", -32600)},
		{"member_unknown", `{"jsonrpc":"2.0","id":1,"method":"ping","extra":1}`, pong("1")},
		{"batch_unopened", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, refused("null", -32600)},
		{"batch_empty", `[]`, refused("null", -32600)},
		{"bom", "\uFEFF" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, pong("1")},
		{"crlf", `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\r", pong("1")},
		{"spaces", ` { "jsonrpc" : "2.0" , "id" : 1 , "method" : "ping" } `, pong("1")},
		{"blank", "", ""},
		{"blank_crlf", " \t\r", ""},
		{"bad_utf8", `{"jsonrpc":"2.0","id":"` + "\xff" + `","method":"ping"}`, pong(`"` + "\uFFFD" + `"`)},
		{"deep", deep, refused("null", -32700)},
		{"deep_inside", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}}`, pong("1")},
		{"params_null", `{"jsonrpc":"2.0","id":1,"method":"ping","params":null}`, pong("1")},
		{"params_array", `{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}`, refused("1", -32602)},
		{"params_text", `{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}`, refused("1", -32602)},
		{"resources", `{"jsonrpc":"2.0","id":1,"method":"resources/list"}`, refused("1", -32601)},
		{"prompts", `{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{}}`, refused("1", -32601)},
		{"logging", `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info"}}`, refused("1", -32601)},
		{"discover", `{"jsonrpc":"2.0","id":"server-discover-probe-1","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01"}}}`, refused(`"server-discover-probe-1"`, -32022)},
		{"method_case", `{"jsonrpc":"2.0","id":1,"method":"Ping"}`, refused("1", -32601)},
		{"notification_as_request", `{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled"}`, refused("1", -32601)},
		{"notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, ""},
		{"notification_unknown", `{"jsonrpc":"2.0","method":"nobody/knows","params":[1]}`, ""},
		{"notification_ping", `{"jsonrpc":"2.0","method":"ping"}`, ""},
		{"notification_call", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}}`, ""},
		{"cancel_malformed", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`, ""},
		{"stray_result", `{"jsonrpc":"2.0","id":1,"result":{}}`, ""},
		{"stray_error", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`, ""},
		{"cursor_empty", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":""}}`, `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo"`},
		{"cursor_null", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":null}}`, `{"jsonrpc":"2.0","id":1,"result":{"tools":[`},
		{"cursor_bad", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}`, refused("1", -32602) + `"unknown cursor \"x\""}}`},
		{"cursor_number", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":3}}`, refused("1", -32602)},
		{"tool_unknown", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}`, refused("1", -32602) + `"unknown tool \"nope\""}}`},
		{"tool_long", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + strings.Repeat("é", 60) + `"}}`, refused("1", -32602) + `"unknown tool \"` + strings.Repeat("é", 40) + `…\""}}`},
		{"tool_nameless", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`, refused("1", -32602)},
		{"tool_paramless", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, refused("1", -32602)},
		{"tool_name_7", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`, refused("1", -32602)},
		{"arguments_array", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":[]}}`, refused("1", -32602)},
		{"arguments_none", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}`, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{}"}]}}`},
		{"arguments_null", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":null}}`, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{}"}]}}`},
		{"meta_odd", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","_meta":7}}`, `{"jsonrpc":"2.0","id":1,"result":`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHandler()
			got := handle(t, h, tt.in)
			if !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if got := handle(t, h, `{"jsonrpc":"2.0","id":99,"method":"ping"}`); got != pong("99") {
				t.Errorf("the ping after it: %s", got)
			}
		})
	}
}

func TestHandle_Batch(t *testing.T) {
	const (
		ping   = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
		pong   = `{"jsonrpc":"2.0","id":1,"result":{}}`
		note   = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
		call   = `{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"echo"}}`
		echoed = `{"jsonrpc":"2.0","id":"b","result":{"content":[{"type":"text","text":"{}"}]}}`
	)
	tests := []struct{ name, version, in, want string }{
		{"two", "2025-03-26", "[" + ping + " , " + call + "]", "[" + pong + "," + echoed + "]"},
		{"with_notification", "2025-03-26", "[" + note + "," + ping + "]", "[" + pong + "]"},
		{"notifications", "2025-03-26", "[" + note + "]", ""},
		{"empty", "2025-03-26", "[]", refused("null", -32600)},
		{"junk", "2025-03-26", "[1]", "[" + refused("null", -32600)},
		{"nested", "2025-03-26", "[[]]", "[" + refused("null", -32600)},
		{"initialize", "2025-03-26", `[{"jsonrpc":"2.0","id":1,"method":"initialize"}]`, "[" + refused("1", -32600)},
		{"many", "2025-03-26", "[" + strings.Repeat("1,", 1000) + "1]", refused("null", -32600)},
		{"oldest", "2024-11-05", "[" + ping + "]", refused("null", -32600)},
		{"removed", "2025-06-18", "[" + ping + "]", refused("null", -32600)},
		{"newest", "2025-11-25", "[" + ping + "]", refused("null", -32600)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHandler()
			open(t, h, tt.version)
			if got := handle(t, h, tt.in); !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestHandle_Initialize(t *testing.T) {
	tests := []struct{ name, params, want string }{
		{"none", ``, "2025-11-25"},
		{"null", `,"params":null`, "2025-11-25"},
		{"2024-11-05", `,"params":{"protocolVersion":"2024-11-05"}`, "2024-11-05"},
		{"2025-03-26", `,"params":{"protocolVersion":"2025-03-26"}`, "2025-03-26"},
		{"2025-06-18", `,"params":{"protocolVersion":"2025-06-18"}`, "2025-06-18"},
		{"2025-11-25", `,"params":{"protocolVersion":"2025-11-25"}`, "2025-11-25"},
		{"stateless", `,"params":{"protocolVersion":"2026-07-28"}`, "2025-11-25"},
		{"future", `,"params":{"protocolVersion":"2099-01-01"}`, "2025-11-25"},
		{"garbage", `,"params":{"protocolVersion":7,"clientInfo":"me","capabilities":[]}`, "2025-11-25"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHandler()
			title := `"title":"Test",`
			if tt.want < "2025-06-18" {
				title = ""
			}
			want := `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"` + tt.want + `","capabilities":{"tools":{}},"serverInfo":{"name":"test",` + title + `"version":"1"}}}`
			for range 2 { // a second one is answered as the first
				if got := handle(t, h, `{"jsonrpc":"2.0","id":1,"method":"initialize"`+tt.params+`}`); got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
			}
		})
	}
}

func TestHandle_Instructions(t *testing.T) {
	h := mcpproto.New(mcpproto.Info{Name: "n", Version: "1"}, nil, mcpproto.Options{Instructions: "Use <it>."})
	got := handle(t, h, `{"jsonrpc":"2.0","id":1,"method":"initialize"}`)
	if !strings.Contains(got, `"instructions":"Use <it>."`) {
		t.Errorf("got %s", got)
	}
	if got := handle(t, h, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); got != `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}` {
		t.Errorf("no tools: %s", got)
	}
}

func TestHandle_List(t *testing.T) {
	one := tool("one", false, echo)
	one.Title = "One"
	one.Annotations = mcpproto.Annotations{Destructive: true, Idempotent: true}
	one.Meta = json.RawMessage(`{ "a/b": true }`)
	h := mcpproto.New(mcpproto.Info{Name: "n"}, []mcpproto.Tool{one, tool("two", true, echo)}, mcpproto.Options{})
	const (
		schema = `"inputSchema":{"type":"object","properties":{}}`
		hints1 = `,"annotations":{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":true,"openWorldHint":false}`
		hints2 = `,"annotations":{"readOnlyHint":true,"destructiveHint":false,"openWorldHint":false}`
	)
	list := func(title, hints1, meta, hints2 string) string {
		return `{"jsonrpc":"2.0","id":1,"result":{"tools":[` +
			`{"name":"one",` + title + `"description":"Use to try one.",` + schema + hints1 + meta + `},` +
			`{"name":"two","description":"Use to try two.",` + schema + hints2 + `}]}}`
	}
	full := list(`"title":"One",`, hints1, `,"_meta":{"a/b":true}`, hints2)
	for version, want := range map[string]string{
		"2024-11-05": list("", "", "", ""),
		"2025-03-26": list("", hints1, "", hints2),
		"2025-06-18": full,
		"2025-11-25": full,
	} {
		open(t, h, version)
		if got := handle(t, h, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":0}}}`); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", version, got, want)
		}
	}
}

func TestHandle_Results(t *testing.T) {
	none := ""
	results := map[string]func() (mcpproto.Result, error){
		"plain": func() (mcpproto.Result, error) { return mcpproto.Text("a<b>\n"), nil },
		"none":  func() (mcpproto.Result, error) { return mcpproto.Result{}, nil },
		"other_type": func() (mcpproto.Result, error) {
			return mcpproto.Result{Content: []mcpproto.Content{{Type: "hologram"}, {Text: "x"}}}, nil
		},
		"structured": func() (mcpproto.Result, error) {
			return mcpproto.Result{Structured: json.RawMessage("{\n \"a\": 9007199254740993\n}")}, nil
		},
		"structured_bad":  func() (mcpproto.Result, error) { return mcpproto.Result{Structured: json.RawMessage("{")}, nil },
		"structured_list": func() (mcpproto.Result, error) { return mcpproto.Result{Structured: json.RawMessage("[]")}, nil },
		"is_error": func() (mcpproto.Result, error) {
			return mcpproto.Result{Structured: json.RawMessage("{}"), IsError: true}, nil
		},
		"err": func() (mcpproto.Result, error) { return mcpproto.Text("lost"), errors.New(`no file "x"`) },
		"protocol": func() (mcpproto.Result, error) {
			return mcpproto.Result{}, fmt.Errorf("call: %w", &mcpproto.Error{Code: -32602, Message: "bad", Data: 7})
		},
		"codeless": func() (mcpproto.Result, error) {
			return mcpproto.Result{}, &mcpproto.Error{Message: "bad", Data: make(chan int)}
		},
		"panic": func() (mcpproto.Result, error) { panic("oh\nno") },
		"slice": func() (mcpproto.Result, error) { return mcpproto.Text(none[:1]), nil },
	}
	want := map[string]string{
		"plain":           `"result":{"content":[{"type":"text","text":"a<b>\n"}]}`,
		"none":            `"result":{"content":[]}`,
		"other_type":      `"result":{"content":[{"type":"text","text":"x"}]}`,
		"structured":      `"result":{"content":[],"structuredContent":{"a":9007199254740993}}`,
		"structured_bad":  `"result":{"content":[]}`,
		"structured_list": `"result":{"content":[]}`,
		"is_error":        `"result":{"content":[],"isError":true}`,
		"err":             `"result":{"content":[{"type":"text","text":"no file \"x\""}],"isError":true}`,
		"protocol":        `"error":{"code":-32602,"message":"bad","data":7}`,
		"codeless":        `"error":{"code":-32603,"message":"bad"}`,
		"panic":           `"result":{"content":[{"type":"text","text":"t panicked: \"oh\\nno\""}],"isError":true}`,
		"slice":           `"result":{"content":[{"type":"text","text":"t panicked: \"runtime error: slice bounds out of range [:1] with length 0\""}],"isError":true}`,
	}
	var panics []string
	run := func(_ context.Context, c *mcpproto.Call) (mcpproto.Result, error) {
		var in struct{ Case string }
		if err := json.Unmarshal(c.Arguments, &in); err != nil {
			return mcpproto.Result{}, err
		}
		return results[in.Case]()
	}
	h := mcpproto.New(mcpproto.Info{Name: "n"}, []mcpproto.Tool{tool("t", true, run)}, mcpproto.Options{
		OnPanic: func(tool string, value any, stack []byte) {
			if !bytes.Contains(stack, []byte("TestHandle_Results")) {
				t.Errorf("stack does not show the tool:\n%s", stack)
			}
			panics = append(panics, fmt.Sprint(tool, " ", value))
		},
	})
	for name, want := range want {
		got := handle(t, h, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"Case":%q}}}`, name))
		if want = `{"jsonrpc":"2.0","id":1,` + want + `}`; got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
		}
	}
	if len(panics) != 2 {
		t.Errorf("OnPanic heard %q", panics)
	}
	open(t, h, "2025-03-26")
	got := handle(t, h, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"Case":"structured"}}}`)
	if got != `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}` {
		t.Errorf("structured content before 2025-06-18: %s", got)
	}
}

func TestCall_Fields(t *testing.T) {
	var seen []mcpproto.Call
	look := func(_ context.Context, c *mcpproto.Call) (mcpproto.Result, error) {
		seen = append(seen, *c)
		return mcpproto.Text(""), nil
	}
	h := newHandler(tool("look", true, look))
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":{"a": 1},"_meta":{"k":2}}}`
	handle(t, h, call)
	open(t, h, "2025-06-18")
	handle(t, h, call)
	for i, want := range []mcpproto.Call{
		{Version: "2025-11-25"},
		{Version: "2025-06-18", Client: mcpproto.Info{Name: "c", Title: "C", Version: "9"}},
	} {
		got := seen[i]
		if got.Tool != "look" || string(got.Arguments) != `{"a": 1}` || string(got.Meta) != `{"k":2}` ||
			got.Version != want.Version || got.Client != want.Client || got.Progress == nil {
			t.Errorf("call %d: got %+v", i, got)
		}
	}
}

func TestCall_Progress(t *testing.T) {
	var late func(float64, float64, string)
	work := func(_ context.Context, c *mcpproto.Call) (mcpproto.Result, error) {
		late = c.Progress
		c.Progress(0, 4, "start")
		c.Progress(0, 4, "again")
		c.Progress(1.5, 0, "")
		c.Progress(1, 4, "back")
		c.Progress(4, 4, "done")
		return mcpproto.Text(""), nil
	}
	h := newHandler(tool("work", true, work))
	call := func(meta string) string {
		var sent []string
		msg := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"work","_meta":` + meta + `}}`
		h.Handle(t.Context(), []byte(msg), func(b []byte) { sent = append(sent, string(b)) })
		late(9, 9, "late")
		return strings.Join(sent, "\n")
	}
	send := func(token, rest string) string {
		return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token + `,` + rest + `}}`
	}
	asked := func(token string) string {
		return send(token, `"progress":0,"total":4,"message":"start"`) + "\n" + send(token, `"progress":1.5`) + "\n" + send(token, `"progress":4,"total":4,"message":"done"`)
	}
	tests := []struct{ name, meta, want string }{
		{"unasked", `{}`, ""},
		{"zero", `{"progressToken":0}`, asked("0")},
		{"large", `{"progressToken":9007199254740993}`, asked("9007199254740993")},
		{"text", `{"progressToken":"a\u0062"}`, asked(`"a\u0062"`)},
		{"null", `{"progressToken":null}`, ""},
		{"list", `{"progressToken":[]}`, ""},
	}
	for _, tt := range tests {
		if got := call(tt.meta); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
		}
	}
	open(t, h, "2024-11-05")
	if got := call(`{"progressToken":0}`); strings.Contains(got, "message") || !strings.Contains(got, `"progress":4`) {
		t.Errorf("2024-11-05 has no message: %s", got)
	}
}

func TestMessage_Cancel(t *testing.T) {
	started := make(chan struct{})
	wait := func(ctx context.Context, c *mcpproto.Call) (mcpproto.Result, error) {
		close(started)
		<-ctx.Done()
		c.Progress(1, 1, "still here")
		return mcpproto.Text("late"), nil
	}
	h := newHandler(tool("wait", false, wait))
	open(t, h, "2025-03-26")
	m := h.Parse([]byte(`[{"jsonrpc":"2.0","id":"\u0061","method":"tools/call","params":{"name":"wait","_meta":{"progressToken":1}}},` +
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo"}},` +
		`{"jsonrpc":"2.0","id":3,"method":"ping"}]`))
	if got := fmt.Sprint(m.Class(), m.IDs(), m.Cancels()); got != `2 ["a" 2] []` {
		t.Errorf("message: got %s", got)
	}
	stop := h.Parse([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a","reason":"tired"}}`))
	if got := fmt.Sprint(stop.Class(), stop.IDs(), stop.Cancels()); got != `0 [] ["a"]` {
		t.Errorf("cancellation: got %s", got)
	}
	m.Cancel("2") // before it runs
	m.Cancel("7") // nobody
	var wg sync.WaitGroup
	wg.Go(func() {
		<-started
		m.Cancel(stop.Cancels()[0])
	})
	got := string(m.Answer(t.Context(), func(b []byte) { t.Errorf("sent %s", b) }))
	wg.Wait()
	if want := `[{"jsonrpc":"2.0","id":3,"result":{}}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestMessage_Class(t *testing.T) {
	h := newHandler(tool("write", false, echo))
	for msg, want := range map[string]mcpproto.Class{
		``:  mcpproto.Immediate,
		`x`: mcpproto.Immediate,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`:                           mcpproto.Immediate,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}`:  mcpproto.Immediate,
		`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"write"}}`:        mcpproto.Immediate,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}`:  mcpproto.Shared,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write"}}`: mcpproto.Exclusive,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"name":"write"}}`: mcpproto.Immediate,
	} {
		if got := h.Parse([]byte(msg)).Class(); got != want {
			t.Errorf("%s: got %v, want %v", msg, got, want)
		}
	}
}

func TestNew_Mistakes(t *testing.T) {
	with := func(change func(*mcpproto.Tool)) []mcpproto.Tool {
		t := tool("bad", true, echo)
		change(&t)
		return []mcpproto.Tool{t}
	}
	for name, tools := range map[string][]mcpproto.Tool{
		"two":    {tool("bad", true, echo), tool("bad", true, echo)},
		"name":   with(func(t *mcpproto.Tool) { t.Name = "bad tool" }),
		"long":   with(func(t *mcpproto.Tool) { t.Name = strings.Repeat("bad", 43) }),
		"call":   with(func(t *mcpproto.Tool) { t.Call = nil }),
		"schema": with(func(t *mcpproto.Tool) { t.InputSchema = json.RawMessage(`{"type":"array"}`) }),
		"true":   with(func(t *mcpproto.Tool) { t.InputSchema = json.RawMessage(`true`) }),
		"broken": with(func(t *mcpproto.Tool) { t.InputSchema = json.RawMessage(`{"type":"object"`) }),
		"none":   with(func(t *mcpproto.Tool) { t.InputSchema = nil }),
		"meta":   with(func(t *mcpproto.Tool) { t.Meta = json.RawMessage(`[]`) }),
	} {
		func() {
			defer func() {
				if v := recover(); !strings.Contains(fmt.Sprint(v), "bad") {
					t.Errorf("%s: recovered %v", name, v)
				}
			}()
			mcpproto.New(mcpproto.Info{}, tools, mcpproto.Options{})
		}()
	}
}

func TestWrap(t *testing.T) {
	wrapped := mcpproto.Wrap(tool("t", true, echo), func(next mcpproto.CallFunc) mcpproto.CallFunc {
		return func(ctx context.Context, c *mcpproto.Call) (mcpproto.Result, error) {
			r, err := next(ctx, c)
			return mcpproto.Text("[" + r.Text() + "]"), err
		}
	})
	h := newHandler(wrapped)
	got := handle(t, h, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":1}}}`)
	if !strings.Contains(got, `"text":"[{\"a\":1}]"`) {
		t.Errorf("got %s", got)
	}
	if names := h.Tools(); len(names) != 2 || names[0].Name != "t" || names[1].Name != "echo" {
		t.Errorf("tools: %v", names)
	}
}
