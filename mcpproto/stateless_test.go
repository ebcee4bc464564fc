package mcpproto_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/mcpproto"
)

const (
	asks    = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`
	able    = `"io.modelcontextprotocol/clientCapabilities":{}`
	who     = `"io.modelcontextprotocol/clientInfo":{"name":"m","title":"M","version":"7"}`
	answers = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test","title":"Test","version":"1"}}`
	names   = `["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]`
)

// modern is a request that says of itself what meta holds; rest is more params.
func modern(method, rest string, meta ...string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + rest + `"_meta":{` + strings.Join(meta, ",") + `}}}`
}

func TestHandle_Stateless(t *testing.T) {
	const (
		tools   = `,"tools":[{"name":"echo","description":"Use to try echo.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":true,"destructiveHint":false,"openWorldHint":false}}],"ttlMs":300000,"cacheScope":"private"}}`
		found   = `,"supportedVersions":` + names + `,"capabilities":{"tools":{}},"ttlMs":300000,"cacheScope":"private"}}`
		echoed  = `,"content":[{"type":"text","text":"{\"a\":1}"}]}}`
		echo    = `"name":"echo","arguments":{"a":1},`
		old     = `"io.modelcontextprotocol/protocolVersion":"2025-11-25"`
		odd     = `"io.modelcontextprotocol/protocolVersion":"v999.0.0"`
		trace   = `"traceparent":"00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01","tracestate":"a=b","baggage":"c=d","com.example/x":[1]`
		refusal = `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"unsupported protocol version \"v999.0.0\"","data":{"supported":` + names + `,"requested":"v999.0.0"}}}`
		missing = `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"server/discover needs _meta \"io.modelcontextprotocol/`
		hello   = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"`
	)
	tests := []struct{ name, in, want string }{
		{"discover", modern("server/discover", "", asks, able, who), answers + found},
		{"discover_anonymous", modern("server/discover", "", asks, able), answers + found},
		{"discover_trace", modern("server/discover", "", trace, asks, able), answers + found},
		{"discover_odd_client", modern("server/discover", "", asks, able, `"io.modelcontextprotocol/clientInfo":7`), answers + found},
		{"discover_without_params", `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, missing + `protocolVersion\""}}`},
		{"discover_without_meta", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}`, missing + `protocolVersion\""}}`},
		{"discover_meta_null", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":null}}`, missing + `protocolVersion\""}}`},
		{"discover_meta_list", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":[]}}`, missing + `protocolVersion\""}}`},
		{"discover_no_version", modern("server/discover", "", able, who), missing + `protocolVersion\""}}`},
		{"discover_version_7", modern("server/discover", "", `"io.modelcontextprotocol/protocolVersion":7`, able), missing + `protocolVersion\""}}`},
		{"discover_no_capabilities", modern("server/discover", "", asks, who), missing + `clientCapabilities\""}}`},
		{"discover_capabilities_list", modern("server/discover", "", asks, `"io.modelcontextprotocol/clientCapabilities":[]`), missing + `clientCapabilities\""}}`},
		{"discover_case", modern("server/discover", "", strings.ToUpper(asks), able), missing + `protocolVersion\""}}`},
		{"discover_version_odd", modern("server/discover", "", odd, able), refusal},
		{"discover_last_wins", modern("server/discover", "", odd, asks, able), answers + found},
		{"discover_escaped", modern("server/discover", "", `"io.modelcontextprotocol\/protocolVersion":"2026\u002d07-28"`, able), answers + found},
		{"version_with_initialize", modern("tools/list", "", old, able), refused("1", -32022)},
		{"version_empty", modern("tools/list", "", `"io.modelcontextprotocol/protocolVersion":""`, able), refused("1", -32022)},

		{"list", modern("tools/list", "", asks, able), answers + tools},
		{"list_cursor_empty", modern("tools/list", `"cursor":"",`, asks, able), answers + tools},
		{"list_cursor_bad", modern("tools/list", `"cursor":"x",`, asks, able), refused("1", -32602)},
		{"list_no_version", modern("tools/list", "", able), refused("1", -32602)},
		{"list_client_alone", modern("tools/list", "", who), refused("1", -32602)},
		{"list_no_capabilities", modern("tools/list", "", asks), refused("1", -32602)},
		{"list_version_odd", modern("tools/list", "", odd), strings.Replace(refusal, "server/discover", "tools/list", 1)},
		{"call", modern("tools/call", echo, asks, able, trace), answers + echoed},
		{"call_no_capabilities", modern("tools/call", echo, asks), refused("1", -32602)},
		{"call_unknown", modern("tools/call", `"name":"nope",`, asks, able), refused("1", -32602) + `"unknown tool`},
		{"call_bad_arguments", modern("tools/call", `"name":"echo","arguments":[],`, asks, able), refused("1", -32602)},

		{"initialize", modern("initialize", `"protocolVersion":"2025-11-25",`, asks, able), refused("1", -32601) + `"revision 2026-07-28 has no method initialize"}}`},
		{"initialize_half", modern("initialize", `"protocolVersion":"2025-11-25",`, asks), hello},
		{"initialize_old_meta", modern("initialize", `"protocolVersion":"2025-11-25",`, old, able), hello},
		{"ping", modern("ping", "", asks, able), refused("1", -32601)},
		{"set_level", modern("logging/setLevel", `"level":"info",`, asks, able), refused("1", -32601)},
		{"subscribe", modern("resources/subscribe", `"uri":"x:",`, asks, able), refused("1", -32601)},
		{"resources", modern("resources/list", "", asks, able), refused("1", -32601)},
		{"unknown", modern("no/such", "", asks), refused("1", -32601)},
		{"params_list", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":[]}`, refused("1", -32602)},
		{"notification", `{"jsonrpc":"2.0","method":"server/discover","params":{"_meta":{` + asks + `}}}`, ""},
		{"batch", "[" + modern("tools/list", "", asks, able) + "]", refused("null", -32600)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHandler()
			for range 2 { // nothing is kept from the first
				if got := handle(t, h, tt.in); !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
			}
		})
	}
}

