// Package treesitter is the one place that touches the parser library. It
// parses a text and copies the part of the tree that declares things into plain
// Go values, so that the language packages need no cgo and no bodies of
// functions are walked.
//
// A build without cgo has no parser: Parse then returns symbols.ErrNoGrammar.
package treesitter

import "iter"

// Spec says which part of a grammar's tree is worth copying.
type Spec struct {
	// Enter lists the kinds of nodes whose children are copied. The root
	// and nodes of errors are always entered.
	Enter []string
	// Skip, when set, keeps a node that Enter lists from being entered. The
	// node has no children yet, but its parents and earlier siblings.
	Skip func(n *Node) bool
	// Trim lists kinds whose nodes end with their last child that is no
	// comment, since the grammar counts comments after it in.
	Trim []string
}

// Tree is a parsed text.
type Tree struct {
	Root   *Node
	Errors int // how many places of the text do not fit the grammar
}

// Node is one node of a tree.
type Node struct {
	Kind       string // "class_body"; a token's own text, "export"
	Field      string // its role in the parent, "name", or ""
	Start, End int    // bytes of the text
	Missing    bool   // the parser supplied it to go on

	Parent, Prev, Next, First *Node
}

// Children yields the node's children in order.
func (n *Node) Children() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for c := n.First; c != nil; c = c.Next {
			if !yield(c) {
				return
			}
		}
	}
}

// Child returns the first child in the given field, or nil.
func (n *Node) Child(field string) *Node {
	for c := n.First; c != nil; c = c.Next {
		if c.Field == field {
			return c
		}
	}
	return nil
}

// Has returns the first child of one of the given kinds, or nil.
func (n *Node) Has(kinds ...string) *Node {
	for c := n.First; c != nil; c = c.Next {
		for _, k := range kinds {
			if c.Kind == k {
				return c
			}
		}
	}
	return nil
}

// Text is the node's part of src.
func (n *Node) Text(src []byte) string {
	return string(src[n.Start:n.End])
}
