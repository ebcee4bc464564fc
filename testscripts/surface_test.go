package testscripts_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/budget"
)

// tool is a descriptor as tools/list gives it.
type tool struct {
	Name         string
	Description  string
	InputSchema  property
	OutputSchema json.RawMessage
	Annotations  map[string]bool
}

// property is the portable part of a schema; what else a schema holds is found by raw.
type property struct {
	Type                 string
	Description          string
	Properties           map[string]property
	Required             []string
	Items                *property
	AdditionalProperties *bool
}

// listTools asks a server on the sample for its tools.
func listTools(t *testing.T) []tool {
	t.Helper()
	var list struct{ Tools []tool }
	if err := json.Unmarshal(ask(t, "tools/list", `{}`), &list); err != nil {
		t.Fatal(err)
	}
	return list.Tools
}

// ask sends one request to a server on a copy of the sample and returns the result.
func ask(t *testing.T, method, params string) json.RawMessage {
	t.Helper()
	sample := t.TempDir()
	if err := os.CopyFS(sample, os.DirFS("testdata/sample")); err != nil {
		t.Fatal(err)
	}
	handle, err := serve(sample)
	if err != nil {
		t.Fatal(err)
	}
	answer := handle(t.Context(), fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params), nil)
	var msg struct{ Result json.RawMessage }
	if err := json.Unmarshal(answer, &msg); err != nil || msg.Result == nil {
		t.Fatalf("%s answers %s, %v", method, answer, err)
	}
	return msg.Result
}

// samples gives each tool arguments that it answers on the sample.
func samples() map[string]string {
	all := map[string]string{
		"sp_remember":     `{"fact":"Deploys run from main only."}`,
		"sp_forget":       `{"name":"deploys-run-from-main-only"}`,
		"capture_thought": `{"content":"[Decision] We run CI on two cores."}`,
	}
	maps.Copy(all, reads())
	return all
}

// reads are the samples that write nothing.
func reads() map[string]string {
	return map[string]string{
		"sp_map":           `{}`,
		"sp_symbol":        `{"file":"src/greet.ts","symbol":"greet"}`,
		"sp_lines":         `{"file":"src/greet.ts","start":1,"end":2}`,
		"sp_search":        `{"query":"greet"}`,
		"sp_recall":        `{"query":"deploys"}`,
		"sp_search_memory": `{"query":"checkout"}`,
		"sp_timeline":      `{"around":"1"}`,
		"sp_observations":  `{"ids":[1]}`,
		"sp_lessons":       `{}`,
		"sp_savings":       `{}`,
		"sp_budget":        `{}`,
		"search_thoughts":  `{"query":"cores"}`,
		"list_thoughts":    `{}`,
		"thought_stats":    `{}`,
		"fetch":            `{"id":"0192f3c4-7b1e-7c55-9a10-5d2f6b7c8e90"}`,
		"sp_mindmap":       `{}`,
	}
}

// TestSurface compares what the server offers with what was promised: additions pass, changes and removals do not.
func TestSurface(t *testing.T) {
	promised, err := os.ReadFile("surface_v1.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for line := range strings.Lines(string(promised)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			known[line] = true
		}
	}
	offered := map[string]bool{}
	for _, tool := range listTools(t) {
		offered[tool.Name] = true
		for _, name := range slices.Sorted(maps.Keys(tool.InputSchema.Properties)) {
			line := fmt.Sprintf("%s %s: %s", tool.Name, name, typeOf(tool.InputSchema.Properties[name]))
			if slices.Contains(tool.InputSchema.Required, name) {
				line += ", required"
				if known[tool.Name] && !known[line] {
					t.Errorf("%q is a new duty for who calls %s already", line, tool.Name)
				}
			}
			offered[line] = true
		}
		for _, key := range resultKeys(t, tool.Name) {
			offered[tool.Name+" -> "+key] = true
		}
	}
	for _, line := range slices.Sorted(maps.Keys(known)) {
		if !offered[line] {
			t.Errorf("promised and gone: %q", line)
		}
	}
	if t.Failed() {
		t.Logf("offered:\n%s", strings.Join(slices.Sorted(maps.Keys(offered)), "\n"))
	}
}

func typeOf(p property) string {
	if p.Type == "array" && p.Items != nil {
		return "array of " + p.Items.Type
	}
	return p.Type
}

// resultKeys lists the keys of a tool's answer, with those of its structured content below it.
func resultKeys(t *testing.T, name string) []string {
	t.Helper()
	arguments, ok := samples()[name]
	if !ok {
		t.Errorf("tool %q has no sample call", name)
		return nil
	}
	var result struct {
		Content    []struct{ Type string }
		Structured map[string]json.RawMessage `json:"structuredContent"`
		IsError    bool
	}
	if err := json.Unmarshal(ask(t, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, arguments)), &result); err != nil {
		t.Fatal(err)
	}
	if result.IsError {
		t.Errorf("%s refuses its sample call", name)
	}
	var keys []string
	for _, c := range result.Content {
		keys = append(keys, "content: "+c.Type)
	}
	for key := range result.Structured {
		keys = append(keys, "structuredContent."+key)
	}
	return keys
}

