package testscripts_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestCanary looks for bodies where none may be: every body of the fixture holds a marker of its own, CANARY_ and the
// declaration's name. The map and the search never show one, a symbol only its own.
func TestCanary(t *testing.T) {
	handle, err := serve("testdata/canary")
	if err != nil {
		t.Fatal(err)
	}
	call := func(tool string, arguments map[string]any) string {
		t.Helper()
		params, _ := json.Marshal(map[string]any{"name": tool, "arguments": arguments})
		answer := handle(t.Context(), fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}`, params), nil)
		var msg struct {
			Result struct {
				Content []struct{ Text string }
				IsError bool
			}
		}
		if err := json.Unmarshal(answer, &msg); err != nil || msg.Result.IsError || len(msg.Result.Content) != 1 {
			t.Fatalf("%s %s answers %s, %v", tool, params, answer, err)
		}
		return msg.Result.Content[0].Text
	}
	marker := regexp.MustCompile(`CANARY_\w+`)

	files := map[string][]string{ // as sp_symbol is asked for them
		"lib/plain.go":  {"Open", "Store", "Store.Close", "Limit", "hidden"},
		"lib/shop.ts":   {"price", "Cart", "Cart.add", "Cart.total", "RATES", "hidden"},
		"lib/plain.js":  {"start", "stop"},
		"lib/engine.py": {"run", "Engine", "Engine.turn", "SPEED", "_hidden"},
	}
	for _, dir := range []string{"", "lib"} {
		text := call("sp_map", map[string]any{"root": dir})
		if found := marker.FindAllString(text, -1); found != nil {
			t.Errorf("the map of %q shows %q", dir, found)
		}
	}
	for file, symbols := range files {
		if text := call("sp_map", map[string]any{"root": file}); marker.MatchString(text) {
			t.Errorf("the map of %s shows a body:\n%s", file, text)
		}
		for _, symbol := range symbols {
			bare := symbol[strings.LastIndex(symbol, ".")+1:]
			if text := call("sp_search", map[string]any{"query": bare}); marker.MatchString(text) {
				t.Errorf("the search for %q shows a body:\n%s", bare, text)
			}
			text := call("sp_symbol", map[string]any{"file": file, "symbol": symbol})
			own := "CANARY_" + strings.ReplaceAll(symbol, ".", "_")
			if !strings.Contains(text, own) {
				t.Errorf("%s of %s lacks its own body:\n%s", symbol, file, text)
			}
			for _, found := range marker.FindAllString(text, -1) {
				if found != own && !strings.HasPrefix(found, own+"_") {
					t.Errorf("%s of %s shows %s:\n%s", symbol, file, found, text)
				}
			}
		}
	}
	if text := call("sp_search", map[string]any{"query": "canary"}); strings.Contains(text, "CANARY_") {
		t.Errorf("the search for the marker's word shows a body:\n%s", text)
	}
}
