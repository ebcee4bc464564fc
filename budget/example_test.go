package budget_test

import (
	"fmt"
	"strings"

	"github.com/slipstream-mcp/slipstream/budget"
)

func Example() {
	text := strings.Repeat("Each line of this text says the same.\n", 100)
	fmt.Println(budget.Tokens(text), "tokens")

	out, kept := budget.FitLines(text, 40, func(kept, total int) string {
		return fmt.Sprintf("left out: lines %d to %d\n", kept+1, total)
	})
	fmt.Print(out)
	fmt.Println(kept, "lines,", budget.Tokens(out), "tokens")
	// Output:
	// 961 tokens
	// Each line of this text says the same.
	// Each line of this text says the same.
	// Each line of this text says the same.
	// left out: lines 4 to 100
	// 3 lines, 39 tokens
}
