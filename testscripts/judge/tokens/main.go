//go:build ignore

// Command tokens is the judge of budget.Tokens: it counts texts found on this
// machine, generated, and shipped beside it with the estimate and with the
// real o200k tokenizer, prints how far they are apart by corpus, and exits 1
// when that is more than promised. With -fit it makes the estimate's weights
// anew.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// What is promised, in parts of one: the mean over all corpora of the mean
// absolute error on their pieces, and the same for the worst corpus.
const (
	maxMean  = 0.05
	maxWorst = 0.10
)

func main() {
	tree := flag.String("tree", ".", "the repository")
	extra := flag.String("extra", "", "a folder with more sources, as fetch.sh makes it")
	fit := flag.Bool("fit", false, "fit the weights and write budget/weights.go; then run again to measure them")
	write := flag.Bool("write", false, "write budget/ACCURACY.md and the true counts of budget/testdata/counts")
	detail := flag.Bool("detail", false, "print the worst piece of each corpus")
	flag.Parse()
	if err := run(finder{tree: *tree, extra: *extra}, *fit, *write, *detail); err != nil {
		fmt.Fprintln(os.Stderr, "tokens:", err)
		os.Exit(1)
	}
}

func run(f finder, fit, write, detail bool) error {
	if fit {
		return os.WriteFile(filepath.Join(f.tree, "budget", "weights.go"), source(fitted(f.pieces(fitting))), 0o644)
	}
	pieces := f.pieces(judging)
	rows := measure(pieces)
	report := markdown(rows)
	fmt.Print(report)
	if detail {
		for _, r := range rows {
			fmt.Printf("\n%s: worst piece %+.1f %%:\n%.400s\n", r.corpus, 100*r.worst, r.worstText)
		}
	}
	if write {
		if err := os.WriteFile(filepath.Join(f.tree, counts, "tokens.tsv"), []byte(trueCounts(pieces)), 0o644); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(f.tree, "budget", "ACCURACY.md"), []byte(report), 0o644); err != nil {
			return err
		}
	}
	return verdict(rows)
}
