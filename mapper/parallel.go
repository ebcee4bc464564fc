package mapper

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// each calls do for 0 to n-1 on as many goroutines as there are processors and
// waits for them. It stops early, with ctx's error, when ctx ends.
func each(ctx context.Context, n int, do func(i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
