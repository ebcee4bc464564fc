package redact_test

import (
	"fmt"

	"github.com/slipstream-mcp/slipstream/memstore/redact"
)

func Example() {
	fmt.Println(redact.Text(`postgres://app:s3cr3t@db/orders`))
	fmt.Println(redact.Text(`deploy --token "a1b2c3d4e5f6" <private>ask Jo first</private>--now`))

	rules, err := redact.New([]redact.Pattern{{Pattern: `\bcustomer-\d+\b`}})
	if err != nil {
		fmt.Println(err) // a pattern that does not compile; the others are used
	}
	fmt.Println(rules.Text(`refund customer-4711`))
	fmt.Println(rules.Value(map[string]any{"user": "jo", "password": "hunter2"}))
	// Output:
	// postgres://app:[redacted]@db/orders
	// deploy --token "[redacted]" --now
	// refund [redacted]
	// map[password:[redacted] user:jo]
}
