package remote_test

import (
	"fmt"

	"github.com/slipstream-mcp/slipstream/memstore/vault/remote"
)

func Example() {
	model, err := remote.New(remote.Options{URL: "http://127.0.0.1:11434", Model: "nomic-embed-text"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(model.Name(), model.Local())
	// Output: ["ollama","http://127.0.0.1:11434/api/embed","nomic-embed-text",0,"",""] true
}
