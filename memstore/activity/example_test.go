package activity_test

import (
	"fmt"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
)

func Example() {
	log := []byte(`{"session":"s1","kind":"user-prompt","label":"Fix the cart total, it is off by one.","seq":0,"ts":"2026-06-04T10:00:00Z"}
{"session":"s1","kind":"post-tool","label":"Edit /home/dev/shop/src/cartTotal.ts","seq":1,"ts":"2026-06-04T10:01:00Z"}
{"session":"s1","kind":"stop","label":"","data":{"outcome":"Done. The loop counted the last line twice."},"seq":2,"ts":"2026-06-04T10:02:00Z"}
`)
	var events []activity.Event
	for _, e := range activity.Events(log) {
		events = append(events, e)
	}
	found, next := activity.Fold(events, -1, activity.FoldOptions{Root: "/home/dev/shop"})
	for _, o := range found {
		fmt.Println(o.Kind, o.Files, o.Tags)
		fmt.Println(o.Summary)
	}
	fmt.Println(next)
	// Output:
	// edit [src/cartTotal.ts] [edit cart total]
	// Fix the cart total, it is off by one — The loop counted the last line twice
	// 2
}
