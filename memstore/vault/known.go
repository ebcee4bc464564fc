package vault

import (
	"fmt"

	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
	"github.com/slipstream-mcp/slipstream/memstore/thought"
)

// row is what is known of a file: its thought without the body.
type row struct {
	thought.Thought
	stamp folder.Stamp
	// sure says that a later change would show in the stamp.
	sure bool
	// linked says that the file can change under another name.
	linked bool
	// broken says why no thought could be read from the file.
	broken string
	// copyOf is the path of the file that has the same id and counts.
	copyOf string
	// note says what is odd about the file.
	note string
	// secret says that the file, written by hand, holds what no cache may.
	secret bool
	// seen is the last walk that came by it.
	seen int
	// doc is its number in the index.
	doc int
	// sameID and sameText are the next of those with that id, and of those that
	// are a repeat of one another.
	sameID, sameText *row
}

// repeat is what makes two captures the same.
type repeat struct{ fingerprint, prefix, portability, source string }

func repeatOf(t *thought.Thought) repeat {
	return repeat{t.Fingerprint, t.Prefix, t.Portability, t.Source}
}

// legacyOf returns what tells where a thought came from, "" when nothing does: a
// number may be given by several systems, so its time counts with it.
func legacyOf(t *thought.Thought) string {
	if t.LegacyID == "" {
		return ""
	}
	if id, _, err := thought.ParseID(t.LegacyID); err == nil {
		return id
	}
	return fmt.Sprintf("%s at %d", t.LegacyID, t.CreatedAt.UnixMicro())
}

// known holds the rows.
type known struct {
	files  map[string]*row // by path
	byID   map[string]*row // the first of a chain by sameID
	byText map[repeat]*row // the first of a chain by sameText
	legacy map[string]*row // by legacyOf, any of those that share it
	count  int             // of thoughts: rows that are neither broken nor copies
	walk   int             // number of the last walk
}

func newKnown() known {
	return known{files: map[string]*row{}, byID: map[string]*row{}, byText: map[repeat]*row{}, legacy: map[string]*row{}}
}

// counts reports whether a row is a thought.
func (r *row) counts() bool { return r.broken == "" && r.copyOf == "" }

// add takes in the row of a file of which none is known.
func (k *known) add(r *row) (changed []*row) {
	k.files[r.FilePath] = r
	if r.broken != "" {
		return nil
	}
	r.sameID, k.byID[r.ID] = k.byID[r.ID], r
	key := repeatOf(&r.Thought)
	r.sameText, k.byText[key] = k.byText[key], r
	if key := legacyOf(&r.Thought); key != "" {
		k.legacy[key] = r
	}
	k.count++
	return k.settle(r.ID)
}

// remove takes a row out.
func (k *known) remove(r *row) (changed []*row) {
	delete(k.files, r.FilePath)
	if r.broken != "" {
		return nil
	}
	if r.copyOf == "" {
		k.count--
	}
	if next := unlink(k.byID[r.ID], r, func(r *row) **row { return &r.sameID }); next != nil {
		k.byID[r.ID] = next
	} else {
		delete(k.byID, r.ID)
	}
	key := repeatOf(&r.Thought)
	if next := unlink(k.byText[key], r, func(r *row) **row { return &r.sameText }); next != nil {
		k.byText[key] = next
	} else {
		delete(k.byText, key)
	}
	if key := legacyOf(&r.Thought); k.legacy[key] == r {
		delete(k.legacy, key)
	}
	return k.settle(r.ID)
}

// unlink takes a row out of a chain and returns the chain's first.
func unlink(first, r *row, next func(*row) **row) *row {
	for at := &first; *at != nil; at = next(*at) {
		if *at == r {
			*at = *next(r)
			*next(r) = nil
			break
		}
	}
	return first
}

// settle decides which file of an id counts, the first by path, and returns the
// rows for which that is new.
func (k *known) settle(id string) (changed []*row) {
	first := k.byID[id]
	if first == nil {
		return nil
	}
	if first.sameID == nil && first.copyOf == "" {
		return nil // as nearly always
	}
	for r := first.sameID; r != nil; r = r.sameID {
		if r.FilePath < first.FilePath {
			first = r
		}
	}
	for r := k.byID[id]; r != nil; r = r.sameID {
		was := r.copyOf
		r.copyOf = ""
		if r != first {
			r.copyOf = first.FilePath
		}
		if (was == "") != (r.copyOf == "") {
			changed = append(changed, r)
			if was == "" {
				k.count--
			} else {
				k.count++
			}
		}
	}
	return changed
}

// thought returns the row of an id that counts, or nil.
func (k *known) thought(id string) *row {
	for r := k.byID[id]; r != nil; r = r.sameID {
		if r.copyOf == "" {
			return r
		}
	}
	return nil
}

// first returns the oldest thought that a new one would repeat, or nil.
func (k *known) first(key repeat) *row {
	var first *row
	for r := k.byText[key]; r != nil; r = r.sameText {
		if r.copyOf == "" && (first == nil || r.CreatedAt.Before(first.CreatedAt) || r.CreatedAt.Equal(first.CreatedAt) && r.FilePath < first.FilePath) {
			first = r
		}
	}
	return first
}

// each calls f with every thought, in no order.
func (k *known) each(f func(*row)) {
	for _, r := range k.files {
		if r.counts() {
			f(r)
		}
	}
}
