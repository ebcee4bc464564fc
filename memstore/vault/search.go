package vault

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/slipstream-mcp/slipstream/memstore/thought"
)

// Hit is a thought that was found.
type Hit struct {
	thought.Thought
	// Similarity is the cosine between the query and the thought's nearest
	// piece, from -1 to 1; 0 when Mode is ByWords.
	Similarity float64
}

// Mode says what decided the order of hits.
type Mode string

// By words and vectors together, as a rule; by words alone when the query got
// no vector.
const (
	Hybrid  Mode = "hybrid"
	ByWords Mode = "words"
)

// Found is the answer to a search.
type Found struct {
	// Hits stand best first.
	Hits []Hit
	// Total is the number of thoughts that pass the filter and are not pending
	// or failed.
	Total int
	Mode  Mode
}

// Search returns the k thoughts among those that pass the filter that are
// nearest to the query: always k unless fewer pass, for thoughts without any
// word of the query follow by their similarity. Pending ones are left out. A
// query that the Embedder fails on is answered by words.
func (v *Vault) Search(ctx context.Context, query string, k int, f thought.Filter) (found Found, err error) {
	if strings.TrimSpace(query) == "" {
		return Found{}, errors.New("a search needs a query")
	}
	if v.vectors.embedder != nil { // so that it is known which vectors serve
		if err := v.read(ctx, func(*os.Root) error { return nil }); err != nil {
			return Found{}, err
		}
	}
	probes, ok := v.probes(ctx, query)
	if err := ctx.Err(); err != nil {
		return Found{}, err
	}
	found.Mode = Hybrid
	if !ok {
		probes, found.Mode = nil, ByWords
	}
	err = v.read(ctx, func(root *os.Root) error {
		best, total := v.index.search(query, probes, k, &f)
		found.Total = total
		for _, b := range best {
			if t, ok := v.whole(root, b.row); ok {
				found.Hits = append(found.Hits, Hit{t, b.cosine})
			}
		}
		return nil
	})
	return found, err
}
