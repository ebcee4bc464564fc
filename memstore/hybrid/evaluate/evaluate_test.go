package evaluate_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
	"github.com/slipstream-mcp/slipstream/memstore/hybrid/evaluate"
)

func set(name string) evaluate.Set {
	return evaluate.Set{
		Name: name,
		Docs: []hybrid.Doc{
			{ID: 1, Session: "a", Text: "Deploys run from main only."},
			{ID: 2, Session: "b", Text: "The queue is kept in Postgres."},
			{ID: 3, Session: "c", Text: "Buttons are blue."},
		},
		Questions: []evaluate.Question{
			{Text: "where do we deploy from?", Wanted: []int64{1}},
			{Text: "what colour has a button?", Wanted: []int64{3}},
		},
	}
}

func Example() {
	table := evaluate.Run(set("notes"), evaluate.Words(), evaluate.Shipped())
	for _, row := range table[0].Rows {
		fmt.Println(row.Ranker, row.Questions, row.Recall1)
	}
	// Output:
	// BM25, stems 2 1
	// hybrid 2 1
}

// fixed answers every question with the same docs.
func fixed(ids ...int64) evaluate.Ranker {
	return evaluate.Ranker{Name: "fixed", Open: func([]hybrid.Doc) func(string, int) []int64 {
		return func(string, int) []int64 { return ids }
	}}
}

func TestRun(t *testing.T) {
	one := evaluate.Set{Name: "one", Questions: []evaluate.Question{{Text: "?", Wanted: []int64{7, 9}}}}
	found := []int64{1, 7, 2, 3, 4, 9, 5}
	r := evaluate.Run(one, fixed(found...))[0].Rows[0]
	ndcg := (1/math.Log2(3) + 1/math.Log2(7)) / (1 + 1/math.Log2(3))
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"R@1", r.Recall1, 0}, {"R@5", r.Recall5, 0.5}, {"R@10", r.Recall10, 1},
		{"hit@1", r.Hit1, 0}, {"hit@5", r.Hit5, 1}, {"hit@10", r.Hit10, 1},
		{"all@5", r.All5, 0}, {"all@10", r.All10, 1}, {"MRR", r.MRR, 0.5}, {"NDCG@10", r.NDCG10, ndcg},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%s: got %v, want %v", c.name, c.got, c.want)
		}
	}
	if none := evaluate.Run(one, fixed())[0].Rows[0]; none.Recall10 != 0 || none.MRR != 0 {
		t.Errorf("nothing found: got %+v", none)
	}
}

func TestRunAll(t *testing.T) {
	other := evaluate.Set{Name: "other", Questions: []evaluate.Question{{Text: "?", Wanted: []int64{8}}}}
	table := evaluate.RunAll([]evaluate.Set{set("notes"), other}, fixed(1))
	if len(table) != 3 || table[2].Set != "all" {
		t.Fatalf("got %v, want a part for each set and one for all", table)
	}
	if r := table[2].Rows[0]; r.Questions != 3 || math.Abs(r.Recall1-1.0/3) > 1e-9 {
		t.Errorf("all: got %+v, want 1 of 3 found", r)
	}
	if got := table.String(); strings.Count(got, "\n") != 5 || !strings.Contains(got, "| all | fixed | 3 | 33.3 |") {
		t.Errorf("got\n%s", got)
	}
}

// The rankings that are compared with are what they say they are.
func TestRankers(t *testing.T) {
	docs := set("").Docs
	for _, c := range []struct {
		ranker   evaluate.Ranker
		question string
		want     string
	}{
		{evaluate.Words(), "deployment", "[1]"},
		{evaluate.Words(), "postgre queue", "[2]"},
		{evaluate.Original(), "deployment", "[]"},
		{evaluate.Original(), "deploy", "[1]"},
		{evaluate.Vector(), "Postgress", "[2"},
		{evaluate.Shipped(), "Postgress", "[2]"},
	} {
		if got := fmt.Sprint(c.ranker.Open(docs)(c.question, 3)); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s, %q: got %s, want %s", c.ranker.Name, c.question, got, c.want)
		}
	}
}
