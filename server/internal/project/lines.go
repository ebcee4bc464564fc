package project

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/slipstream-mcp/slipstream/budget"
	"github.com/slipstream-mcp/slipstream/server/internal/visible"
	"github.com/slipstream-mcp/slipstream/symbols"
)

// maxDecoded is the size in bytes beyond which a UTF-16 file is not decoded. Other text is read as a stream and has no limit.
const maxDecoded = 64 << 20

// Slice is a range of lines of one text file.
type Slice struct {
	Text        []byte           // the lines as they are, without the newline after the last one; cut when longer than asked for
	First, Last int              // the range after clamping, 1-based and inclusive; 0 and 0 in an empty file
	Total       int              // lines of the file, none extra after a final newline
	Encoding    symbols.Encoding // what the text was decoded from
	Bytes       int              // of the whole file
	Tokens      int              // of the whole file, as budget counts them
}

// Lines returns the lines start to end of a text file, clamped to the file; start after end gives the one line start. The
// text is at least limit characters when there are as many, and at most a few times that in bytes. The file may be of any
// size: it is read once, and only what is asked for is kept.
func (p *Project) Lines(ctx context.Context, name, file string, start, end, limit int) (Slice, error) {
	f, err := p.Open(name, file)
	if err != nil {
		return Slice{}, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 64<<10)
	head, err := r.Peek(r.Size())
	if err != nil && !errors.Is(err, io.EOF) {
		return Slice{}, &ReadError{Name: name, Reason: reason(err)}
	}
	if symbols.IsBinary(head) {
		return Slice{}, fmt.Errorf("%s is binary", visible.Text(name))
	}
	encoding := symbols.UTF8
	if isUTF16(head) {
		src, err := io.ReadAll(io.LimitReader(r, maxDecoded+1))
		if err != nil {
			return Slice{}, &ReadError{Name: name, Reason: reason(err)}
		}
		if len(src) > maxDecoded {
			return Slice{}, &ReadError{Name: name, Reason: "UTF-16 and too large to decode"}
		}
		text, enc := symbols.Decode(src)
		r, encoding = bufio.NewReader(bytes.NewReader(text)), enc
	}
	got, err := cut(ctx, r, start, end, limit)
	if err != nil {
		if ctx.Err() != nil {
			return Slice{}, ctx.Err()
		}
		return Slice{}, &ReadError{Name: name, Reason: reason(err)}
	}
	got.Encoding = encoding
	return got, nil
}

func isUTF16(head []byte) bool {
	return bytes.HasPrefix(head, []byte{0xFF, 0xFE}) || bytes.HasPrefix(head, []byte{0xFE, 0xFF})
}

// cut reads all of r, for the count of its lines, and keeps the lines asked for, or the last one when they begin after it.
func cut(ctx context.Context, r *bufio.Reader, start, end, limit int) (Slice, error) {
	start = max(start, 1)
	end = max(end, start)
	var (
		kept, line []byte // the lines asked for; the current line, while none of them has come
		number     = 1    // of the line being read
		fresh      = true // nothing of that line has been read
		total      int
		read       int // bytes
		tokens     budget.Counter
	)
	for {
		chunk, err := r.ReadSlice('\n')
		read += len(chunk)
		tokens.Write(chunk)
		if len(chunk) > 0 {
			if fresh {
				total, line = number, line[:0]
			}
			switch {
			case number > end:
			case number >= start:
				kept = appendUpTo(kept, chunk, limit)
			default:
				line = appendUpTo(line, chunk, limit)
			}
			fresh = chunk[len(chunk)-1] == '\n'
			if fresh {
				number++
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			if total < start {
				kept = line
			}
			if len(kept) >= utf8.UTFMax*limit {
				kept = wholeRunes(kept)
			}
			first := min(start, total)
			return Slice{
				Text: bytes.TrimSuffix(kept, []byte("\n")), First: first, Last: max(first, min(end, total)), Total: total,
				Bytes: read, Tokens: tokens.N(),
			}, nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return Slice{}, err
		case ctx.Err() != nil:
			return Slice{}, ctx.Err()
		}
	}
}

// wholeRunes cuts off the beginning of a character whose end was not kept.
func wholeRunes(s []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(s); i++ {
		if tail := s[len(s)-i:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return s[:len(s)-i]
			}
			break
		}
	}
	return s
}

// appendUpTo appends src to dst unless dst has surely limit characters already: one takes at most four bytes.
func appendUpTo(dst, src []byte, limit int) []byte {
	if len(dst) >= utf8.UTFMax*limit {
		return dst
	}
	return append(dst, src...)
}