// TestHandle_BothEras holds that stateless requests neither need, see nor touch
// what initialize settled on the same connection.
func TestHandle_BothEras(t *testing.T) {
	h := newHandler()
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	const pong = `{"jsonrpc":"2.0","id":1,"result":{}}`
	discovered := handle(t, h, modern("server/discover", "", asks, able))
	listed := handle(t, h, modern("tools/list", "", asks, able, who))
	plain := handle(t, h, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if !strings.HasPrefix(discovered, answers) || !strings.HasPrefix(listed, answers) || strings.Contains(plain, "resultType") {
		t.Fatalf("before initialize: %s\n%s\n%s", discovered, listed, plain)
	}
	if got := handle(t, h, ping); got != pong {
		t.Errorf("ping after discover: %s", got)
	}
	for _, version := range []string{"2025-03-26", "2025-11-25"} {
		open(t, h, version)
		for in, want := range map[string]string{
			modern("server/discover", "", asks, able): discovered,
			modern("tools/list", "", asks, able, who): listed,
			ping: pong,
		} {
			if got := handle(t, h, in); got != want {
				t.Errorf("%s: %s:\ngot  %s\nwant %s", version, in, got, want)
			}
		}
		if got := handle(t, h, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"`+version+`"}}`); !strings.Contains(got, `"protocolVersion":"`+version+`"`) {
			t.Errorf("initialize %s: %s", version, got)
		}
	}
	open(t, h, "2025-03-26")
	got := handle(t, h, "["+ping+","+modern("tools/call", `"name":"echo",`, asks, able)+","+modern("subscriptions/listen", "", asks, able)+"]")
	if want := "[" + pong + "," + refused("1", -32600); !strings.HasPrefix(got, want) || strings.Count(got, "-32600") != 2 {
		t.Errorf("batch: got %s", got)
	}
}

func TestHandle_StatelessMeta(t *testing.T) {
	one := tool("one", true, echo)
	one.Title, one.Meta = "One", json.RawMessage(`{ "anthropic/alwaysLoad": true }`)
	h := newHandler(one)
	got := handle(t, h, modern("tools/list", "", asks, able))
	if !strings.Contains(got, `"title":"One"`) || !strings.Contains(got, `"_meta":{"anthropic/alwaysLoad":true}}`) {
		t.Errorf("got %s", got)
	}
}

func TestHandle_StatelessInstructions(t *testing.T) {
	h := mcpproto.New(mcpproto.Info{Name: "n", Version: "1"}, nil, mcpproto.Options{Instructions: "Use <it>."})
	if got := handle(t, h, modern("server/discover", "", asks, able)); !strings.Contains(got, `"instructions":"Use <it>."`) {
		t.Errorf("got %s", got)
	}
	if got := handle(t, h, modern("tools/list", "", asks, able)); !strings.Contains(got, `"tools":[]`) {
		t.Errorf("no tools: %s", got)
	}
}

func TestHandle_StatelessResults(t *testing.T) {
	results := map[string]mcpproto.Result{
		"object": {Structured: json.RawMessage(`{"a":1}`)},
		"list":   {Structured: json.RawMessage(`[1, 2]`)},
		"broken": {Structured: json.RawMessage(`[`)},
		"error":  {Content: mcpproto.Text("no").Content, Structured: json.RawMessage(`{}`), IsError: true},
	}
	want := map[string]string{
		"object": `,"content":[],"structuredContent":{"a":1}}}`,
		"list":   `,"content":[],"structuredContent":[1,2]}}`,
		"broken": `,"content":[]}}`,
		"error":  `,"content":[{"type":"text","text":"no"}],"isError":true}}`,
	}
	h := newHandler(tool("t", true, func(_ context.Context, c *mcpproto.Call) (mcpproto.Result, error) {
		var in struct{ Case string }
		err := json.Unmarshal(c.Arguments, &in)
		return results[in.Case], err
	}))
	for name, want := range want {
		got := handle(t, h, modern("tools/call", fmt.Sprintf(`"name":"t","arguments":{"Case":%q},`, name), asks, able))
		if got != answers+want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, answers+want)
		}
	}
}

// TestCall_StatelessFields holds that a call sees its own request's client, not
// the one that initialize or an earlier request told.
func TestCall_StatelessFields(t *testing.T) {
	var seen []string
	h := newHandler(tool("look", true, func(_ context.Context, c *mcpproto.Call) (mcpproto.Result, error) {
		seen = append(seen, fmt.Sprint(c.Version, c.Client, len(c.Meta) > 0))
		c.Progress(1, 2, "half")
		return mcpproto.Text(""), nil
	}))
	open(t, h, "2025-06-18")
	var sent []string
	for _, msg := range []string{
		modern("tools/call", `"name":"look",`, asks, able, who, `"progressToken":0`),
		modern("tools/call", `"name":"look",`, asks, able),
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look"}}`,
	} {
		h.Handle(t.Context(), []byte(msg), func(b []byte) { sent = append(sent, string(b)) })
	}
	if want := []string{"2026-07-28{m M 7} true", "2026-07-28{  } true", "2025-06-18{c C 9} false"}; !reflect.DeepEqual(seen, want) {
		t.Errorf("got  %q\nwant %q", seen, want)
	}
	if want := []string{`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":0,"progress":1,"total":2,"message":"half"}}`}; !reflect.DeepEqual(sent, want) {
		t.Errorf("got  %s\nwant %s", sent, want)
	}
}

