package budget

import "math"

// Ledger adds up what scoped reads served against the whole files they are
// part of. The zero value is an empty ledger. Its JSON is that of a
// savings.json file.
type Ledger struct {
	// The documented figure counts each slice against its whole file.
	ScopedReads int   `json:"scopedReads"`
	ServedBytes int64 `json:"servedBytes"` // of the slices, without their headers
	FullBytes   int64 `json:"fullBytes"`   // of the whole files, once for each read

	// The strict figure charges every answer in full, maps and lists too, and
	// counts a file once a session.
	ServedTokens int64 `json:"servedTokens,omitempty"`
	FullTokens   int64 `json:"fullTokens,omitempty"`
}

// Saving is one answer.
type Saving struct {
	SliceBytes int  // source in the answer; 0 for a map or a list
	FileBytes  int  // the whole file; 0 for a map or a list
	FileTokens int  // the same in tokens
	Answer     int  // tokens of the answer, header and all
	Again      bool // this session has read of the file before
}

// Add returns the ledger with one more answer.
func (l Ledger) Add(s Saving) Ledger {
	l.ServedTokens += int64(s.Answer)
	if s.FileBytes == 0 {
		return l
	}
	l.ScopedReads++
	l.ServedBytes += int64(s.SliceBytes)
	l.FullBytes += int64(s.FileBytes)
	if !s.Again {
		l.FullTokens += int64(s.FileTokens)
	}
	return l
}

// BytesPerToken is what the documented figure counts with.
const BytesPerToken = 3.6

// Documented returns the tokens of the slices and of the whole files, by bytes.
func (l Ledger) Documented() (served, full int64) {
	count := func(bytes int64) int64 { return int64(math.Floor(float64(bytes)/BytesPerToken + 0.5)) }
	return count(l.ServedBytes), count(l.FullBytes)
}

// Plus returns the sum of two ledgers.
func (l Ledger) Plus(m Ledger) Ledger {
	return Ledger{
		ScopedReads:  l.ScopedReads + m.ScopedReads,
		ServedBytes:  l.ServedBytes + m.ServedBytes,
		FullBytes:    l.FullBytes + m.FullBytes,
		ServedTokens: l.ServedTokens + m.ServedTokens,
		FullTokens:   l.FullTokens + m.FullTokens,
	}
}
