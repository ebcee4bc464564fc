package ecma

import (
	"slices"

	"github.com/slipstream-mcp/slipstream/symbols/treesitter"
)

// Spec says which nodes declare things: neither bodies of functions, nor types
// and expressions but for a class or an object that a name is bound to.
func Spec() treesitter.Spec {
	return treesitter.Spec{
		Enter: []string{
			"export_statement", "export_clause", "export_specifier", "namespace_export",
			"import_statement", "import_require_clause", "import_alias",
			"ambient_declaration", "internal_module", "module", "expression_statement", "assignment_expression",
			"function_declaration", "generator_function_declaration", "function_signature",
			"class_declaration", "abstract_class_declaration", "class", "class_body",
			"method_definition", "method_signature", "abstract_method_signature", "public_field_definition", "field_definition",
			"interface_declaration", "interface_body", "object_type", "property_signature",
			"enum_declaration", "enum_body", "enum_assignment", "type_alias_declaration",
			"lexical_declaration", "variable_declaration", "variable_declarator",
			"object_pattern", "array_pattern", "pair_pattern", "assignment_pattern", "object_assignment_pattern", "rest_pattern",
			"as_expression", "satisfies_expression", "object", "pair",
			"statement_block", "if_statement", "else_clause", "try_statement", "catch_clause", "finally_clause",
			"for_statement", "for_in_statement", "while_statement", "do_statement", "labeled_statement",
			"switch_statement", "switch_body", "switch_case", "switch_default", "with_statement",
		},
		Skip: skip,
	}
}

// skip keeps nodes closed that declare only in some places.
func skip(n *treesitter.Node) bool {
	in := func(parents ...string) bool { return slices.Contains(parents, n.Parent.Kind) }
	switch n.Kind {
	case "statement_block":
		return in("function_declaration", "generator_function_declaration", "method_definition")
	case "class", "object", "as_expression", "satisfies_expression":
		return !in("variable_declarator", "export_statement", "assignment_expression", "as_expression", "satisfies_expression", "ERROR")
	case "object_type":
		return !in("interface_declaration")
	case "assignment_expression":
		return !in("expression_statement", "assignment_expression")
	case "object_pattern", "array_pattern":
		return !in("variable_declarator", "pair_pattern", "array_pattern", "object_pattern", "assignment_pattern", "object_assignment_pattern", "rest_pattern")
	}
	return false
}
