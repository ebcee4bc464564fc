package stdio

import (
	"bufio"
	"errors"
	"io"
)

// errTooLong says that a line was thrown away.
var errTooLong = errors.New("line is too long")

// lines cuts a stream at newlines.
type lines struct {
	r     *bufio.Reader
	limit int
}

func newLines(r io.Reader, limit int) *lines {
	return &lines{r: bufio.NewReaderSize(r, 64<<10), limit: limit}
}

// next returns a line without its newline; the caller owns it. With io.EOF or
// another error comes what was read before it, perhaps nothing. After
// errTooLong, the next line is at hand.
func (l *lines) next() ([]byte, error) {
	var line []byte
	for {
		part, err := l.r.ReadSlice('\n')
		if err == nil {
			part = part[:len(part)-1]
		}
		if len(line)+len(part) > l.limit {
			return nil, l.discard(err)
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// discard skips to the end of a line whose last part ended with err.
func (l *lines) discard(err error) error {
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = l.r.ReadSlice('\n')
	}
	return errTooLong
}
