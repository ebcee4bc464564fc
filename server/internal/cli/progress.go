package cli

import (
	"io"
	"os"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// progress is a bar on stderr that shows how many bytes of a total are done.
type progress struct {
	container *mpb.Progress
	bar       *mpb.Bar
}

// progress shows a bar where a person looks at stderr, and nothing elsewhere. A total below 1 is not known.
func (p *program) progress(total int64) progress {
	f, ok := p.Stderr.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return progress{}
	}
	container := mpb.New(mpb.WithOutput(f), mpb.WithWidth(40))
	return progress{container, container.AddBar(max(total, 0), mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.CountersKibiByte("% .1f of % .1f ")), mpb.AppendDecorators(decor.Percentage()))}
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
