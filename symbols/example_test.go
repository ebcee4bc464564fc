package symbols_test

import (
	"context"
	"fmt"

	"github.com/slipstream-mcp/slipstream/symbols/languages"
)

func Example() {
	src := []byte("package greet\n\n// Hello greets.\nfunc Hello() string {\n\treturn \"hello\"\n}\n")
	file, err := languages.Parse(context.Background(), "greet.go", src)
	if err != nil {
		panic(err)
	}
	decls, err := file.Find("Hello")
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d-%d (%s)\n%s\n", decls[0].Start, decls[0].End, decls[0].Kind, decls[0].Slice(src))
	// Output:
	// 3-6 (function)
	// // Hello greets.
	// func Hello() string {
	// 	return "hello"
	// }
}
