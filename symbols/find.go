package symbols

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// NotFoundError is returned by [File.Find] for a name that the file does not
// declare.
type NotFoundError struct {
	Name string
	Near []string // names that may have been meant, nearest first, at most 8
}

// Error names the symbol and the nearest ones.
func (e *NotFoundError) Error() string {
	if len(e.Near) == 0 {
		return fmt.Sprintf("no symbol %q", e.Name)
	}
	return fmt.Sprintf("no symbol %q; near: %s", e.Name, strings.Join(e.Near, ", "))
}

// AmbiguousError is returned by [File.Find] for a bare name that is a member
// of several types.
type AmbiguousError struct {
	Name       string
	Candidates []string // qualified names in source order
}

// Error names the symbol and the qualified names to choose from.
func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("symbol %q is a member of several types: %s", e.Name, strings.Join(e.Candidates, ", "))
}

// Find returns the declarations called name, in source order: several for
// overloads, merged interfaces and other twins.
//
// The name is that of a top-level declaration, an alias that it is exported
// under, "default", or "Type.member". Exported declarations go before others
// at top level, and those before members: a bare member name will do when one
// type alone has it. "name#2" is the second declaration of that name. The
// error is a [NotFoundError], an [AmbiguousError], or says how many there are
// when the number is out of range.
func (f File) Find(name string) ([]Decl, error) {
	name = strings.TrimSpace(name)
	found, err := f.find(name)
	if err == nil {
		return found, nil
	}
	bare, n, ok := splitNumber(name)
	if !ok {
		return nil, err
	}
	found, err = f.find(bare)
	if err != nil {
		return nil, err
	}
	found = append(found, f.all(func(d Decl) bool {
		return d.Qualified == bare && !slices.ContainsFunc(found, func(e Decl) bool { return same(d, e) })
	})...)
	switch {
	case n < 1 || n > len(found):
		return nil, fmt.Errorf("%q is out of range; declarations of %q: %d", name, bare, len(found))
	}
	return found[n-1 : n], nil
}

// same reports whether two declarations of one file are the same one.
func same(a, b Decl) bool {
	return a.StartByte == b.StartByte && a.EndByte == b.EndByte && a.Qualified == b.Qualified && a.NameLine == b.NameLine && a.Kind == b.Kind
}

// splitNumber splits "name#2". A private name as in "Type.#x" has no number.
func splitNumber(name string) (bare string, n int, ok bool) {
	i := strings.LastIndexByte(name, '#')
	if i <= 0 {
		return name, 0, false
	}
	n, err := strconv.Atoi(name[i+1:])
	return name[:i], n, err == nil
}

func (f File) find(name string) ([]Decl, error) {
	for _, is := range []func(Decl) bool{
		func(d Decl) bool { return d.Top && d.Exported && d.called(name) },
		func(d Decl) bool { return d.Top && d.called(name) },
		func(d Decl) bool { return d.Qualified == name },
	} {
		if found := f.all(is); len(found) > 0 {
			return found, nil
		}
	}
	// A bare member name, or a path whose outer names are left out.
	found := f.all(func(d Decl) bool {
		return d.Name == name || strings.HasSuffix(d.Qualified, "."+name)
	})
	if len(found) == 0 {
		return nil, &NotFoundError{Name: name, Near: f.near(name)}
	}
	var names []string
	for _, d := range found {
		if !slices.Contains(names, d.Qualified) {
			names = append(names, d.Qualified)
		}
	}
	if len(names) > 1 {
		return nil, &AmbiguousError{Name: name, Candidates: names}
	}
	return found, nil
}

// called reports whether name is one that a top-level declaration goes by.
func (d Decl) called(name string) bool {
	return d.Name == name || slices.Contains(d.Aliases, name) || d.Default && name == "default"
}

func (f File) all(is func(Decl) bool) []Decl {
	var found []Decl
	for _, d := range f.Decls {
		if is(d) {
			found = append(found, d)
		}
	}
	return found
}
