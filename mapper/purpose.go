package mapper

import (
	"fmt"
	"strings"
)

// exported picks the symbols a map shows: exported at top level, each name
// once, in source order.
func exported(symbols []Symbol) []int {
	var picked []int
	seen := map[string]bool{}
	for i, s := range symbols {
		if s.Exported && s.Top && !seen[s.Name] {
			seen[s.Name] = true
			picked = append(picked, i)
		}
	}
	return picked
}

// exportsPurpose says what a file is for by what it exports; "" when it
// exports nothing.
func exportsPurpose(symbols []Symbol, exports []int) string {
	const named = 3
	var names []string
	for _, i := range exports[:min(len(exports), named)] {
		names = append(names, symbols[i].Name)
	}
	switch more := len(exports) - len(names); {
	case len(names) == 0:
		return ""
	case more > 0:
		return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), more)
	}
	return strings.Join(names, ", ")
}
