package mapper_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/slipstream-mcp/slipstream/mapper"
)

func Example() {
	project := fstest.MapFS{
		"src/greet.ts": {Data: []byte("// Greeting helpers.\nexport function greet() {}\n")},
		"src/cli.ts":   {Data: []byte("// Command line.\nexport const main = () => greet()\n")},
	}
	m, err := mapper.Scan(context.Background(), project, mapper.Options{Parse: naive})
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
	//   - exports: main (const)
	// - `greet.ts` (2 lines) - Greeting helpers.
	//   - exports: greet (function)
	//
	// src/greet.ts greet 2
}
