package thought_test

import (
	"fmt"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/thought"
)

func Example() {
	now := time.Date(2026, 5, 4, 14, 23, 0, 0, time.UTC)
	t := thought.Thought{Body: thought.Body("[decision] We run CI on two cores."), Source: "dana", CreatedAt: now, UpdatedAt: now}
	t.ID = thought.NewID(now, [10]byte{1, 2, 3})
	t.Prefix = thought.ParsePrefix(t.Body)
	t.Portability = thought.Portability(t.Prefix)
	t.Fingerprint = thought.Fingerprint(t.Body)
	src, err := thought.Encode(t)
	fmt.Println(t.FileName(), err)
	back, _, err := thought.Decode(src, t.FileName(), now)
	fmt.Print(back.Prefix, " ", back.Portability, " ", err, " ", back.Body)
	// Output:
	// decision/20260504142300-decision-we-run-ci-on-two-co-000000000000.md <nil>
	// Decision portable <nil> [decision] We run CI on two cores.
}
