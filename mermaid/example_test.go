package mermaid_test

import (
	"fmt"
	"strings"

	"github.com/slipstream-mcp/slipstream/mermaid"
)

func Example() {
	text := mermaid.Flowchart(mermaid.Graph{
		Nodes: []mermaid.Node{
			{ID: "end", Label: `say "hi"`},
			{ID: "src/[id].ts", Shape: mermaid.Round},
		},
		Edges: []mermaid.Edge{{From: "end", To: "src/[id].ts", Label: "then"}},
	}, mermaid.Light)
	_, diagram, _ := strings.Cut(text, "\n") // the first line is the theme
	fmt.Print(diagram)
	// Output:
	// flowchart LR
	//   n0["say #34;hi#34;"]
	//   n1("src/#91;id#93;.ts")
	//   n0 -->|"then"| n1
}

func ExampleMindmap() {
	project := mermaid.Tree{Label: "shop", Children: []mermaid.Tree{
		{Label: "src/", Children: []mermaid.Tree{
			{Label: "cart.ts", Rank: 9}, {Label: "tax.ts", Rank: 2}, {Label: "legacy.ts"},
		}},
		{Label: "README.md", Rank: 5},
		{Label: "vendor/", Children: []mermaid.Tree{{Label: "lib.js"}}},
	}}
	text := mermaid.Mindmap(project, mermaid.MindmapOptions{
		MaxTokens: 20,
		Tokens:    func(s string) int { return len(strings.Fields(s)) },
	})
	_, diagram, _ := strings.Cut(text, "\n")
	fmt.Print(diagram)
	// Output:
	// mindmap
	//   (shop)
	//     src/ +2
	//       cart.ts
	//     … 5 more
}
