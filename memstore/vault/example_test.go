package vault_test

import (
	"context"
	"fmt"
	"os"

	"github.com/slipstream-mcp/slipstream/memstore/thought"
	"github.com/slipstream-mcp/slipstream/memstore/vault"
)

func Example() {
	dir, err := os.MkdirTemp("", "brain")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	v, err := vault.Open(dir, vault.Options{User: "dana"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer v.Close()
	ctx := context.Background()
	_, _, err = v.Capture(ctx, "[Decision] We run CI on two cores.", vault.Metadata{Tags: []string{"ci"}})
	list, total, _ := v.List(ctx, thought.Filter{Tags: []string{"ci"}}, vault.Newest, 10, 0)
	fmt.Print(err, " ", total, " ", list[0].Prefix, " ", list[0].Body)
	// Output: <nil> 1 Decision [Decision] We run CI on two cores.
}
