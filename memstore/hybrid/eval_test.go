package hybrid_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
	"github.com/slipstream-mcp/slipstream/memstore/hybrid/evaluate"
)

// BenchmarkRetrieval prints how well rankings find the turns of LoCoMo's
// conversations that answer a question. $LOCOMO names its file, which may not
// be copied here:
//
//	LOCOMO=locomo10.json go test -bench Retrieval -benchtime 1x -run '^$' ./hybrid
func BenchmarkRetrieval(b *testing.B) {
	file := os.Getenv("LOCOMO")
	if file == "" {
		fmt.Println("skipped: LOCOMO names no file, so that quality is not measured") // aloud, also without -v
		b.Skip("LOCOMO names no file")
	}
	sets, err := conversations(file)
	if err != nil {
		b.Fatal(err)
	}
	var table evaluate.Table
	for b.Loop() {
		table = evaluate.RunAll(sets, evaluate.Words(), evaluate.Vector(), evaluate.Original(), evaluate.Shipped())
	}
	fmt.Print(table)
	all := table[len(table)-1].Rows
	shipped := all[len(all)-1]
	b.ReportMetric(100*shipped.Recall5, "R@5")
	b.ReportMetric(100*shipped.Recall10, "R@10")
}

var turnID = regexp.MustCompile(`D:?(\d+):(\d+)`)

// conversations reads LoCoMo: a doc a turn, a session a session. Ids of
// evidence that are misspelt are repaired; questions without any are left out.
func conversations(file string) ([]evaluate.Set, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all []struct {
		Name         string                     `json:"sample_id"`
		Conversation map[string]json.RawMessage `json:"conversation"`
		Questions    []struct {
			Question string   `json:"question"`
			Evidence []string `json:"evidence"`
		} `json:"qa"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	var sets []evaluate.Set
	for _, c := range all {
		set := evaluate.Set{Name: c.Name}
		ids := map[string]int64{}
		for n := range 100 {
			session := fmt.Sprintf("session_%d", n)
			var date string
			var turns []struct {
				Speaker string `json:"speaker"`
				ID      string `json:"dia_id"`
				Text    string `json:"text"`
			}
			if c.Conversation[session] == nil {
				continue
			}
			if err := json.Unmarshal(c.Conversation[session], &turns); err != nil {
				return nil, err
			}
			if err := json.Unmarshal(c.Conversation[session+"_date_time"], &date); err != nil {
				return nil, err
			}
			at, err := time.Parse("3:04 pm on 2 January, 2006", date)
			if err != nil {
				return nil, err
			}
			for _, turn := range turns {
				id := int64(len(set.Docs) + 1)
				if m := turnID.FindStringSubmatch(turn.ID); m != nil {
					ids[m[1]+":"+m[2]] = id
				}
				set.Docs = append(set.Docs, hybrid.Doc{ID: id, Session: session, Time: at, Text: turn.Speaker + ": " + turn.Text})
			}
		}
		for _, q := range c.Questions {
			wanted := map[int64]bool{}
			question := evaluate.Question{Text: q.Question}
			for _, evidence := range q.Evidence {
				for _, m := range turnID.FindAllStringSubmatch(evidence, -1) {
					if id := ids[m[1]+":"+m[2]]; id > 0 && !wanted[id] {
						wanted[id] = true
						question.Wanted = append(question.Wanted, id)
					}
				}
			}
			if len(wanted) > 0 {
				set.Questions = append(set.Questions, question)
			}
		}
		sets = append(sets, set)
	}
	return sets, nil
}
