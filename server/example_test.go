package server_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/slipstream-mcp/slipstream/server"
)

func Example() {
	h, err := server.New(server.Options{Root: "testdata/sample"})
	if err != nil {
		panic(err)
	}
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"sp_symbol","arguments":{"file":"src/greet.ts","symbol":"greet"}}}`,
	} {
		var answer struct {
			Result struct {
				ProtocolVersion string
				Content         []struct{ Text string }
			}
		}
		if err := json.Unmarshal(h.Handle(context.Background(), []byte(line), nil), &answer); err != nil {
			panic(err)
		}
		fmt.Print(answer.Result.ProtocolVersion)
		for _, c := range answer.Result.Content {
			fmt.Print("\n", c.Text)
		}
	}
	// Output:
	// 2025-11-25
	// // src/greet.ts:10-20 (function)
	// /**
	//  * Builds the greeting for one person.
	//  * An empty name greets the world.
	//  */
	// export function greet(name: string, salutation: Salutation = "hello"): Greeting {
	//   const who = name.trim();
	//   if (who === "") {
	//     return { name: "world", words: `${salutation}, world` };
	//   }
	//   return { name: who, words: `${salutation}, ${who}` };
	// }
}
