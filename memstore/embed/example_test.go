package embed_test

import (
	"fmt"

	"github.com/slipstream-mcp/slipstream/memstore/embed"
)

func Example() {
	query := embed.Text("postgress queue")
	for _, text := range []string{"the queue is in Postgres", "buttons are blue"} {
		v := embed.Text(text)
		fmt.Println(text, v.Cosine(&query) > 0.4)
	}
	// Output:
	// the queue is in Postgres true
	// buttons are blue false
}
