package mermaid_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/slipstream-mcp/slipstream/mermaid"
)

var update = flag.Bool("update", false, "write the goldens anew")

// draw reads what a golden's graph.json holds and returns its diagram.
func draw(t *testing.T, kind string, data []byte) string {
	t.Helper()
	var head struct{ Theme mermaid.Theme }
	read := func(v any) {
		t.Helper()
		if err := json.Unmarshal(data, v); err != nil {
			t.Fatal(err)
		}
	}
	read(&head)
	switch kind {
	case "mindmap":
		var in struct {
			mermaid.Tree
			MaxTokens int
		}
		read(&in)
		return mermaid.Mindmap(in.Tree, mermaid.MindmapOptions{Theme: head.Theme, MaxTokens: in.MaxTokens})
	case "flowchart":
		var in mermaid.Graph
		read(&in)
		return mermaid.Flowchart(in, head.Theme)
	case "sequence":
		var in mermaid.Conversation
		read(&in)
		return mermaid.SequenceDiagram(in, head.Theme)
	case "class":
		var in mermaid.Model
		read(&in)
		return mermaid.ClassDiagram(in, head.Theme)
	case "state":
		var in mermaid.Machine
		read(&in)
		return mermaid.StateDiagram(in, head.Theme)
	}
	t.Fatalf("no diagram %q", kind)
	return ""
}

func TestGoldens(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*/graph.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no goldens: ", err)
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		kind := filepath.Base(filepath.Dir(dir))
		t.Run(kind+"/"+filepath.Base(dir), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := draw(t, kind, data)
			golden := filepath.Join(dir, "want.mmd")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}
