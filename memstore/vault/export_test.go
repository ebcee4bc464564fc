package vault

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"
)

// Walk looks at all files of a vault, and takes the time of that and of a stat
// of each of them, side by side, by whoever knows their names only.
func Walk(b *testing.B, v *Vault) (walk, stat time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	root, err := v.folder.Open()
	if err != nil {
		b.Fatal(err)
	}
	defer root.Close()
	start := time.Now()
	if changed, err := v.walk(b.Context(), root, start); err != nil || len(changed) > 0 {
		b.Fatalf("%d files changed, %v", len(changed), err)
	}
	walk = time.Since(start)

	start = time.Now()
	names := make(chan []fs.DirEntry, 1000)
	var dirs []string
	top := filepath.Join(v.folder.Dir, v.thoughts)
	err = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if d.IsDir() && path != top {
			dirs = append(dirs, path)
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for some := range names {
				for _, e := range some {
					if _, err := e.Info(); err != nil {
						b.Error(err)
					}
				}
			}
		})
	}
	for _, dir := range dirs {
		f, err := os.Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		for {
			some, err := f.ReadDir(256)
			names <- some
			if err != nil {
				break
			}
		}
		f.Close()
	}
	close(names)
	wg.Wait()
	return walk, time.Since(start)
}
