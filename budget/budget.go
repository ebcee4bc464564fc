// Package budget counts text in tokens and fits it into a number of them.
//
// The count is an estimate of what the o200k vocabulary would give, made
// without the vocabulary: each pair of neighbouring bytes is worth a part of a
// token, by a 4 KB table over 63 classes of bytes. ACCURACY.md says how near
// that comes.
package budget

// Tokens estimates how many o200k tokens s is. It is deterministic, at least 1
// but for "", and a text never counts less than a text it begins with.
func Tokens(s string) int {
	var c Counter
	c.Add(s)
	return c.N()
}

// TokensOf is Tokens for bytes.
func TokensOf(b []byte) int {
	var c Counter
	add(&c, b)
	return c.N()
}

// A Counter counts a text that arrives in pieces: N equals Tokens of all of
// them joined, wherever the cuts fall. The zero value is ready to use, and a
// copy goes on from where the original stood.
type Counter struct {
	sum  uint64 // in units of weight
	prev uint8  // class of the last byte
}

// Add counts s.
func (c *Counter) Add(s string) { add(c, s) }

// Write counts p. It returns len(p) and no error, always.
func (c *Counter) Write(p []byte) (int, error) {
	add(c, p)
	return len(p), nil
}

// N is the count so far, in tokens.
func (c *Counter) N() int { return int((c.sum + unit/2) / unit) }

// classCount is the number of classes, and of weights in a row.
const classCount = 64

func add[T string | []byte](c *Counter, s T) {
	sum, prev := c.sum, uint(c.prev)
	for i := 0; i < len(s); i++ {
		class := uint(classes[s[i]])
		// The remainder changes nothing but that no bounds need checking.
		sum += uint64(weights[(prev*classCount+class)%(classCount*classCount)])
		prev = class
	}
	c.sum, c.prev = sum, uint8(prev)
}
