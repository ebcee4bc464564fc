package budget

import (
	"fmt"
	"math"
)

// Level says how full a context window is.
type Level string

// The levels, in order.
const (
	OK      Level = "ok"      // there is room
	Warn    Level = "warn"    // read in smaller pieces, keep what matters elsewhere
	Compact Level = "compact" // summarise now
)

// Limits say what a context window holds and from when on it is full. Use
// Sanitize on limits that come from outside.
type Limits struct {
	TargetTokens int // tokens of the window, 1,000 or more
	WarnPct      int // percent of it from which the level is Warn, 1 to 99
	CompactPct   int // percent of it from which the level is Compact, above WarnPct, at most 100
}

// DefaultLimits returns the limits nobody has changed: 200,000 tokens, 60 and
// 85 percent.
func DefaultLimits() Limits { return Limits{TargetTokens: 200000, WarnPct: 60, CompactPct: 85} }

// MinTarget is the smallest window, in tokens.
const MinTarget = 1000

// Sanitize returns the limits made of numbers that may be fractions, out of
// bounds or, when 0 or NaN, missing: the target is at least MinTarget, the
// percentages are within bounds, and compacting comes after the warning.
func Sanitize(target, warnPct, compactPct float64) Limits {
	l := DefaultLimits()
	if n, ok := whole(target); ok {
		l.TargetTokens = max(MinTarget, n)
	}
	if n, ok := whole(warnPct); ok {
		l.WarnPct = min(max(n, 1), 99)
	}
	if n, ok := whole(compactPct); ok {
		l.CompactPct = min(max(n, 1), 100)
	}
	if l.CompactPct <= l.WarnPct {
		l.CompactPct = min(100, l.WarnPct+5)
	}
	return l
}

// whole rounds half up; 0 and what is no finite number are missing.
func whole(v float64) (int, bool) {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) > 1<<50 {
		return 0, false
	}
	return int(math.Floor(v + 0.5)), true
}

// Use is how much of a window is used.
type Use struct {
	Limits
	Tokens int
}

// Level returns the level of the use.
func (u Use) Level() Level {
	switch {
	case u.Tokens*100 >= u.TargetTokens*u.CompactPct:
		return Compact
	case u.Tokens*100 >= u.TargetTokens*u.WarnPct:
		return Warn
	default:
		return OK
	}
}

// Pct returns the used part of the window in percent, rounded, at most 100.
func (u Use) Pct() int { return min(100, (u.Tokens*200+u.TargetTokens)/(2*u.TargetTokens)) }

// String returns the use in one line:
//
//	level=ok approxTokens=1000 target=200000 used=1% (warn 60%, compact 85%)
func (u Use) String() string {
	return fmt.Sprintf("level=%s approxTokens=%d target=%d used=%d%% (warn %d%%, compact %d%%)",
		u.Level(), u.Tokens, u.TargetTokens, u.Pct(), u.WarnPct, u.CompactPct)
}
