package memstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/rank"
)

// Remembered is what became of a fact that was to be remembered.
type Remembered struct {
	// Fact is the fact as it is stored now.
	Fact Fact
	// Updated says that a fact of the same description was there before and
	// was replaced.
	Updated bool
	// Close holds older facts, at most three, that speak of nearly the same
	// thing: the new one may be a correction of them.
	Close []Fact
}

// Remember stores a fact and returns when it is durable. Without a Description
// the Body describes itself, a long one by how it begins; without a Type it is a
// Decision. A fact that is too large is refused (see MaxBody). A fact with the
// same description is replaced but for its time of creation, and so is the
// one called Name when a Name is given. Any other fact stays as it is: when
// its name is in the way, the new one gets a number.
func (s *Store) Remember(ctx context.Context, f Fact) (Remembered, error) {
	f, cut, err := s.prepare(f)
	if err != nil {
		return Remembered{}, err
	}
	inTheWay := map[string]bool{}
	for {
		recs, err := s.scan(ctx)
		if err != nil {
			return Remembered{}, err
		}
		rec, updated := place(f, cut, recs, inTheWay)
		err = s.backend.Put(ctx, rec)
		if errors.Is(err, ErrConflict) {
			// Another writer was faster, or a file that is no fact has the
			// name. Looking again tells which.
			if !updated {
				inTheWay[strings.ToLower(rec.Key)] = true
			}
			if err := ctx.Err(); err != nil {
				return Remembered{}, err
			}
			continue
		}
		if err != nil {
			return Remembered{}, err
		}
		return Remembered{Fact: *rec.Fact, Updated: updated, Close: s.closeFacts(ctx, rec)}, nil
	}
}

// prepare checks a fact and masks and trims its texts. It reports whether the
// description is but the beginning of the body.
func (s *Store) prepare(f Fact) (_ Fact, cut bool, err error) {
	if f.Type, err = ParseFactType(string(f.Type)); err != nil {
		return Fact{}, false, err
	}
	if err := checkSize(f); err != nil { // before much work is put into it
		return Fact{}, false, err
	}
	f.Body = s.clean(f.Body)
	if f.Body == "" {
		return Fact{}, false, errors.New("a fact needs text")
	}
	f.Description = s.clean(f.Description)
	if f.Description == "" {
		f.Description = describe(f.Body)
		cut = f.Description != f.Body
	}
	f.Name = s.clean(f.Name)
	var tags []string
	for _, t := range f.Tags {
		t = strings.Join(strings.Fields(s.clean(t)), " ")
		if t != "" && !slices.Contains(tags, t) {
			tags = append(tags, t)
		}
	}
	f.Tags = tags
	f.Updated = s.now().UTC().Truncate(time.Millisecond)
	f.Created = f.Updated
	return f, cut, checkSize(f)
}

// clean masks before it trims, so that a secret is not cut out of the shape
// it is known by.
func (s *Store) clean(text string) string {
	text = s.redact(strings.ToValidUTF8(text, "\uFFFD"))
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Trim(text, " \t\n\v\f\r\u00a0\ufeff")
}

// place returns the record to store f in: that of the same fact, else a new
// one under a free name. Long facts can begin alike, so that one whose
// description was cut is the same only when its body is.
func place(f Fact, cut bool, recs []Record, inTheWay map[string]bool) (rec Record, updated bool) {
	slug := Slug(cmp.Or(f.Name, f.Description))
	taken := map[string]bool{} // of the names that freeName may ask for
	begin := strings.TrimRight(strings.ToLower(slug), "-")
	same := -1
	for i, r := range recs {
		for _, name := range [...]string{r.Key, r.Fact.Name} {
			if lower := strings.ToLower(name); strings.HasPrefix(lower, begin) {
				taken[lower] = true
			}
		}
		switch {
		case f.Name != "":
			if r.Fact.Name == f.Name || r.Key == f.Name || r.Key == slug && same < 0 {
				same = i
			}
		case cut && (r.Fact.Body != f.Body || r.Fact.Description != f.Description && r.Fact.Description != f.Body):
		case (cut || r.Fact.Description == f.Description) && (same < 0 || r.Key == slug):
			same = i
		}
	}
	if same >= 0 {
		rec = recs[same]
		f.Name = rec.Fact.Name
		if !rec.Fact.Created.IsZero() {
			f.Created = rec.Fact.Created
		}
		rec.Fact = &f
		return rec, true
	}
	f.Name = freeName(slug, func(lower string) bool { return taken[lower] || inTheWay[lower] })
	return Record{Kind: KindFact, Key: f.Name, Fact: &f}, false
}

