//go:build ignore

package recorder

import (
	"os"
	"strconv"

	"github.com/lucasjones/reggen"
)

// drawn counts the secrets, so that each has a seed of its own and a run with
// the same JUDGE_SEED draws the same ones.
var drawn int64

// NewSecret draws a text that the regular expression matches.
func NewSecret(regex string) string {
	g, err := reggen.NewGenerator(regex)
	if err != nil {
		panic(err)
	}
	seed, err := strconv.ParseInt(os.Getenv("JUDGE_SEED"), 10, 64)
	if err != nil {
		panic(err)
	}
	drawn++
	g.SetSeed(seed*1_000_000 + drawn)
	return g.Generate(1)
}
