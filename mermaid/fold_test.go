package mermaid_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/slipstream-mcp/slipstream/mermaid"
)

// tokens counts as a tokenizer does: up to five letters, or three of anything
// else, with the blanks before them. So the count of two texts together is not
// the sum of theirs.
func tokens(s string) int {
	n, length, letters := 0, 0, false
	for _, r := range s {
		if unicode.IsSpace(r) {
			length = 0
			continue
		}
		most := 3
		if unicode.IsLetter(r) {
			most = 5
		}
		if length == 0 || length == most || unicode.IsLetter(r) != letters {
			n, length, letters = n+1, 0, unicode.IsLetter(r)
		}
		length++
	}
	return n
}

// grove returns a tree of n nodes at most, every folder before its files.
func grove(r *rand.Rand, n int) mermaid.Tree {
	t := mermaid.Tree{Label: "project"}
	left := n - 1
	var grow func(t *mermaid.Tree, depth int)
	grow = func(t *mermaid.Tree, depth int) {
		for range 1 + r.IntN(8) {
			if left--; left < 0 {
				return
			}
			c := mermaid.Tree{Label: strings.Repeat(string(rune('a'+r.IntN(26))), 1+r.IntN(20)), Rank: float64(r.IntN(50))}
			switch r.IntN(12) {
			case 0:
				c.Label = strings.Repeat("(日) ", r.IntN(60))
			case 1:
				c.Rank = math.NaN()
			}
			if depth > 0 && r.IntN(3) == 0 {
				c.Label += "/"
				grow(&c, depth-1)
			}
			t.Children = append(t.Children, c)
		}
	}
	for left > 0 {
		grow(&t, 6)
	}
	return t
}

func size(t mermaid.Tree) int {
	n := 1
	for _, c := range t.Children {
		n += size(c)
	}
	return n
}

// TestMindmap_Budget holds that no budget is passed, that each is used, and
// that what is shown and what is said to be left out are together the tree.
func TestMindmap_Budget(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	more := regexp.MustCompile(`(?m)^    … (\d+) more$`)
	for i := range 200 {
		tree := grove(r, 2+r.IntN(400))
		max := 200 + r.IntN(1500)
		o := mermaid.MindmapOptions{MaxTokens: max, Tokens: tokens}
		got := mermaid.Mindmap(tree, o)
		if again := mermaid.Mindmap(tree, o); again != got {
			t.Fatalf("tree %d: two answers:\n%s\n%s", i, got, again)
		}
		n := tokens(got)
		if n > max {
			t.Errorf("tree %d: %d tokens pass the budget of %d", i, n, max)
		}
		shown := strings.Count(got, "\n") - 2
		left := 0
		if m := more.FindStringSubmatch(got); m != nil {
			left, _ = strconv.Atoi(m[1])
			shown--
			if n*20 < max*19 {
				t.Errorf("tree %d: %d nodes are left out at %d tokens of %d", i, left, n, max)
			}
		}
		if shown+left != size(tree) {
			t.Errorf("tree %d: %d shown and %d left out of %d", i, shown, left, size(tree))
		}
	}
}

func TestMindmap_KeepsTheBest(t *testing.T) {
	tree := mermaid.Tree{Label: "root"}
	for i := range 50 {
		tree.Children = append(tree.Children, mermaid.Tree{Label: fmt.Sprintf("dir%d/", i), Children: []mermaid.Tree{{Label: "x.go"}}})
	}
	tree.Children[40].Children = append(tree.Children[40].Children, mermaid.Tree{Label: "best.go", Rank: 1})
	got := mermaid.Mindmap(tree, mermaid.MindmapOptions{MaxTokens: 200, Tokens: tokens})
	if !strings.Contains(got, "    dir40/ +1\n      best.go\n") {
		t.Errorf("best.go is not shown:\n%s", got)
	}
}

func TestMindmap_LongRoot(t *testing.T) {
	for _, root := range []string{strings.Repeat("long ", 2000), strings.Repeat("(", 10_000)} {
		got := mermaid.Mindmap(mermaid.Tree{Label: root, Children: []mermaid.Tree{{Label: "a"}}}, mermaid.MindmapOptions{MaxTokens: 200, Tokens: tokens})
		if n := tokens(got); n > 200 || n < 190 {
			t.Errorf("%d tokens for a budget of 200:\n%s", n, got)
		}
	}
	if got := mermaid.Mindmap(mermaid.Tree{Label: "a"}, mermaid.MindmapOptions{MaxTokens: 5}); got != "" {
		t.Errorf("a budget of 5 gives %q", got)
	}
}

func TestFlowchart_Edges(t *testing.T) {
	g := mermaid.Graph{}
	for range 512 {
		g.Edges = append(g.Edges, mermaid.Edge{From: "a", To: "b"})
	}
	got := mermaid.Flowchart(g, mermaid.Dark)
	if n := strings.Count(got, "-->"); n != 500 || !strings.Contains(got, "… 12 more edges") {
		t.Errorf("%d edges:\n%s", n, got[:400])
	}
}

func TestFence(t *testing.T) {
	for in, want := range map[string]string{
		"a":      "```mermaid\na\n```\n",
		"a\n":    "```mermaid\na\n```\n",
		"a```\n": "````mermaid\na```\n````\n",
	} {
		if got := mermaid.Fence(in); got != want {
			t.Errorf("Fence(%q) = %q, want %q", in, got, want)
		}
	}
}
