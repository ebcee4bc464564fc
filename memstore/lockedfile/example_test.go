package lockedfile_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/slipstream-mcp/slipstream/memstore/lockedfile"
)

func Example() {
	dir, _ := os.MkdirTemp("", "lockedfile")
	defer os.RemoveAll(dir)
	ctx := context.Background()

	log := filepath.Join(dir, "log.jsonl")
	fmt.Println(lockedfile.Append(ctx, log, []byte(`{"n":1}`), []byte(`{"n":2}`)))

	counter := filepath.Join(dir, "counter")
	fmt.Println(lockedfile.Update(ctx, counter, func(old []byte) ([]byte, error) {
		n, _ := strconv.Atoi(string(old))
		return strconv.AppendInt(nil, int64(n+1), 10), nil
	}))

	data, _ := os.ReadFile(log)
	for line := range lockedfile.Lines(bytes.NewReader(data)) {
		fmt.Println(line.Offset, string(line.Text))
	}
	// Output:
	// <nil>
	// <nil>
	// 0 {"n":1}
	// 8 {"n":2}
}
