package cli

import (
	"io"
	"os"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// progress is a bar on stderr that shows how much of a total is done.
type progress struct {
	container *mpb.Progress
	bar       *mpb.Bar
}

// progress shows a bar of bytes where a person looks at stderr, and nothing elsewhere. A total below 1 is not known.
func (p *program) progress(total int64) progress {
	f, ok := p.Stderr.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return progress{}
	}
	return newBar(f, total, decor.CountersKibiByte("% .1f of % .1f "))
}

// count is progress of so many things.
func (p *program) count(total int) progress {
	f, ok := p.Stderr.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return progress{}
	}
	return newBar(f, int64(total), decor.CountersNoUnit("%d of %d "))
}

func newBar(f *os.File, total int64, counters decor.Decorator) progress {
	container := mpb.New(mpb.WithOutput(f), mpb.WithWidth(40))
	return progress{container, container.AddBar(max(total, 0), mpb.BarRemoveOnComplete(), mpb.PrependDecorators(counters),
		mpb.AppendDecorators(decor.Percentage()))}
}

// at says that n of all are done.
func (p progress) at(n int) {
	if p.bar != nil {
		p.bar.SetCurrent(int64(n))
	}
}

// add says that n bytes more are done.
func (p progress) add(n int) {
	if p.bar != nil {
		p.bar.IncrBy(n)
	}
}

// reader is r, whose bytes are counted when they are read.
func (p progress) reader(r io.Reader) io.Reader {
	if p.bar == nil {
		return r
	}
	return io.TeeReader(r, counter(p.add))
}

// done takes the bar away. It may be called again.
func (p progress) done() {
	if p.bar != nil {
		p.bar.SetTotal(-1, true)
		p.container.Wait()
	}
}

// counter is a writer that counts alone.
type counter func(n int)

func (c counter) Write(b []byte) (int, error) {
	c(len(b))
	return len(b), nil
}
