//go:build cgo

package python

import (
	"slices"
	"sync"

	"github.com/smacker/go-tree-sitter/python"

	"github.com/slipstream-mcp/slipstream/symbols/treesitter"
)

var grammar = sync.OnceValue(func() *treesitter.Grammar {
	return treesitter.New(python.GetLanguage(), spec())
})

// spec says which nodes declare things: no bodies of functions, no expressions
// but the targets of assignments and the names in __all__.
func spec() treesitter.Spec {
	return treesitter.Spec{
		Enter: []string{
			"import_statement", "import_from_statement", "aliased_import",
			"decorated_definition", "function_definition", "class_definition", "block",
			"if_statement", "elif_clause", "else_clause", "try_statement", "except_clause", "except_group_clause", "finally_clause",
			"for_statement", "while_statement", "with_statement", "match_statement", "case_clause",
			"expression_statement", "assignment", "augmented_assignment", "type_alias_statement", "type", "generic_type",
			"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern",
			"list", "tuple", "expression_list", "binary_operator",
		},
		Skip: skip,
		Trim: []string{"decorated_definition", "function_definition", "class_definition"},
	}
}

func skip(n *treesitter.Node) bool {
	in := func(parents ...string) bool { return slices.Contains(parents, n.Parent.Kind) }
	switch n.Kind {
	case "block":
		return in("function_definition")
	case "assignment", "augmented_assignment":
		return !in("expression_statement", "assignment")
	case "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern":
		return !in("assignment", "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern")
	case "list", "tuple", "expression_list", "binary_operator":
		return !in("assignment", "augmented_assignment", "binary_operator") || n.End-n.Start > 100_000
	case "type":
		return !in("type_alias_statement")
	case "generic_type":
		return !in("type")
	}
	return false
}