func TestHandle_Listen(t *testing.T) {
	const ack = `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"listen:0"},"notifications":{}}}`
	const end = `{"jsonrpc":"2.0","id":"listen:0","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test","title":"Test","version":"1"},"io.modelcontextprotocol/subscriptionId":"listen:0"}}}`
	h := newHandler()
	for _, filter := range []string{``, `"notifications":{},`, `"notifications":{"toolsListChanged":true,"resourceSubscriptions":["x:"]},`} {
		msg := strings.Replace(modern("subscriptions/listen", filter, asks, able), `"id":1`, `"id":"listen:0"`, 1)
		m := h.Parse([]byte(msg))
		if m.Class() != mcpproto.Standing || !reflect.DeepEqual(m.IDs(), []string{`"listen:0"`}) {
			t.Errorf("%s: %v %q", msg, m.Class(), m.IDs())
		}
		var sent []string
		got := string(m.Answer(t.Context(), func(b []byte) { sent = append(sent, string(b)) }))
		if got != end || !reflect.DeepEqual(sent, []string{ack}) {
			t.Errorf("%s:\ngot  %s %s\nwant %s %s", msg, sent, got, ack, end)
		}
		if got := handle(t, h, msg); got != end { // nobody to notify
			t.Errorf("got  %s\nwant %s", got, end)
		}
	}
	for name, msg := range map[string]string{
		"no_meta":  `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{}}}`,
		"not_able": modern("subscriptions/listen", "", asks),
		"filter":   modern("subscriptions/listen", `"notifications":[],`, asks, able),
	} {
		m := h.Parse([]byte(msg))
		got := string(m.Answer(t.Context(), func(b []byte) { t.Errorf("%s: sent %s", name, b) }))
		if m.Class() != mcpproto.Immediate || !strings.HasPrefix(got, refused("1", -32602)) {
			t.Errorf("%s: got %v %s", name, m.Class(), got)
		}
	}
}
