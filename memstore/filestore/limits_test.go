package filestore_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/slipstream-mcp/slipstream/memstore"
	"github.com/slipstream-mcp/slipstream/memstore/filestore"
)

// TestLimits remembers facts right at each limit and reads them again from the
// files.
func TestLimits(t *testing.T) {
	var tags []string
	for i := range memstore.MaxTags {
		tags = append(tags, fmt.Sprintf("%0*d", memstore.MaxTag, i))
	}
	for name, f := range map[string]memstore.Fact{
		"body":          {Body: "needle " + strings.Repeat("lorem ", (memstore.MaxBody-13)/6) + "ends"},
		"description":   {Body: "x", Description: "needle" + strings.Repeat(" lore", (memstore.MaxDescription-6)/5)},
		"escaped":       {Body: "x", Description: "needle" + strings.Repeat("\u2028\u0085", (memstore.MaxDescription-7)/2) + "x"},
		"tags":          {Body: "needle", Tags: tags},
		"itself":        {Body: "needle" + strings.Repeat("x", 494)},
		"derived":       {Body: "needle. " + strings.Repeat("x", 64<<10)},
		"with a number": {Body: "needle", Description: strings.Repeat("1", memstore.MaxDescription)},
	} {
		p := newPlace(t)
		want := p.remember(f).Fact
		p.dir.Close()
		other := newStore(t, open(t, p.state, filestore.Options{}))
		got, err := other.Get(t.Context(), want.Name)
		if err != nil || got.Body != want.Body || got.Description != want.Description || !slices.Equal(got.Tags, f.Tags) {
			t.Errorf("%s: got %d, %d, %d, %v", name, len(got.Body), len(got.Description), len(got.Tags), err)
		}
		if found, err := other.Recall(t.Context(), "needle", 1); name != "escaped" && name != "itself" && (err != nil || len(found) != 1) {
			t.Errorf("%s: recalled %d, %v", name, len(found), err)
		}
		if problems := p.problems(); len(problems) > 0 {
			t.Errorf("%s: got %q", name, problems)
		}
	}
}

// TestPut_Unreadable puts what the store's own limits would let through, or what
// never came through them.
func TestPut_Unreadable(t *testing.T) {
	for _, c := range []struct {
		fact memstore.Fact
		want string
	}{
		{memstore.Fact{Description: strings.Repeat("x", 70000)}, "bytes of description its frontmatter has 70"},
		{memstore.Fact{Description: "x", Tags: slices.Repeat([]string{"tag"}, 20000)}, "more than the limit of 65536; make the tags shorter"},
		{memstore.Fact{Description: "x", Body: strings.Repeat("x", 4<<20)}, "more than the limit of 4194304; keep the fact shorter"},
		{memstore.Fact{Description: "\u2028", Body: "x"}, "could not be read again: it has no description"},
	} {
		p := newPlace(t)
		c.fact.Name, c.fact.Type = "big", memstore.Decision
		err := p.dir.Put(t.Context(), memstore.Record{Kind: memstore.KindFact, Key: "big", Fact: &c.fact})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), `"big"`) {
			t.Errorf("got %v, want %q", err, c.want)
		}
		if _, err := os.Lstat(p.state); err == nil {
			t.Errorf("%q: something was written", c.want)
		}
	}
	p := newPlace(t)
	p.write("full.md", "---\ndescription: full\nextra: "+strings.Repeat("x", 65400)+"\n---\n\nold\n")
	_, err := p.store.Remember(t.Context(), memstore.Fact{Body: "new", Description: "full", Tags: []string{strings.Repeat("x", 190)}})
	if err == nil || !strings.Contains(err.Error(), "of extra") || !strings.HasSuffix(p.read("full.md"), "\nold\n") {
		t.Errorf("got %v", err)
	}
}
