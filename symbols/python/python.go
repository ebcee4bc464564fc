// Package python finds the declarations of Python files and stubs.
package python

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/slipstream-mcp/slipstream/symbols"
	"github.com/slipstream-mcp/slipstream/symbols/internal/outline"
	"github.com/slipstream-mcp/slipstream/symbols/treesitter"
)

// Language is Python.
type Language struct{}

var _ symbols.Language = Language{}

// Name is "python".
func (Language) Name() string { return "python" }

// Match claims .py and .pyi.
func (Language) Match(p string) bool {
	ext := path.Ext(p)
	return ext == ".py" || ext == ".pyi"
}

// Parse finds the declarations of src. Exported is what __all__ lists, or else
// every name that does not begin with an underscore.
func (l Language) Parse(ctx context.Context, _ string, src []byte) (symbols.File, error) {
	tree, err := grammar().Parse(ctx, src)
	if err != nil {
		return symbols.File{}, err
	}
	r := &reader{src: src, out: outline.New(src, "#"), imported: map[string]bool{}, bound: map[string]*treesitter.Node{}}
	r.statements(tree.Root, "")
	r.inherit()
	return symbols.File{
		Language: l.Name(),
		Decls:    r.out.Decls(),
		Imports:  r.imports,
		Purpose:  r.purpose(tree.Root),
		Errors:   tree.Errors > 0,
	}, nil
}

// reader collects what one file declares.
type reader struct {
	src      []byte
	out      *outline.Builder
	imports  []string
	imported map[string]bool
	bound    map[string]*treesitter.Node // names that an import at top level binds
	all      []string                    // what __all__ lists
	hasAll   bool
}

// statements reads the children of n, which stand in the class owner or, when
// that is "", at top level.
func (r *reader) statements(n *treesitter.Node, owner string) {
	for c := range n.Children() {
		r.statement(c, c, owner)
	}
}

// statement reads n; outer is n with its decorators.
func (r *reader) statement(n, outer *treesitter.Node, owner string) {
	switch n.Kind {
	case "decorated_definition":
		if d := n.Child("definition"); d != nil {
			r.statement(d, n, owner)
		}
	case "function_definition":
		kind := symbols.Function
		if owner != "" {
			kind = symbols.Method
		}
		r.definition(n, outer, owner, kind)
	case "class_definition":
		name := r.definition(n, outer, owner, symbols.Class)
		if body := n.Child("body"); body != nil && name != "" {
			r.statements(body, name)
		}
	case "type_alias_statement":
		for c := range n.Children() {
			id := c.Has("identifier")
			if g := c.Has("generic_type"); g != nil {
				id = g.Has("identifier")
			}
			if c.Kind == "type" && id != nil && c.Field != "right" {
				r.add(id, outline.Span{Start: n.Start, Head: n.Start, Name: id.Start, End: n.End}, owner, symbols.Type)
				break
			}
		}
	case "expression_statement":
		for c := range n.Children() {
			if c.Kind == "assignment" || c.Kind == "augmented_assignment" {
				r.assignment(c, n, owner)
			}
		}
	case "import_statement", "import_from_statement", "future_import_statement":
		r.importing(n, owner)
	case "ERROR", "block", "if_statement", "elif_clause", "else_clause", "try_statement", "except_clause", "except_group_clause",
		"finally_clause", "for_statement", "while_statement", "with_statement", "match_statement", "case_clause":
		r.statements(n, owner)
	}
}

func (r *reader) definition(n, outer *treesitter.Node, owner string, kind symbols.Kind) string {
	name := n.Child("name")
	if name == nil || name.Missing {
		return ""
	}
	return r.add(name, outline.Span{Start: outer.Start, Head: n.Start, Name: name.Start, End: n.End}, owner, kind)
}

// add puts a declaration into the outline and returns its qualified name.
func (r *reader) add(name *treesitter.Node, at outline.Span, owner string, kind symbols.Kind) string {
	d := symbols.Decl{Name: name.Text(r.src), Kind: kind, Top: owner == ""}
	d.Qualified = d.Name
	if owner != "" {
		d.Qualified = owner + "." + d.Name
	}
	d.Exported = !strings.HasPrefix(d.Name, "_") || !d.Top && isSpecial(d.Name)
	r.out.Add(d, at)
	return d.Qualified
}

// isSpecial reports whether a name is one that the language itself calls, as
// __init__ is.
func isSpecial(name string) bool {
	return len(name) > 4 && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}

// assignment reads a = b = value, a: T, and what __all__ is given.
func (r *reader) assignment(n, statement *treesitter.Node, owner string) {
	left, right := n.Child("left"), n.Child("right")
	if left == nil {
		return
	}
	if owner == "" && left.Kind == "identifier" && left.Text(r.src) == "__all__" {
		r.hasAll = true
		r.listed(right)
	}
	if n.Kind == "augmented_assignment" {
		return
	}
	r.targets(left, statement, owner)
	if right != nil && right.Kind == "assignment" {
		r.assignment(right, statement, owner)
	}
}

func (r *reader) targets(n, statement *treesitter.Node, owner string) {
	switch n.Kind {
	case "identifier":
		kind := symbols.Var
		if owner != "" {
			kind = symbols.Field
		}
		r.add(n, outline.Span{Start: statement.Start, Head: statement.Start, Name: n.Start, End: statement.End}, owner, kind)
	case "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern":
		for c := range n.Children() {
			r.targets(c, statement, owner)
		}
	}
}

// inherit applies __all__, also to names that are imported, and hides the
// members of what is not exported.
func (r *reader) inherit() {
	declared, public := map[string]bool{}, map[string]bool{}
	r.out.Each(func(d *symbols.Decl) {
		declared[d.Qualified] = true
		switch {
		case d.Top && r.hasAll:
			d.Exported = slices.Contains(r.all, d.Name)
		case !d.Top:
			d.Exported = d.Exported && public[d.Owner()]
		}
		public[d.Qualified] = public[d.Qualified] || d.Exported
	})
	for _, name := range r.all {
		n := r.bound[name]
		if n == nil || declared[name] {
			continue
		}
		declared[name] = true
		r.out.Add(symbols.Decl{Name: name, Qualified: name, Kind: symbols.ReExport, Exported: true, Top: true},
			outline.Span{Start: n.Start, Head: n.Start, Name: n.Start, End: n.End})
	}
}
