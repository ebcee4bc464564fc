//go:build ignore

// Command golang asks go/parser for every declaration of a source tree: golang ROOT OUT (both absolute).
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// symbol is one declaration as score.py reads it; lines are 1-based.
type symbol struct {
	Name      string `json:"n"`
	Qualified string `json:"q"`
	Kind      string `json:"k"`
	NameLine  int    `json:"nl"`
	Start     int    `json:"s"`
	Decorated int    `json:"ds"`  // Go has no decorators: the same as s
	Doc       int    `json:"doc"` // with the doc comment
	End       int    `json:"e"`
	Exported  bool   `json:"x"`
	Top       bool   `json:"top"`
	Inside    bool   `json:"fn"` // inside a function: never here
}

type file struct {
	Path    string   `json:"f"`
	Symbols []symbol `json:"syms"`
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: golang ROOT OUT")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(root, out string) error {
	w, err := os.Create(out)
	if err != nil {
		return err
	}
	defer w.Close()
	encoder := json.NewEncoder(w)
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != root:
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil // the compiler refuses it: there is no truth about it
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		return encoder.Encode(file{rel, declarations(fset, parsed)})
	})
}

func declarations(fset *token.FileSet, parsed *ast.File) []symbol {
	all := []symbol{}
	line := func(p token.Pos) int { return fset.PositionFor(p, false).Line }
	add := func(name *ast.Ident, qualified, kind string, start token.Pos, doc *ast.CommentGroup, end token.Pos) {
		s := symbol{
			Name: name.Name, Qualified: qualified, Kind: kind, NameLine: line(name.Pos()),
			Start: line(start), Decorated: line(start), Doc: line(start), End: line(end - 1),
			Exported: name.IsExported(), Top: true,
		}
		if doc != nil {
			s.Doc = line(doc.Pos())
		}
		all = append(all, s)
	}
	for _, decl := range parsed.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			kind, qualified := "function", d.Name.Name
			if d.Recv != nil && len(d.Recv.List) > 0 {
				kind, qualified = "method", receiver(d.Recv.List[0].Type)+"."+qualified
			}
			add(d.Name, qualified, kind, d.Pos(), d.Doc, d.End())
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				start, doc := spec.Pos(), d.Doc
				grouped := d.Lparen.IsValid()
				if !grouped {
					start = d.Pos()
				}
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if grouped {
						doc = s.Doc
					}
					add(s.Name, s.Name.Name, "type", start, doc, s.End())
				case *ast.ValueSpec:
					if grouped {
						doc = s.Doc
					}
					for _, name := range s.Names {
						if name.Name != "_" {
							add(name, name.Name, "var", start, doc, s.End())
						}
					}
				}
			}
		}
	}
	return all
}

// receiver is the type's name without pointers and type parameters.
func receiver(t ast.Expr) string {
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return "?"
		}
	}
}
