package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/slipstream-mcp/slipstream/budget"
	"github.com/slipstream-mcp/slipstream/server/internal/state"
)

// BudgetFile is the name of the file in the state folder that says what the context window holds.
const BudgetFile = "budget.json"

// Budget is what a budget file says.
type Budget struct {
	budget.Limits
	Actual *int // tokens in use as the client reports them; nil when nobody does
}

// budgetJSON is a budget file: its keys in their order.
type budgetJSON struct {
	TargetTokens any `json:"targetTokens"`
	WarnPct      any `json:"warnPct"`
	CompactPct   any `json:"compactPct"`
	ActualTokens any `json:"actualTokens,omitempty"`
}

// LoadBudget returns the budget of a state folder, sane in any case: what is missing or no number is the default.
// The error is that of a file that is no JSON object.
func LoadBudget(at state.Location) (Budget, error) {
	text, err := at.ReadFile(BudgetFile)
	if errors.Is(err, fs.ErrNotExist) {
		return Budget{Limits: budget.DefaultLimits()}, nil
	}
	var j budgetJSON
	if err == nil {
		if err = json.Unmarshal(text, &j); err != nil {
			err = fmt.Errorf("%s: %w", state.Folder+"/"+BudgetFile, err)
		}
	}
	if err != nil {
		return Budget{Limits: budget.DefaultLimits()}, err
	}
	b := Budget{Limits: budget.Sanitize(number(j.TargetTokens), number(j.WarnPct), number(j.CompactPct))}
	if n, ok := j.ActualTokens.(float64); ok && n >= 0 && n < 1<<50 {
		actual := int(math.Floor(n + 0.5))
		b.Actual = &actual
	}
	return b, nil
}

// number is a JSON value as a number, NaN when it is none.
func number(v any) float64 {
	if n, ok := v.(float64); ok {
		return n
	}
	return math.NaN()
}

// EncodeBudget returns the text of a budget file: two spaces of indent, no final newline.
func EncodeBudget(b Budget) []byte {
	j := budgetJSON{TargetTokens: b.TargetTokens, WarnPct: b.WarnPct, CompactPct: b.CompactPct}
	if b.Actual != nil {
		j.ActualTokens = *b.Actual
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetIndent("", "  ")
	_ = e.Encode(j) // numbers have no way to fail
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
