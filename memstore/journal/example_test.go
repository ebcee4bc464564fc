package journal_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
	"github.com/slipstream-mcp/slipstream/memstore/journal"
)

func Example() {
	ctx := context.Background()
	dir, _ := os.MkdirTemp("", "journal")
	defer os.RemoveAll(dir)
	j, _ := journal.Open(dir, journal.Options{Now: func() time.Time { return time.Date(2026, 6, 4, 10, 2, 0, 0, time.UTC) }})
	defer j.Close()

	asked := activity.Event{Session: "s1", Kind: activity.PromptSubmitted, Label: "Fix the flaky checkout test"}
	ended := activity.Event{Session: "s1", Kind: activity.Stopped, Label: "turn ended", Data: activity.Data{Outcome: "It waited for a real timer."}}
	j.Record(ctx, asked, ended)
	j.Capture(ctx, "s1", activity.FoldOptions{})
	hits, _ := j.Search(ctx, hybrid.Query{Text: "why was checkout flaky?"})
	for _, h := range hits {
		fmt.Println(h.ID, h.Summary)
	}
	// Output: 1 Fix the flaky checkout test — It waited for a real timer
}
