// Package golang finds the declarations of Go files with the parser of the
// standard library. It needs no cgo.
package golang

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"

	"github.com/slipstream-mcp/slipstream/symbols"
	"github.com/slipstream-mcp/slipstream/symbols/internal/outline"
)

// Language is Go.
type Language struct{}

var _ symbols.Language = Language{}

// Name is "go".
func (Language) Name() string { return "go" }

// Match claims .go.
func (Language) Match(p string) bool { return path.Ext(p) == ".go" }

// Parse finds the declarations of src. Exported is Go's own rule; in package
// main the whole top level counts, since nothing can import it.
func (l Language) Parse(ctx context.Context, _ string, src []byte) (symbols.File, error) {
	if err := ctx.Err(); err != nil {
		return symbols.File{}, err
	}
	file, base, err := parse(src)
	out := symbols.File{Language: l.Name(), Errors: err != nil}
	if file == nil || !file.Package.IsValid() {
		return out, nil
	}
	r := &reader{base: base, out: outline.New(src, "//"), main: file.Name.Name == "main"}
	if err != nil {
		r.salvage(file, src, err)
	} else {
		r.decls(file)
	}
	r.inherit()
	out.Decls = r.out.Decls()
	out.Purpose = purposeOf(file)
	seen := map[string]bool{}
	for _, i := range file.Imports {
		if p, err := strconv.Unquote(i.Path.Value); err == nil && !seen[p] {
			seen[p] = true
			out.Imports = append(out.Imports, p)
		}
	}
	return out, nil
}

// parse parses src, whose first byte is at the position base. With an error the
// file is what could be read.
func parse(src []byte) (file *ast.File, base int, err error) {
	fset := token.NewFileSet()
	file, err = parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	fset.Iterate(func(f *token.File) bool {
		base = f.Base()
		return false
	})
	return file, base, err
}

// reader collects what one file declares.
type reader struct {
	base int // position of the first byte
	main bool
	out  *outline.Builder
}

func (r *reader) offset(p token.Pos) int { return int(p) - r.base }

func (r *reader) decls(file *ast.File) {
	for _, d := range file.Decls {
		r.decl(d)
	}
}

// exported is Go's rule, widened for a program.
func (r *reader) exported(name string) bool { return r.main || ast.IsExported(name) }

func (r *reader) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		r.function(d)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			r.spec(d, s)
		}
	}
}

// at bounds a node with its doc comment; name is where its name stands.
func (r *reader) at(doc *ast.CommentGroup, n ast.Node, name token.Pos) outline.Span {
	s := outline.Span{Start: r.offset(n.Pos()), Head: r.offset(n.Pos()), Name: r.offset(name), End: r.offset(n.End())}
	if doc != nil {
		s.Start = r.offset(doc.Pos())
	}
	return s
}

func (r *reader) function(d *ast.FuncDecl) {
	decl := symbols.Decl{Name: d.Name.Name, Qualified: d.Name.Name, Kind: symbols.Function, Top: true, Exported: r.exported(d.Name.Name)}
	if d.Recv != nil && len(d.Recv.List) > 0 {
		decl.Kind, decl.Top = symbols.Method, false
		decl.Exported = ast.IsExported(d.Name.Name)
		if owner := baseName(d.Recv.List[0].Type); owner != "" {
			decl.Qualified = owner + "." + decl.Name
		}
	}
	r.out.Add(decl, r.at(d.Doc, d, d.Name.Pos()))
}

// baseName is the name of the type that a receiver or an embedded field names.
func baseName(t ast.Expr) string {
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.SelectorExpr:
			return x.Sel.Name
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func (r *reader) spec(d *ast.GenDecl, s ast.Spec) {
	var doc *ast.CommentGroup
	node := ast.Node(s)
	switch s := s.(type) {
	case *ast.TypeSpec:
		doc = s.Doc
	case *ast.ValueSpec:
		doc = s.Doc
	default:
		return
	}
	if !d.Lparen.IsValid() {
		node, doc = d, d.Doc
	}
	switch s := s.(type) {
	case *ast.TypeSpec:
		r.typeSpec(s, doc, node)
	case *ast.ValueSpec:
		kind := symbols.Var
		if d.Tok == token.CONST {
			kind = symbols.Const
		}
		for _, n := range s.Names {
			if n.Name != "_" {
				r.out.Add(symbols.Decl{Name: n.Name, Qualified: n.Name, Kind: kind, Top: true, Exported: r.exported(n.Name)},
					r.at(doc, node, n.Pos()))
			}
		}
	}
}

func (r *reader) typeSpec(s *ast.TypeSpec, doc *ast.CommentGroup, node ast.Node) {
	kind := symbols.Type
	switch s.Type.(type) {
	case *ast.StructType:
		kind = symbols.Struct
	case *ast.InterfaceType:
		kind = symbols.Interface
	}
	r.out.Add(symbols.Decl{Name: s.Name.Name, Qualified: s.Name.Name, Kind: kind, Top: true, Exported: r.exported(s.Name.Name)},
		r.at(doc, node, s.Name.Pos()))
	switch t := s.Type.(type) {
	case *ast.StructType:
		r.fields(s.Name.Name, t.Fields, symbols.Field)
	case *ast.InterfaceType:
		r.fields(s.Name.Name, t.Methods, symbols.Method)
	}
}

// fields adds the fields of a struct or the methods of an interface; what an
// interface embeds is no member.
func (r *reader) fields(owner string, list *ast.FieldList, kind symbols.Kind) {
	for _, f := range list.List {
		names := f.Names
		if len(names) == 0 && kind == symbols.Field {
			if name := baseName(f.Type); name != "" {
				names = []*ast.Ident{{NamePos: f.Type.Pos(), Name: name}}
			}
		}
		for _, n := range names {
			if n.Name != "_" {
				r.out.Add(symbols.Decl{Name: n.Name, Qualified: owner + "." + n.Name, Kind: kind, Exported: ast.IsExported(n.Name)},
					r.at(f.Doc, f, n.Pos()))
			}
		}
	}
}

// inherit hides the members of types that are not exported.
func (r *reader) inherit() {
	hidden := map[string]bool{}
	r.out.Each(func(d *symbols.Decl) {
		if d.Top && !d.Exported {
			hidden[d.Name] = true
		}
	})
	r.out.Each(func(d *symbols.Decl) {
		if owner := d.Owner(); !d.Top && (hidden[owner] || !r.exported(owner)) {
			d.Exported = false
		}
	})
}
