package budget_test

import (
	"math"
	"testing"

	"github.com/slipstream-mcp/slipstream/budget"
)

func TestSanitize(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		target, warn, compact float64
		want                  budget.Limits
	}{
		{0, 0, 0, budget.Limits{200000, 60, 85}},
		{nan, nan, nan, budget.Limits{200000, 60, 85}},
		{math.Inf(1), math.Inf(-1), 1e300, budget.Limits{200000, 60, 85}},
		{10, -4, 400, budget.Limits{1000, 1, 100}},
		{99999.5, 59.5, 84.4, budget.Limits{100000, 60, 84}},
		{1e6, 90, 50, budget.Limits{1000000, 90, 95}},
		{1e6, 99, 99, budget.Limits{1000000, 99, 100}},
	} {
		if got := budget.Sanitize(c.target, c.warn, c.compact); got != c.want {
			t.Errorf("Sanitize(%v, %v, %v): got %v, want %v", c.target, c.warn, c.compact, got, c.want)
		}
	}
}

func TestUse(t *testing.T) {
	for _, c := range []struct {
		tokens int
		want   string
	}{
		{0, "level=ok approxTokens=0 target=200000 used=0% (warn 60%, compact 85%)"},
		{1000, "level=ok approxTokens=1000 target=200000 used=1% (warn 60%, compact 85%)"},
		{119999, "level=ok approxTokens=119999 target=200000 used=60% (warn 60%, compact 85%)"},
		{120000, "level=warn approxTokens=120000 target=200000 used=60% (warn 60%, compact 85%)"},
		{170000, "level=compact approxTokens=170000 target=200000 used=85% (warn 60%, compact 85%)"},
		{900000, "level=compact approxTokens=900000 target=200000 used=100% (warn 60%, compact 85%)"},
	} {
		if got := (budget.Use{Limits: budget.DefaultLimits(), Tokens: c.tokens}).String(); got != c.want {
			t.Errorf("%d: got %s, want %s", c.tokens, got, c.want)
		}
	}
}

func TestLedger(t *testing.T) {
	var l budget.Ledger
	l = l.Add(budget.Saving{SliceBytes: 400, FileBytes: 4000, FileTokens: 1000, Answer: 110})
	l = l.Add(budget.Saving{SliceBytes: 200, FileBytes: 4000, FileTokens: 1000, Answer: 60, Again: true})
	l = l.Add(budget.Saving{Answer: 500})
	want := budget.Ledger{ScopedReads: 2, ServedBytes: 600, FullBytes: 8000, ServedTokens: 670, FullTokens: 1000}
	if l != want {
		t.Errorf("got %+v, want %+v", l, want)
	}
	if served, full := l.Documented(); served != 167 || full != 2222 {
		t.Errorf("documented: got %d of %d", served, full)
	}
	if got := l.Plus(budget.Ledger{}).Plus(want); got.FullTokens != 2000 || got.ScopedReads != 4 {
		t.Errorf("sum: got %+v", got)
	}
}

func TestWindow(t *testing.T) {
	for _, c := range []struct {
		model string
		want  int
	}{
		{"claude-opus-4", 200000},
		{"anthropic/Claude-Sonnet", 200000},
		{"claude-sonnet-4[1m]", 1000000},
		{"gpt-4o-mini", 128000},
		{"gpt-4-0613", 8192},
		{"gemini-2.5-pro", 1048576},
		{"nobody-knows", 0},
		{"", 0},
	} {
		if got, ok := budget.Window(c.model); got != c.want || ok != (c.want > 0) {
			t.Errorf("%q: got %d, %v, want %d", c.model, got, ok, c.want)
		}
	}
}
