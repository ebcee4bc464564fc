package memstore_test

import (
	"testing"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore"
)

func TestMerge(t *testing.T) {
	s := newStore(t)
	june := time.Date(2026, 6, 4, 10, 2, 0, 0, time.UTC)
	fact := memstore.Fact{Name: "deploys", Description: "Deploys run from main only.", Body: "Deploys run from main only.", Type: memstore.Convention,
		Tags: []string{"deploy"}, Created: june, Updated: june}
	newer, older, other := fact, fact, fact
	newer.Body, newer.Created, newer.Updated = "Deploys run from main only, by CI.", june.Add(time.Hour), june.Add(time.Hour)
	older.Body, older.Updated = "Deploys run from anywhere.", june.Add(-time.Hour)
	other.Description, other.Body = "Deploys are announced.", "Deploys are announced."
	for _, step := range []struct {
		what string
		fact memstore.Fact
		want memstore.Merged
	}{
		{"new here", fact, memstore.MergedAdded}, {"again", fact, memstore.MergedKept}, {"older words", older, memstore.MergedKept},
		{"newer words", newer, memstore.MergedReplaced}, {"again", newer, memstore.MergedKept}, {"the first again", fact, memstore.MergedKept},
		{"another of the name", other, memstore.MergedAdded}, {"and again", other, memstore.MergedKept},
	} {
		if got, err := s.Merge(t.Context(), step.fact); err != nil || got != step.want {
			t.Errorf("%s: %v, %v, want %v", step.what, got, err, step.want)
		}
	}
	got, err := s.Get(t.Context(), "deploys")
	if err != nil || got.Body != newer.Body || !got.Created.Equal(june) || !got.Updated.Equal(newer.Updated) {
		t.Errorf("the fact is %+v, %v", got, err)
	}
	if got, err := s.Get(t.Context(), "deploys-2"); err != nil || got.Body != other.Body {
		t.Errorf("the other is %+v, %v", got, err)
	}
	if _, err := s.Merge(t.Context(), memstore.Fact{}); err == nil {
		t.Error("a fact without text was merged")
	}
	if got, err := s.Merge(t.Context(), memstore.Fact{Body: "Times are in UTC."}); err != nil || got != memstore.MergedAdded {
		t.Errorf("a fact without times: %v, %v", got, err)
	}
}
