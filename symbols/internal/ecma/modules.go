package ecma

import (
	"slices"

	"github.com/slipstream-mcp/slipstream/symbols"
	"github.com/slipstream-mcp/slipstream/symbols/treesitter"
)

// hasExportList reports whether a declaration file or ambient module says
// itself what it exports; without that everything in it is exported.
func hasExportList(body *treesitter.Node) bool {
	for c := range body.Children() {
		if c.Kind != "export_statement" {
			continue
		}
		if c.Child("declaration") == nil && c.Has("as") == nil {
			return true
		}
	}
	return false
}

// export reads a statement that begins with export.
func (r *reader) export(n *treesitter.Node, s scope) {
	if s.owner == "" {
		r.module = true
	}
	r.importFrom(n.Child("source"))
	d := declaration{node: n, outer: n, exported: true, isDefault: n.Has("default") != nil}
	switch {
	case n.Child("declaration") != nil:
		d.node = n.Child("declaration")
		r.statement(d, s)
	case n.Child("value") != nil:
		r.exportValue(d, unwrap(n.Child("value")), s)
	case n.Has("export_clause") != nil:
		for spec := range n.Has("export_clause").Children() {
			if spec.Kind == "export_specifier" {
				r.exportName(n, spec, s)
			}
		}
	case n.Has("namespace_export") != nil:
		for c := range n.Has("namespace_export").Children() {
			if c.Kind == "identifier" || c.Kind == "string" {
				r.add(d, unquote(c.Text(r.src)), c.Start, symbols.ReExport, s)
			}
		}
	case n.Has("=") != nil:
		// export = value: the module is the value.
		d.isDefault = true
		if eq := n.Has("="); eq.Next != nil {
			r.exportValue(d, unwrap(eq.Next), s)
		}
	default:
		for c := range n.Children() {
			switch c.Kind {
			case "internal_module", "module", "import_alias", "ambient_declaration", "class_declaration", "function_signature", "ERROR":
				d.node = c
				r.statement(d, s)
			}
		}
	}
}

// exportValue reads a default export that is an expression.
func (r *reader) exportValue(d declaration, value *treesitter.Node, s scope) {
	if value.Kind == "identifier" && s.owner == "" {
		r.publish(value.Text(r.src), "")
	}
	kind := valueKind(value)
	if kind == "" {
		kind = symbols.Default
	}
	name, at := "default", value.Start
	if id := value.Child("name"); id != nil {
		name, at = id.Text(r.src), id.Start
	}
	r.add(d, name, at, kind, s)
	if value.Kind == "object" && d.outer.Kind == "expression_statement" {
		r.exportObject(value)
		return
	}
	r.valueMembers(value, s.qualify(name))
}

// exportName reads one entry of an export list.
func (r *reader) exportName(n, spec *treesitter.Node, s scope) {
	name := spec.Child("name")
	if name == nil {
		return
	}
	local, shown, at := name.Text(r.src), name.Text(r.src), name.Start
	if alias := spec.Child("alias"); alias != nil {
		shown, at = unquote(alias.Text(r.src)), alias.Start
	}
	if s.owner != "" {
		return
	}
	if n.Child("source") == nil {
		r.publish(local, shown)
		r.from[local] = n
		return
	}
	d := declaration{node: n, outer: n, exported: true, isDefault: shown == "default"}
	r.add(d, shown, at, symbols.ReExport, s)
}

// publish notes that a local name is exported as shown; "" for as default only.
func (r *reader) publish(local, shown string) {
	if _, ok := r.public[local]; !ok {
		r.order = append(r.order, local)
	}
	r.public[local] = append(r.public[local], shown)
}

// finish settles what is exported, which an export list below the declaration
// may decide, and adds names that the file exports without declaring them.
func (r *reader) finish() {
	declared := map[string]bool{}
	r.out.Each(func(d *symbols.Decl) {
		if !d.Top || d.Kind == symbols.ReExport {
			return
		}
		declared[d.Name] = true
		for _, shown := range r.public[d.Name] {
			d.Exported = true
			switch {
			case shown == "default":
				d.Default = true
			case shown != "" && shown != d.Name:
				d.Aliases = append(d.Aliases, shown)
			}
		}
	})
	for _, local := range r.order {
		for _, shown := range r.public[local] {
			if n := r.from[local]; n != nil && !declared[local] && shown != "" {
				d := declaration{node: n, outer: n, exported: true, isDefault: shown == "default"}
				r.add(d, shown, n.Start, symbols.ReExport, scope{})
			}
		}
	}
	r.inherit()
}

// inherit makes members as public as what they are members of, and the top
// level of a script public.
func (r *reader) inherit() {
	public := map[string]bool{}
	r.out.Each(func(d *symbols.Decl) {
		if d.Top {
			d.Exported = d.Exported || !r.module && !r.inBlock(*d)
			public[d.Qualified] = public[d.Qualified] || d.Exported
		}
	})
	r.out.Each(func(d *symbols.Decl) {
		if !d.Top {
			d.Exported = d.Exported && public[d.Owner()]
			public[d.Qualified] = public[d.Qualified] || d.Exported
		}
	})
}

// inBlock reports whether a top-level declaration stands inside a statement.
func (r *reader) inBlock(d symbols.Decl) bool {
	i, _ := slices.BinarySearchFunc(r.blocks, d.EndByte, func(n *treesitter.Node, at int) int { return n.End - at })
	return i < len(r.blocks) && r.blocks[i].Start <= d.StartByte && d.EndByte <= r.blocks[i].End
}

// importing reads an import statement.
func (r *reader) importing(n *treesitter.Node, s scope) {
	if s.owner == "" {
		r.module = true
	}
	r.importFrom(n.Child("source"))
	if c := n.Has("import_require_clause"); c != nil {
		r.importFrom(c.Child("source"))
	}
}

// importAlias reads import a = b.c, a declaration when it is exported.
func (r *reader) importAlias(d declaration, s scope) {
	if name := d.node.Has("identifier"); name != nil && d.exported {
		r.add(d, name.Text(r.src), name.Start, symbols.ReExport, s)
	}
}

func (r *reader) importFrom(source *treesitter.Node) {
	if source != nil {
		r.imported(unquote(source.Text(r.src)))
	}
}

func (r *reader) imported(specifier string) {
	if specifier != "" && !r.seen[specifier] {
		r.seen[specifier] = true
		r.imports = append(r.imports, specifier)
	}
}
