package hybrid_test

import (
	"fmt"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
)

func Example() {
	day := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	x := hybrid.New()
	x.Add(
		hybrid.Doc{ID: 1, Session: "a", Time: day, Text: "Total is off by a cent: applyCoupon in src/cart/total.ts rounds twice."},
		hybrid.Doc{ID: 2, Session: "a", Time: day, Text: "Coupons are applied once now, tests pass."},
		hybrid.Doc{ID: 3, Session: "b", Time: day.AddDate(0, 0, 1), Text: "Deploys run from main only."},
	)
	for _, q := range []string{"applyCoupon", "how do we deploy?", "applied cupons"} {
		hits := x.Search(hybrid.Query{Text: q})
		fmt.Println(q, "->", hits[0].ID, hits[0].Session)
	}
	// Output:
	// applyCoupon -> 1 a
	// how do we deploy? -> 3 b
	// applied cupons -> 2 a
}
