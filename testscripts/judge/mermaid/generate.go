//go:build ignore

// Command generate prints diagrams whose labels are as hostile as labels get,
// as JSON: a list of {name, text}. The same seed prints the same.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/slipstream-mcp/slipstream/mermaid"
)

// diagram is one case of the judge.
type diagram struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

func main() {
	n := flag.Int("n", 2000, "how many diagrams")
	seed := flag.Uint64("seed", 1, "seed of the random numbers")
	flag.Parse()
	g := generator{rand.New(rand.NewPCG(*seed, 0))}
	kinds := []struct {
		name string
		make func() string
	}{
		{"mindmap", g.mindmap}, {"flowchart", g.flowchart}, {"sequence", g.sequence}, {"class", g.class}, {"state", g.state},
	}
	var all []diagram
	for i := range *n {
		k := kinds[i%len(kinds)]
		all = append(all, diagram{fmt.Sprintf("%s-%d", k.name, i), k.make()})
	}
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// generator makes random diagrams.
type generator struct{ *rand.Rand }

func one[T any](g generator, of []T) T { return of[g.IntN(len(of))] }

// words are names and fragments that mean something to a lexer of Mermaid, to
// Markdown, to HTML or to the terminal.
var words = []string{
	"end", "graph", "default", "class", "flowchart", "subgraph", "mindmap", "mindmap.go", "Mindmap", "state", "note", "note for x", "style a:#b;",
	"style", "classDef x:#f00;", "linkStyle", "click", "call f()", "href", "direction LR", "direction TB", "DIRECTION  RL", "participant", "actor",
	"loop", "alt", "else", "opt", "par", "and", "rect", "critical", "break", "over", "as", "activate", "deactivate", "box", "create", "destroy",
	"title: x", "title", "accTitle: x", "accDescr { x }", "autonumber", "namespace", "cssClass", "callback", "link", "links", "properties",
	"details", "scale 2", "fork", "<<fork>>", "[[choice]]", "[*]", "--", "-->", "->>", "-)", "==>", "-.->", "~~~", "---", "===", "***", "%%", "%%{init: {}}%%",
	"%% comment", ":::", "::icon(fa fa-x)", "fa:fa-car", "wrap: x", "nowrap:x", "1. one", "1) one", "- item", "+ item", "* item", "> quote", "# head",
	"__init__.py", "_a_", "**b**", "*c*", "`d`", "`", "```", "```mermaid", "\"", "\"`md`\"", "'", "''", "a\"b", "#quot;", "#35;", "#", "##", "&amp;",
	"&#35;", "&", "<b>x</b>", "<br>", "<br/>", "<script>alert(1)</script>", "<img src=x onerror=\"y\">", "<", ">", "[", "]", "(", ")", "{", "}", "[[", "]]",
	"((", "))", "{{", "}}", "[(x)]", "(-", "-)", "|", "||", "\\", "\\n", "\\\"", "/", "[/x/]", "[\\x\\]", "$", "$$x^2$$", "@", "@{ shape: x }", "a@b.c", "a@{",
	"~", "~T~", "List~int~", "+x", "-x", "x*", "x$", "!", "?", "^", "=", ",", ";", ";;", ":", ".", "..", "...", "x", "o", "v", "<|--", "%", "https://a.b/c?d=e&f#g", "www.a.b",
	"", " ", "  ", "\t", "\n", "\r\n", "a\nb", "\na", "a\n", "\n\n", " a", "a ", "a  b", "\u00a0", "\u2028", "\u2029", "\u0085", "\u200b", "\u200d", "\ufeff",
	"\x00", "\x01", "\x1b[31m", "\x7f", "\x80", "\xff\xfe", "\ufffe", "\uffff", "\ufffd", "ﬂ°°35¶ß", "ﬂ°lt¶ß", "ﬂ", "¶", "°", "ß",
	"😀", "👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "é", "e\u0301", "日本語", "שלום", "مرحبا", "\u202eabc\u202c", "\u2066x\u2069", "Ω", "ſtyle", "K", "…", "… 12 more", "constructor", "__proto__", "toString",
	"main.go", "src/app-x/foo_bar.ts", ".gitignore", "@types/node", "C:\\x\\y", "a-b", "a_b", "func(x int) error", "map[string]int", "true", "null", "0", "00", "1", "-1", "1.5",
}

// label returns a hostile label: a few words, or characters of any kind, rarely ten thousand of them.
func (g generator) label() string {
	var b strings.Builder
	switch n := g.IntN(100); {
	case n == 0:
		for range 10_000 {
			b.WriteRune(g.char())
		}
	case n == 1:
		return strings.Repeat(one(g, words), 300)
	case n < 25:
		for range g.IntN(20) {
			b.WriteRune(g.char())
		}
	case n < 60:
		return one(g, words)
	default:
		for range 1 + g.IntN(5) {
			b.WriteString(one(g, words))
			b.WriteString(one(g, []string{"", " ", "", "\n", "a"}))
		}
	}
	return b.String()
}

// char returns a character, most often one of ASCII.
func (g generator) char() rune {
	switch g.IntN(8) {
	case 0:
		return rune(g.IntN(0x250))
	case 1:
		return rune(g.IntN(0x3000))
	case 2:
		return rune(g.IntN(0x110000))
	}
	return rune(g.IntN(0x80))
}

func (g generator) theme() mermaid.Theme {
	return one(g, []mermaid.Theme{mermaid.Dark, mermaid.Light, mermaid.HighContrast, "no theme"})
}

func (g generator) direction() mermaid.Direction {
	return one(g, []mermaid.Direction{mermaid.LeftRight, mermaid.RightLeft, mermaid.TopDown, mermaid.BottomUp, "down"})
}

// labels returns up to n labels, which serve as IDs.
func (g generator) labels(n int) []string {
	all := make([]string, 1+g.IntN(n))
	for i := range all {
		all[i] = g.label()
	}
	return all
}

func (g generator) mindmap() string {
	o := mermaid.MindmapOptions{Theme: g.theme()}
	if g.IntN(2) == 0 {
		o.MaxTokens = 200 + g.IntN(400)
	}
	return mermaid.Mindmap(g.tree(4), o)
}

func (g generator) tree(depth int) mermaid.Tree {
	t := mermaid.Tree{Label: g.label(), Rank: g.Float64()}
	for range g.IntN(depth + 1) {
		t.Children = append(t.Children, g.tree(depth-1))
	}
	return t
}

func (g generator) flowchart() string {
	shapes := []mermaid.Shape{mermaid.Box, mermaid.Round, mermaid.Stadium, mermaid.Circle, mermaid.Diamond, mermaid.Hexagon, mermaid.Cylinder, mermaid.Subroutine, "?"}
	lines := []mermaid.Line{mermaid.Solid, mermaid.Dotted, mermaid.Thick, mermaid.Plain, "?"}
	chart := mermaid.Graph{Direction: g.direction()}
	ids := g.labels(8)
	for _, id := range ids {
		n := mermaid.Node{ID: id, Label: g.label(), Shape: one(g, shapes)}
		if g.IntN(3) == 0 {
			n.Group = g.label()
		}
		chart.Nodes = append(chart.Nodes, n)
	}
	for range g.IntN(8) {
		chart.Edges = append(chart.Edges, mermaid.Edge{From: one(g, ids), To: one(g, append(ids, g.label())), Label: g.label(), Line: one(g, lines)})
	}
	if g.IntN(50) == 0 {
		for range 600 {
			chart.Edges = append(chart.Edges, mermaid.Edge{From: one(g, ids), To: one(g, ids)})
		}
	}
	return mermaid.Flowchart(chart, g.theme())
}

func (g generator) sequence() string {
	ids := g.labels(4)
	c := mermaid.Conversation{}
	for _, id := range ids {
		c.Participants = append(c.Participants, mermaid.Participant{ID: id, Label: g.label(), Actor: g.IntN(2) == 0})
	}
	c.Steps = g.steps(ids, 3)
	return mermaid.SequenceDiagram(c, g.theme())
}

func (g generator) steps(ids []string, depth int) []mermaid.Step {
	kinds := []mermaid.StepKind{
		mermaid.Message, mermaid.Reply, mermaid.Async, mermaid.Note, mermaid.Loop, mermaid.Option, mermaid.Alternative, mermaid.Parallel, mermaid.Branch, "?",
	}
	var all []mermaid.Step
	for range g.IntN(5) {
		s := mermaid.Step{Kind: one(g, kinds), From: one(g, ids), To: one(g, append(ids, g.label())), Text: g.label()}
		if depth > 0 {
			s.Steps = g.steps(ids, depth-1)
		}
		all = append(all, s)
	}
	return all
}

func (g generator) class() string {
	kinds := []mermaid.RelationKind{mermaid.Knows, mermaid.Extends, mermaid.Implements, mermaid.Owns, mermaid.Holds, mermaid.Uses, "?"}
	m := mermaid.Model{Direction: g.direction()}
	ids := g.labels(5)
	for _, id := range ids {
		m.Classes = append(m.Classes, mermaid.Class{ID: id, Label: g.label(), Stereotype: g.label(), Fields: g.members(), Methods: g.members()})
	}
	for range g.IntN(6) {
		m.Relations = append(m.Relations, mermaid.Relation{
			From: one(g, ids), To: one(g, append(ids, g.label())), Kind: one(g, kinds), Label: g.label(), FromCount: g.label(), ToCount: g.label(),
		})
	}
	return mermaid.ClassDiagram(m, g.theme())
}

func (g generator) members() []mermaid.Member {
	seen := []mermaid.Visibility{mermaid.Public, mermaid.Private, mermaid.Protected, mermaid.Internal, "", "?"}
	var all []mermaid.Member
	for range g.IntN(4) {
		all = append(all, mermaid.Member{
			Visibility: one(g, seen), Name: g.label(), Params: g.label(), Type: g.label(), Static: g.IntN(4) == 0, Abstract: g.IntN(4) == 0,
		})
	}
	return all
}

func (g generator) state() string {
	m := mermaid.Machine{Direction: g.direction()}
	m.States, m.Transitions = g.machine(2)
	return mermaid.StateDiagram(m, g.theme())
}

func (g generator) machine(depth int) ([]mermaid.State, []mermaid.Transition) {
	kinds := []mermaid.StateKind{mermaid.Normal, mermaid.Normal, mermaid.Choice, mermaid.Fork, mermaid.Join, "?"}
	ids := g.labels(4)
	var states []mermaid.State
	for _, id := range ids {
		s := mermaid.State{ID: id, Label: g.label(), Kind: one(g, kinds)}
		if g.IntN(3) == 0 {
			s.Note = g.label()
		}
		if depth > 0 && g.IntN(2) == 0 {
			s.States, s.Transitions = g.machine(depth - 1)
		}
		states = append(states, s)
	}
	var transitions []mermaid.Transition
	for range g.IntN(5) {
		transitions = append(transitions, mermaid.Transition{From: one(g, append(ids, "")), To: one(g, append(ids, "", g.label())), Label: g.label()})
	}
	return states, transitions
}
