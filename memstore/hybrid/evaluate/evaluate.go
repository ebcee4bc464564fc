// Package evaluate measures how well rankings find what questions ask for. It
// ranks nothing itself and holds no questions.
//
//	set := evaluate.Set{Name: "notes", Docs: docs, Questions: questions}
//	fmt.Print(evaluate.Run(set, evaluate.Shipped(), evaluate.Words()))
package evaluate

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
)

// Set is what a ranking is measured on.
type Set struct {
	Name      string
	Docs      []hybrid.Doc
	Questions []Question
}

// Question is a text and the ids of the docs that answer it, at least one.
type Question struct {
	Text   string
	Wanted []int64
}

// Ranker is a way to rank docs.
type Ranker struct {
	Name string
	// Open prepares to answer questions about docs. What it returns gives the
	// ids of up to limit docs, best first.
	Open func(docs []hybrid.Doc) func(question string, limit int) []int64
}

// Row is how one ranking did on a set. Recall is the share of a question's
// wanted docs that are among the first k, Hit is 1 when one of them is, All
// when all are; each is the mean over the questions, from 0 to 1.
type Row struct {
	Ranker               string
	Questions            int
	Recall1, Recall5     float64
	Recall10             float64
	Hit1, Hit5, Hit10    float64
	All5, All10          float64
	MRR, NDCG10          float64       // MRR looks at the first 100
	Median, Percentile95 time.Duration // of answering one question
}

// Table is how rankings did on the sets.
type Table []struct {
	Set  string
	Rows []Row
}

// Run asks every ranker every question of a set.
func Run(set Set, rankers ...Ranker) Table { return RunAll([]Set{set}, rankers...) }

// RunAll measures over several sets that are one: each has its own docs, and
// the questions of all count alike. The table has a part for each, and one for
// all when there are several.
func RunAll(sets []Set, rankers ...Ranker) Table {
	table := make(Table, len(sets), len(sets)+1)
	counts := make([]tally, len(rankers))
	for i, set := range sets {
		table[i].Set = set.Name
		for k, r := range rankers {
			var one tally
			one.ask(set, r)
			counts[k].join(one)
			table[i].Rows = append(table[i].Rows, one.row(r.Name))
		}
	}
	if len(sets) > 1 {
		all := table[:len(sets)+1]
		all[len(sets)].Set = "all"
		for k, r := range rankers {
			all[len(sets)].Rows = append(all[len(sets)].Rows, counts[k].row(r.Name))
		}
		table = all
	}
	return table
}

// tally sums rows up.
type tally struct {
	sum   Row
	times []time.Duration
}

const deepest = 100

func (t *tally) ask(set Set, r Ranker) {
	answer := r.Open(set.Docs)
	for _, q := range set.Questions {
		start := time.Now()
		found := answer(q.Text, deepest)
		t.times = append(t.times, time.Since(start))
		t.count(found, q.Wanted)
	}
}

func (t *tally) count(found, wanted []int64) {
	s := &t.sum
	s.Questions++
	within := func(k int) (hits float64) {
		for _, id := range found[:min(k, len(found))] {
			if slices.Contains(wanted, id) {
				hits++
			}
		}
		return hits
	}
	n := float64(len(wanted))
	for _, c := range []struct {
		k                int
		recall, hit, all *float64
	}{{1, &s.Recall1, &s.Hit1, nil}, {5, &s.Recall5, &s.Hit5, &s.All5}, {10, &s.Recall10, &s.Hit10, &s.All10}} {
		hits := within(c.k)
		*c.recall += hits / n
		if hits > 0 {
			*c.hit++
		}
		if c.all != nil && hits == n {
			*c.all++
		}
	}
	gain, ideal := 0.0, 0.0
	for i, id := range found {
		if !slices.Contains(wanted, id) {
			continue
		}
		if i < 10 {
			gain += 1 / math.Log2(float64(i+2))
		}
		if within(i) == 0 {
			s.MRR += 1 / float64(i+1)
		}
	}
	for i := range min(10, len(wanted)) {
		ideal += 1 / math.Log2(float64(i+2))
	}
	s.NDCG10 += gain / ideal
}

func (r *Row) sums() []*float64 {
	return []*float64{&r.Recall1, &r.Recall5, &r.Recall10, &r.Hit1, &r.Hit5, &r.Hit10, &r.All5, &r.All10, &r.MRR, &r.NDCG10}
}

func (t *tally) join(o tally) {
	t.sum.Questions += o.sum.Questions
	others := o.sum.sums()
	for i, p := range t.sum.sums() {
		*p += *others[i]
	}
	t.times = append(t.times, o.times...)
}

func (t *tally) row(ranker string) Row {
	r := t.sum
	r.Ranker = ranker
	if r.Questions == 0 {
		return r
	}
	for _, p := range r.sums() {
		*p /= float64(r.Questions)
	}
	times := slices.Sorted(slices.Values(t.times))
	r.Median, r.Percentile95 = times[len(times)/2], times[len(times)*95/100]
	return r
}

// String returns the table in Markdown, shares in percent.
func (t Table) String() string {
	var b strings.Builder
	b.WriteString("| set | ranking | questions | R@1 | R@5 | R@10 | hit@1 | hit@5 | hit@10 | all@5 | all@10 | MRR | NDCG@10 | p50 | p95 |\n")
	b.WriteString("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, part := range t {
		for _, r := range part.Rows {
			fmt.Fprintf(&b, "| %s | %s | %d |", part.Set, r.Ranker, r.Questions)
			for _, p := range r.sums() {
				fmt.Fprintf(&b, " %.1f |", 100**p)
			}
			fmt.Fprintf(&b, " %v | %v |\n", r.Median.Round(time.Microsecond), r.Percentile95.Round(time.Microsecond))
		}
	}
	return b.String()
}
