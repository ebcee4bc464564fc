package cli

import (
	"io"
	"log/slog"
	"time"
)

// newLogger logs to w at the level named (debug, info, warn, error; otherwise warn). A client may never read what it is
// told on stderr, so a line is dropped rather than waited for. The function it returns gives the last lines a moment.
func newLogger(w io.Writer, level string) (*slog.Logger, func()) {
	var min slog.Level
	if min.UnmarshalText([]byte(level)) != nil {
		min = slog.LevelWarn
	}
	lossy := &lossyWriter{lines: make(chan []byte, 256), done: make(chan struct{})}
	go lossy.drain(w)
	return slog.New(slog.NewTextHandler(lossy, &slog.HandlerOptions{Level: min})), lossy.close
}

// lossyWriter writes lines from a goroutine of its own and drops those that find its queue full.
type lossyWriter struct {
	lines chan []byte
	done  chan struct{}
}

// Write never blocks and never fails.
func (l *lossyWriter) Write(line []byte) (int, error) {
	select {
	case l.lines <- append([]byte(nil), line...):
	default:
	}
	return len(line), nil
}

// drain writes until a nil line comes.
func (l *lossyWriter) drain(w io.Writer) {
	defer close(l.done)
	for line := range l.lines {
		if line == nil {
			return
		}
		w.Write(line) // nobody to tell
	}
}

// close waits until what was logged is written, or a moment when nobody reads.
func (l *lossyWriter) close() {
	timeout := time.After(50 * time.Millisecond)
	select {
	case l.lines <- nil:
	case <-timeout:
		return
	}
	select {
	case <-l.done:
	case <-timeout:
	}
}
