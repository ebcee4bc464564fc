package symbols

import "bytes"

// Lines cuts the lines start to end, counted from 1 and inclusive, out of
// text. Both are clamped to the text, and a start after the end gives the one
// line start. The slice keeps its line ends but for the last one; first and
// last are the true range and total the number of lines, all 0 when the text
// is empty.
func Lines(text []byte, start, end int) (slice []byte, first, last, total int) {
	total = bytes.Count(text, []byte("\n"))
	if n := len(text); n > 0 && text[n-1] != '\n' {
		total++
	}
	if total == 0 {
		return nil, 0, 0, 0
	}
	first = min(max(start, 1), total)
	last = min(max(end, first), total)
	rest := text
	for range first - 1 {
		rest = rest[bytes.IndexByte(rest, '\n')+1:]
	}
	n := 0
	for line := first; ; line++ {
		i := bytes.IndexByte(rest[n:], '\n')
		if i < 0 {
			return rest, first, last, total
		}
		n += i
		if line == last {
			return rest[:n:n], first, last, total
		}
		n++
	}
}
