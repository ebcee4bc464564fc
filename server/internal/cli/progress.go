package cli

import (
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows on stderr how much of total is done, where a person looks at it; elsewhere it shows nothing.
func (p *program) progress(total int64, doing string) *progressbar.ProgressBar {
	f, ok := p.Stderr.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return progressbar.DefaultBytesSilent(total)
	}
	return progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(f),
		progressbar.OptionSetDescription(doing),
		progressbar.OptionShowBytes(true),
		progressbar.OptionClearOnFinish(),
	)
}
