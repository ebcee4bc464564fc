package retrieval_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
	"github.com/slipstream-mcp/slipstream/memstore/hybrid/evaluate"
	"github.com/slipstream-mcp/slipstream/memstore/journal"
	"github.com/slipstream-mcp/slipstream/server/internal/hook"
)

// observed plays the sessions through the hooks into a journal, as the program does, and returns what it holds and which
// observation came of each turn.
func observed(t testing.TB, sessions []session) (docs []hybrid.Doc, byTurn map[string]int64) {
	t.Helper()
	j, err := journal.Open(t.TempDir(), journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	turnOf := map[string][]int{} // by session: the turn of each event
	for _, s := range sessions {
		all, err := payloads(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range all {
			payload, err := hook.Decode(p.json, "")
			if err != nil {
				t.Fatal(err)
			}
			name := hook.Session(payload.SessionID, nil)
			r := hook.Handle(payload, name, p.at)
			if err := j.Record(t.Context(), r.Events...); err != nil {
				t.Fatal(err)
			}
			for range r.Events {
				turnOf[name] = append(turnOf[name], p.turn)
			}
			if r.Fold || r.Final {
				if _, err := j.Capture(t.Context(), name, activity.FoldOptions{Root: projectDir, Home: "/home/dev", Final: r.Final}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	byTurn = map[string]int64{}
	for o, err := range j.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		byTurn[fmt.Sprintf("%s#%d", o.Session, turnOf[o.Session][o.First])] = o.ID
		docs = append(docs, journal.Doc(o))
	}
	return docs, byTurn
}

// sets returns the questions over the observations, all of them and those of each kind.
func sets(t testing.TB) []evaluate.Set {
	t.Helper()
	sessions, questions := codingSet(t)
	docs, byTurn := observed(t, sessions)
	all := []evaluate.Set{{Name: "coding", Docs: docs}}
	for _, q := range questions {
		var wanted []int64
		for _, turn := range q.answers {
			if byTurn[turn] == 0 {
				t.Errorf("question %q: nothing was captured of turn %s", q.text, turn)
				continue
			}
			wanted = append(wanted, byTurn[turn])
		}
		name := "coding, " + q.kind
		if all[len(all)-1].Name != name {
			all = append(all, evaluate.Set{Name: name, Docs: docs})
		}
		for _, set := range []*evaluate.Set{&all[0], &all[len(all)-1]} {
			set.Questions = append(set.Questions, evaluate.Question{Text: q.text, Wanted: wanted})
		}
	}
	return all
}

// Every turn becomes an observation of its own.
func TestObserved(t *testing.T) {
	sessions, _ := codingSet(t)
	docs, byTurn := observed(t, sessions)
	turns := 0
	for _, s := range sessions {
		for i := range s.turns {
			if turns++; byTurn[s.turnID(i+1)] == 0 {
				t.Errorf("nothing was captured of turn %s", s.turnID(i+1))
			}
		}
	}
	if len(docs) != turns {
		t.Errorf("%d observations of %d turns", len(docs), turns)
	}
}

// What the program finds must be worth more than what words alone find, for questions of every kind.
func TestRetrieval(t *testing.T) {
	for _, set := range sets(t) {
		rows := evaluate.Run(set, evaluate.Words(), evaluate.Vector(), evaluate.Shipped())[0].Rows
		shipped := rows[len(rows)-1]
		for _, alone := range rows[:len(rows)-1] {
			for _, m := range []struct {
				name           string
				shipped, alone float64
			}{
				{"R@1", shipped.Recall1, alone.Recall1}, {"R@5", shipped.Recall5, alone.Recall5}, {"R@10", shipped.Recall10, alone.Recall10},
				{"all@10", shipped.All10, alone.All10}, {"MRR", shipped.MRR, alone.MRR}, {"NDCG@10", shipped.NDCG10, alone.NDCG10},
			} {
				if m.shipped < m.alone-0.001 { // a question in a thousand is chance
					t.Errorf("%s: %s is %.3f, %s alone has %.3f", set.Name, m.name, m.shipped, alone.Ranker, m.alone)
				}
			}
		}
	}
}

// Run with go test -bench Retrieval -benchtime 1x -run '^$' ./internal/retrieval. LoCoMo is measured in memstore:
// LOCOMO=FILE go test -bench Retrieval -benchtime 1x -run '^$' ./hybrid
func BenchmarkRetrieval(b *testing.B) {
	all := sets(b)
	var report strings.Builder
	for b.Loop() {
		report.Reset()
		for _, set := range all {
			fmt.Fprint(&report, evaluate.Run(set, evaluate.Words(), evaluate.Vector(), evaluate.Original(), evaluate.Shipped()))
		}
	}
	fmt.Print(report.String())
}