// closeFacts returns the facts that speak of nearly what rec does. It looks
// among those that its description finds; the fact is stored, so that not
// being able to look is no failure.
func (s *Store) closeFacts(ctx context.Context, rec Record) []Fact {
	const among, most = 10, 3
	recs, err := s.search(ctx, KindFact, rec.Fact.Description, among)
	if err != nil {
		return nil
	}
	words := rank.NewWords(rec.Fact.Description)
	var facts []Fact
	for _, r := range recs {
		if r.Key != rec.Key && len(facts) < most && words.Overlap(r.Fact.Description) >= rank.CloseOverlap {
			facts = append(facts, *r.Fact)
		}
	}
	return facts
}

// Recall returns the facts that match the query, best first, at most limit; a
// limit below 1 means 5. A fact whose name, tags or description match comes
// before one whose body alone does; of two that match alike the newer is
// first. A query without words matches nothing.
func (s *Store) Recall(ctx context.Context, query string, limit int) ([]Fact, error) {
	if limit < 1 {
		limit = 5
	}
	recs, err := s.search(ctx, KindFact, query, limit)
	if err != nil {
		return nil, err
	}
	facts := make([]Fact, len(recs))
	for i, r := range recs {
		facts[i] = *r.Fact
	}
	return facts, nil
}

// Forget removes the fact of that name and reports whether there was one. A
// name that could be a path is refused, whatever it leads to.
func (s *Store) Forget(ctx context.Context, name string) (bool, error) {
	if strings.ContainsAny(name, "/\\\x00") || name == "." || name == ".." {
		return false, fmt.Errorf("name %q holds a path; a fact is forgotten by its name alone", name)
	}
	key := name
	rec, err := s.find(ctx, name)
	if err == nil {
		key = rec.Key
	} else if !errors.Is(err, ErrNotFound) {
		return false, err
	}
	// Without a record there may still be a file of that name that is no
	// fact any more; the backend knows.
	err = s.backend.Delete(ctx, KindFact, key)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Get returns the fact of that name; the error is ErrNotFound when there is
// none.
func (s *Store) Get(ctx context.Context, name string) (Fact, error) {
	rec, err := s.find(ctx, name)
	if err != nil {
		return Fact{}, err
	}
	return *rec.Fact, nil
}

// List returns all facts by name.
func (s *Store) List(ctx context.Context) ([]Fact, error) {
	recs, err := s.scan(ctx)
	if err != nil {
		return nil, err
	}
	facts := make([]Fact, len(recs))
	for i, r := range recs {
		facts[i] = *r.Fact
	}
	slices.SortStableFunc(facts, func(a, b Fact) int { return cmp.Compare(a.Name, b.Name) })
	return facts, nil
}

// find returns the record with that key, else the only one of that name: a
// file that was renamed or copied by hand still says its old name.
func (s *Store) find(ctx context.Context, name string) (Record, error) {
	recs, err := s.scan(ctx)
	if err != nil {
		return Record{}, err
	}
	var found []Record
	var keys []string
	for _, r := range recs {
		if r.Key == name {
			return r, nil
		}
		if r.Fact.Name == name {
			found = append(found, r)
			keys = append(keys, r.Key)
		}
	}
	switch len(found) {
	case 0:
		return Record{}, fmt.Errorf("fact %q: %w", name, ErrNotFound)
	case 1:
		return found[0], nil
	}
	return Record{}, fmt.Errorf("several facts are called %q; use one of %s", name, strings.Join(keys, ", "))
}

func (s *Store) scan(ctx context.Context) ([]Record, error) {
	var recs []Record
	for r, err := range s.backend.Scan(ctx, KindFact) {
		if err != nil {
			return nil, err
		}
		recs = append(recs, r)
	}
	return recs, nil
}
