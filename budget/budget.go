// Package budget counts text in tokens and fits it into a number of them.
//
// The count is an estimate of what the o200k vocabulary would give, made
// without the vocabulary: a pass over the bytes with a small table of weights.
package budget

// Tokens estimates how many o200k tokens s is. It is deterministic, 0 for "",
// and a text never counts less than one of its prefixes.
func Tokens(s string) int {
	var c Counter
	c.Add(s)
	return c.N()
}

// TokensOf is Tokens for bytes.
func TokensOf(b []byte) int {
	var c Counter
	c.Write(b) // never fails
	return c.N()
}

// Counter counts a text that arrives in pieces: N equals Tokens of all of
// them joined, wherever the cuts fall. The zero value is ready to use, and a
// copy goes on from where the original stood.
type Counter struct {
	sum  uint64 // 1/1024 tokens
	prev uint8  // class of the last byte
}

// Add counts s.
func (c *Counter) Add(s string) { count(c, s) }

// Write counts p. It never fails: the error is always nil.
func (c *Counter) Write(p []byte) (int, error) {
	count(c, p)
	return len(p), nil
}

// N is the count so far, in tokens, rounded up.
func (c *Counter) N() int { return int((c.sum + 1023) / 1024) }

func count[T string | []byte](c *Counter, s T) {
	for i := 0; i < len(s); i++ {
		k := class(s[i])
		if k == c.prev {
			c.sum += inside[k]
		} else {
			c.sum += first[k]
		}
		c.prev = k
	}
}

func class(b byte) uint8 {
	switch {
	case b == ' ' || b == '\t':
		return 1
	case b == '\n' || b == '\r':
		return 2
	case 'a' <= b|0x20 && b|0x20 <= 'z':
		return 3
	case '0' <= b && b <= '9':
		return 4
	case b >= 0x80:
		return 5
	default:
		return 6
	}
}

var (
	first  = [7]uint64{0, 200, 600, 800, 1024, 500, 800}
	inside = [7]uint64{0, 10, 10, 70, 341, 260, 400}
)