// TestDescriptors holds every tool to what all clients accept and to what all sessions can pay for.
func TestDescriptors(t *testing.T) {
	const (
		tools, mostBytes, mostTokens = 20, 12288, 3000 // the whole set and what it may cost
		mostText, mostWords          = 300, 8
	)
	raw := bytes.TrimSuffix(bytes.TrimPrefix(ask(t, "tools/list", `{}`), []byte(`{"tools":`)), []byte(`}`))
	all := listTools(t)
	if got, most := len(raw), mostBytes*len(all)/tools; got > most {
		t.Errorf("tools/list takes %d bytes for %d tools, over %d", got, len(all), most)
	}
	if got, most := budget.TokensOf(raw), mostTokens*len(all)/tools; got > most {
		t.Errorf("tools/list takes %d tokens for %d tools, over %d", got, len(all), most)
	}
	name, key := regexp.MustCompile(`^[a-z0-9_]{1,40}$`), regexp.MustCompile(`^[a-zA-Z0-9_]{1,64}$`)
	writes := []string{"sp_remember", "sp_forget", "capture_thought", "sp_dashboard"}
	shared := map[string]string{} // property -> description
	for _, tool := range all {
		if !name.MatchString(tool.Name) || len("mcp__plugin_slipstream_slipstream__"+tool.Name) > 64 {
			t.Errorf("tool name %q does not fit every client", tool.Name)
		}
		if !strings.HasPrefix(tool.Description, "Use ") || len(tool.Description) >= mostText {
			t.Errorf("%s: description of %d characters %q; it says when to use the tool in under %d", tool.Name, len(tool.Description), tool.Description, mostText)
		}
		if tool.OutputSchema != nil {
			t.Errorf("%s declares an output schema", tool.Name)
		}
		want := map[string]bool{"readOnlyHint": !slices.Contains(writes, tool.Name), "destructiveHint": tool.Name == "sp_forget", "openWorldHint": false}
		for hint, value := range want {
			if got, ok := tool.Annotations[hint]; !ok || got != value {
				t.Errorf("%s: %s is %t (stated: %t), want %t", tool.Name, hint, got, ok, value)
			}
		}
		if add := tool.InputSchema.AdditionalProperties; tool.InputSchema.Type != "object" || add == nil || *add {
			t.Errorf("%s: its schema is no closed object", tool.Name)
		}
		for prop, p := range tool.InputSchema.Properties {
			if !key.MatchString(prop) || p.Description == "" {
				t.Errorf("%s: property %q, described as %q", tool.Name, prop, p.Description)
			}
			if before, ok := shared[prop]; ok && before == p.Description && len(strings.Fields(before)) > mostWords {
				t.Errorf("%s: property %q is shared and takes more than %d words: %q", tool.Name, prop, mostWords, before)
			}
			shared[prop] = p.Description
		}
	}
	var list []struct {
		Name        string
		InputSchema json.RawMessage
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	for _, tool := range list {
		decoder := json.NewDecoder(bytes.NewReader(tool.InputSchema))
		decoder.UseNumber()
		var schema any
		if err := decoder.Decode(&schema); err != nil {
			t.Fatal(err)
		}
		for _, fault := range unportable(schema, tool.Name) {
			t.Error(fault)
		}
	}
}

// unportable names what some client is known to drop, repair or refuse in a schema.
func unportable(schema any, at string) (faults []string) {
	s, ok := schema.(map[string]any)
	if !ok {
		return []string{fmt.Sprintf("%s: the schema %v is no object", at, schema)}
	}
	kinds := []string{"object", "string", "integer", "number", "boolean", "array"}
	kind, _ := s["type"].(string)
	if !slices.Contains(kinds, kind) {
		faults = append(faults, fmt.Sprintf("%s: type is %v, not one of %v", at, s["type"], kinds))
	}
	known := []string{"type", "properties", "required", "additionalProperties", "items", "enum", "description", "minimum", "maximum",
		"default", "minItems", "maxItems"}
	for _, word := range slices.Sorted(maps.Keys(s)) {
		if !slices.Contains(known, word) {
			faults = append(faults, fmt.Sprintf("%s: %q is outside the portable words", at, word))
		}
	}
	if kind == "array" {
		faults = append(faults, unportable(s["items"], at+"[]")...)
	}
	properties, _ := s["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		faults = append(faults, unportable(properties[name], at+"."+name)...)
	}
	return faults
}
