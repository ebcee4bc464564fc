//go:build cgo

package treesitter

import (
	"context"
	"slices"

	sitter "github.com/smacker/go-tree-sitter"
)

// Available reports whether this build can parse.
const Available = true

// Grammar parses one language. It is safe for concurrent use.
type Grammar struct {
	language *sitter.Language
	skip     func(*Node) bool
	kinds    []kind
}

// kind is what is known of a grammar's symbol before any text is seen.
type kind struct {
	name        string
	enter, trim bool
}

// New prepares a grammar of the parser library.
func New(language *sitter.Language, spec Spec) *Grammar {
	g := &Grammar{language: language, skip: spec.Skip, kinds: make([]kind, language.SymbolCount())}
	for i := range g.kinds {
		name := language.SymbolName(sitter.Symbol(i))
		g.kinds[i] = kind{name, slices.Contains(spec.Enter, name), slices.Contains(spec.Trim, name)}
	}
	return g
}

func (g *Grammar) kind(s sitter.Symbol) kind {
	if int(s) < len(g.kinds) {
		return g.kinds[s]
	}
	return kind{name: "ERROR", enter: true}
}

// Parse parses src. The error is the context's.
func (g *Grammar) Parse(ctx context.Context, src []byte) (*Tree, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := sitter.NewParser()
	defer p.Close()
	p.SetLanguage(g.language)
	t, err := p.ParseCtx(ctx, nil, src)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	root := t.RootNode()
	tree := &Tree{Errors: errors(root)}
	tree.Root, err = g.copy(ctx, root)
	return tree, err
}

// copy walks with a cursor and no recursion, since trees may be deep.
func (g *Grammar) copy(ctx context.Context, root *sitter.Node) (*Node, error) {
	c := sitter.NewTreeCursor(root)
	defer c.Close()
	var parent, prev *Node
	for steps := 1; ; steps++ {
		if steps%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		at := c.CurrentNode()
		k := g.kind(at.Symbol())
		n := &Node{
			Kind: k.name, Field: c.CurrentFieldName(),
			Start: int(at.StartByte()), End: int(at.EndByte()),
			Parent: parent, Prev: prev,
		}
		n.Missing = n.Start == n.End && at.IsMissing()
		if k.trim {
			n.End = codeEnd(at)
		}
		if prev != nil {
			prev.Next = n
		} else if parent != nil {
			parent.First = n
		}
		enter := parent == nil || k.enter && (g.skip == nil || !g.skip(n))
		if enter && c.GoToFirstChild() {
			parent, prev = n, nil
			continue
		}
		prev = n
		for prev.Parent != nil && !c.GoToNextSibling() {
			c.GoToParent()
			prev, parent = prev.Parent, prev.Parent.Parent
		}
		if prev.Parent == nil {
			return prev, nil
		}
	}
}

// errors counts the nodes of errors and the missing ones, and looks only where
// there are some.
func errors(root *sitter.Node) int {
	if !root.HasError() {
		return 0
	}
	c := sitter.NewTreeCursor(root)
	defer c.Close()
	count, depth := 0, 0
	for {
		n := c.CurrentNode()
		bad := n.IsError() || n.IsMissing()
		if bad {
			count++
		}
		if !bad && n.HasError() && c.GoToFirstChild() {
			depth++
			continue
		}
		for depth > 0 && !c.GoToNextSibling() {
			c.GoToParent()
			depth--
		}
		if depth == 0 {
			return max(count, 1)
		}
	}
}

// codeEnd is where the last descendant that is no comment ends.
func codeEnd(n *sitter.Node) int {
	for {
		count := int(n.ChildCount())
		if count == 0 {
			return int(n.EndByte())
		}
		last := n.Child(count - 1)
		if last.IsExtra() {
			last = lastCode(n)
		}
		if last == nil {
			return int(n.EndByte())
		}
		n = last
	}
}

// lastCode is the last child that is no comment, or nil. It steps forward: to
// step back costs a walk from the first child each time.
func lastCode(n *sitter.Node) *sitter.Node {
	c := sitter.NewTreeCursor(n)
	defer c.Close()
	var last *sitter.Node
	for ok := c.GoToFirstChild(); ok; ok = c.GoToNextSibling() {
		if child := c.CurrentNode(); !child.IsExtra() {
			last = child
		}
	}
	return last
}
