// Package ecma reads the declarations of TypeScript and JavaScript, whose
// grammars name their nodes alike.
package ecma

import (
	"context"

	"github.com/slipstream-mcp/slipstream/symbols"
	"github.com/slipstream-mcp/slipstream/symbols/internal/outline"
	"github.com/slipstream-mcp/slipstream/symbols/treesitter"
)

// Dialect says how a file is to be read.
type Dialect struct {
	Language string
	Grammar  *treesitter.Grammar
	Ambient  bool // a declaration file: what it declares is exported unless it says otherwise
	CommonJS bool // assignments to module.exports and exports count
}

// Parse reads one file.
func Parse(ctx context.Context, src []byte, d Dialect) (symbols.File, error) {
	tree, err := parse(ctx, src, d)
	if err != nil {
		return symbols.File{}, err
	}
	r := &reader{
		src: src, dialect: d, out: outline.New(src, "//"),
		public: map[string][]string{}, from: map[string]*treesitter.Node{}, seen: map[string]bool{},
	}
	r.statements(tree.Root, scope{ambient: d.Ambient, public: d.Ambient && !hasExportList(tree.Root)})
	r.finish()
	return symbols.File{
		Language: d.Language,
		Decls:    r.out.Decls(),
		Imports:  r.imports,
		Purpose:  r.purpose(tree.Root),
		Errors:   tree.Errors > 0,
	}, nil
}

// reader collects what one file declares.
type reader struct {
	src     []byte
	dialect Dialect
	out     *outline.Builder

	module  bool                // the file has an import, an export or CommonJS exports
	public  map[string][]string // local name -> names it is exported under
	order   []string            // keys of public in source order
	from    map[string]*treesitter.Node
	imports []string
	seen    map[string]bool    // imports
	blocks  []*treesitter.Node // statements at top level that hold declarations
}

// scope is where a statement stands.
type scope struct {
	owner   string // qualified name of the namespace around it; "" at top level
	ambient bool   // no bodies are expected
	public  bool   // declarations are exported without saying so
	block   bool   // inside a block of a top-level statement
}

// declaration is a statement on its way into the outline.
type declaration struct {
	node      *treesitter.Node // what declares
	outer     *treesitter.Node // with export and declare around it
	exported  bool
	isDefault bool
}

// statements reads the statements that are n's children.
func (r *reader) statements(n *treesitter.Node, s scope) {
	for c := range n.Children() {
		r.statement(declaration{node: c, outer: c, exported: s.public}, s)
	}
}

func (r *reader) statement(d declaration, s scope) {
	switch d.node.Kind {
	case "export_statement":
		r.export(d.node, s)
	case "import_statement":
		r.importing(d.node, s)
	case "import_alias":
		r.importAlias(d, s)
	case "ambient_declaration":
		r.ambient(d, s)
	case "function_declaration", "generator_function_declaration", "function_signature":
		r.named(d, symbols.Function, s)
	case "class_declaration", "abstract_class_declaration", "class":
		name := r.named(d, symbols.Class, s)
		r.classMembers(d.node, s.qualify(name))
	case "interface_declaration":
		name := r.named(d, symbols.Interface, s)
		r.interfaceMembers(d.node, s.qualify(name))
	case "enum_declaration":
		name := r.named(d, symbols.Enum, s)
		r.enumMembers(d.node, s.qualify(name))
	case "type_alias_declaration":
		r.named(d, symbols.Type, s)
	case "internal_module", "module":
		r.namespace(d, s)
	case "lexical_declaration", "variable_declaration":
		r.variables(d, s)
	case "expression_statement":
		r.expression(d, s)
	case "ERROR":
		r.statements(d.node, s)
	case "statement_block", "if_statement", "else_clause", "try_statement", "catch_clause", "finally_clause",
		"for_statement", "for_in_statement", "while_statement", "do_statement", "labeled_statement",
		"switch_statement", "switch_body", "switch_case", "switch_default", "with_statement":
		if s.owner == "" {
			if !s.block {
				r.blocks = append(r.blocks, d.node)
			}
			s.block, s.public = true, false
			r.statements(d.node, s)
		}
	}
}

func (s scope) qualify(name string) string {
	if s.owner == "" {
		return name
	}
	return s.owner + "." + name
}

// named adds a declaration with a name of its own and returns the name.
func (r *reader) named(d declaration, kind symbols.Kind, s scope) string {
	name := d.node.Child("name")
	if name == nil || name.Missing {
		if d.isDefault {
			return r.add(d, "default", d.node.Start, kind, s)
		}
		return ""
	}
	return r.add(d, name.Text(r.src), name.Start, kind, s)
}

// add puts a statement of its own into the outline.
func (r *reader) add(d declaration, name string, at int, kind symbols.Kind, s scope) string {
	r.out.Add(symbols.Decl{
		Name: name, Qualified: s.qualify(name), Kind: kind, Top: s.owner == "",
		Exported: d.exported, Default: d.isDefault,
	}, outline.Span{Start: r.start(d.outer), Head: head(d.outer), Name: at, End: d.outer.End})
	return name
}

// head is where a statement begins after its decorators.
func head(n *treesitter.Node) int {
	for c := n.First; c != nil; c = c.Next {
		if c.Kind != "decorator" && c.Kind != "comment" {
			return c.Start
		}
	}
	return n.Start
}
