package mapper_test

import (
	"context"
	"fmt"
	"strings"
	"testing/fstest"

	"github.com/slipstream-mcp/slipstream/mapper"
)

// functions is a parse function that knows what stands at the start of a line.
func functions(_ context.Context, _ string, src []byte) (mapper.File, error) {
	var f mapper.File
	for i, line := range strings.Split(string(src), "\n") {
		if name, ok := strings.CutPrefix(line, "function "); ok {
			name, _, _ = strings.Cut(name, "(")
			f.Symbols = append(f.Symbols, mapper.Symbol{Name: name, Kind: "function", Exported: true, Top: true, Line: i + 1, End: i + 1})
		} else if text, ok := strings.CutPrefix(line, "// "); ok && i == 0 {
			f.Purpose = text
		}
	}
	return f, nil
}

func Example() {
	project := fstest.MapFS{
		"src/greet.ts": {Data: []byte("// Greeting helpers.\nfunction greet() {}\n")},
		"src/cli.ts":   {Data: []byte("// Command line.\nfunction main() { greet() }\n")},
	}
	m, err := mapper.Scan(context.Background(), project, mapper.Options{Parse: functions})
	if err != nil {
		panic(err)
	}
	fmt.Print(m.Outline(mapper.OutlineOptions{MaxTokens: 4000}))
	for _, hit := range m.Search("greeting", 1) {
		fmt.Println(hit.Path, hit.Symbols[0].Name, hit.Symbols[0].Line)
	}
	// Output:
	// # Project map
	//
	// 2 files, 2 exported symbols, 0.1 KiB of source.
	//
	// ## Files
	//
	// ### src
	//
	// - `cli.ts` (2 lines) - Command line.
	//   - exports: main (function)
	// - `greet.ts` (2 lines) - Greeting helpers.
	//   - exports: greet (function)
	//
	// src/greet.ts greet 2
}
