//go:build ignore

package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/slipstream-mcp/slipstream/budget"
)

// row is what one corpus measures. Errors are parts of one, relative to the
// true count: above 0 the estimate is too high.
type row struct {
	corpus                       string
	pieces, bytes, tokens        int
	meanAbs, mean, worst, simple float64
	most                         float64 // real tokens of a cut piece / the budget it was cut to
	worstText                    string
}

// cutTo is the budget pieces are cut to, in tokens: most hold more.
const cutTo = 1000

// measure returns a row for each corpus of ps, in their order.
func measure(ps []piece) []row {
	var rows []row
	enc := newEncoder()
	for _, p := range ps {
		i := slices.IndexFunc(rows, func(r row) bool { return r.corpus == p.corpus })
		if i < 0 {
			i = len(rows)
			rows = append(rows, row{corpus: p.corpus})
		}
		r := &rows[i]
		truth := float64(len(p.tokens))
		e := float64(budget.Tokens(p.text))/truth - 1
		r.pieces++
		r.bytes += len(p.text)
		r.tokens += len(p.tokens)
		r.meanAbs += math.Abs(e)
		r.mean += e
		r.simple += math.Abs(float64(len(p.text))/3.6/truth - 1)
		if math.Abs(e) > math.Abs(r.worst) {
			r.worst, r.worstText = e, p.text
		}
		if out, _ := budget.FitLines(p.text, cutTo, nil); len(out) < len(p.text) {
			r.most = max(r.most, float64(len(enc.encode(out)))/cutTo)
		}
	}
	for i := range rows {
		n := float64(rows[i].pieces)
		rows[i].meanAbs /= n
		rows[i].mean /= n
		rows[i].simple /= n
	}
	return rows
}

// overall returns the mean and the highest of the corpora's mean errors.
func overall(rows []row) (mean float64, worst row) {
	for _, r := range rows {
		mean += r.meanAbs / float64(len(rows))
		if r.meanAbs > worst.meanAbs {
			worst = r
		}
	}
	return mean, worst
}

func markdown(rows []row) string {
	var b strings.Builder
	b.WriteString(`# How near budget.Tokens is

Written by ` + "`testscripts/judge/tokens/run.sh -write`" + `. Each piece is 8 KB of a file that the weights were not fitted on (texts
named "own" are shorter); the truth is the o200k tokenizer of tiktoken-go/tokenizer. Error: |estimate / truth - 1|, mean
over a corpus' pieces; lean: the same with its sign; worst: the piece that is furthest off; bytes/3.6: the error of that
rule; cut: the most real tokens a piece has after FitLines cut it, as a share of the budget.

| corpus | pieces | bytes a token | error | lean | worst | bytes/3.6 | cut |
|---|--:|--:|--:|--:|--:|--:|--:|
`)
	var simple float64
	for _, r := range rows {
		cut := "-"
		if r.most > 0 {
			cut = fmt.Sprintf("%.0f %%", 100*r.most)
		}
		fmt.Fprintf(&b, "| %s | %d | %.2f | %.1f %% | %+.1f %% | %+.1f %% | %.1f %% | %s |\n", r.corpus, r.pieces,
			float64(r.bytes)/float64(r.tokens), 100*r.meanAbs, 100*r.mean, 100*r.worst, 100*r.simple, cut)
		simple += r.simple / float64(len(rows))
	}
	mean, worst := overall(rows)
	fmt.Fprintf(&b, "\nMean over %d corpora: **%.1f %%** (promised: at most %.0f %%; bytes/3.6: %.1f %%). Worst corpus: **%s, %.1f %%** (at most %.0f %%).\n",
		len(rows), 100*mean, 100*maxMean, 100*simple, worst.corpus, 100*worst.meanAbs, 100*maxWorst)
	return b.String()
}

// trueCounts is a line for each of the module's own texts: its file, a tab,
// its real tokens.
func trueCounts(ps []piece) string {
	var b strings.Builder
	for _, p := range ps {
		if name, ok := strings.CutPrefix(p.corpus, own); ok {
			fmt.Fprintf(&b, "%s.txt\t%d\n", name, len(p.tokens))
		}
	}
	return b.String()
}

// verdict is an error when the promise is not kept.
func verdict(rows []row) error {
	mean, worst := overall(rows)
	switch {
	case len(rows) == 0:
		return fmt.Errorf("no text found to judge on")
	case mean > maxMean:
		return fmt.Errorf("mean error %.1f %% is above %.0f %%", 100*mean, 100*maxMean)
	case worst.meanAbs > maxWorst:
		return fmt.Errorf("error on %s %.1f %% is above %.0f %%", worst.corpus, 100*worst.meanAbs, 100*maxWorst)
	}
	return nil
}
