package budget

// Ledger adds up what scoped reads served against the whole files they are
// part of. The zero value is an empty ledger. Its JSON is that of a
// savings.json file: the first three keys are counts and bytes, the others
// tokens.
type Ledger struct {
	ScopedReads int   `json:"scopedReads"`
	ServedBytes int64 `json:"servedBytes"`
	FullBytes   int64 `json:"fullBytes"`

	ServedTokens int64 `json:"servedTokens,omitempty"` // of the slices alone
	FullTokens   int64 `json:"fullTokens,omitempty"`   // of the whole files, once for each read

	// The strict figures charge each answer in full, with its header, and those
	// that are no slice, such as maps; a file counts once a session.
	StrictServedTokens int64 `json:"strictServedTokens,omitempty"`
	StrictFullTokens   int64 `json:"strictFullTokens,omitempty"`
}

// Saving is one answer.
type Saving struct {
	Slice  Amount // what of the answer was source; zero for a map or a list
	File   Amount // the whole file
	Answer int    // tokens of the answer with its header
	Again  bool   // this session has read of the file before
}

// Amount is a size in bytes and tokens.
type Amount struct{ Bytes, Tokens int }

// Add returns the ledger with one more answer.
func (l Ledger) Add(s Saving) Ledger {
	l.StrictServedTokens += int64(s.Answer)
	if s.File.Bytes == 0 {
		return l
	}
	l.ScopedReads++
	l.ServedBytes += int64(s.Slice.Bytes)
	l.FullBytes += int64(s.File.Bytes)
	l.ServedTokens += int64(s.Slice.Tokens)
	l.FullTokens += int64(s.File.Tokens)
	if !s.Again {
		l.StrictFullTokens += int64(s.File.Tokens)
	}
	return l
}

// Plus returns the sum of two ledgers.
func (l Ledger) Plus(m Ledger) Ledger {
	return Ledger{
		ScopedReads:        l.ScopedReads + m.ScopedReads,
		ServedBytes:        l.ServedBytes + m.ServedBytes,
		FullBytes:          l.FullBytes + m.FullBytes,
		ServedTokens:       l.ServedTokens + m.ServedTokens,
		FullTokens:         l.FullTokens + m.FullTokens,
		StrictServedTokens: l.StrictServedTokens + m.StrictServedTokens,
		StrictFullTokens:   l.StrictFullTokens + m.StrictFullTokens,
	}
}
