package memstore

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kind says what a record is and so where a backend keeps it.
type Kind string

// KindFact is the kind of records that hold a Fact.
const KindFact Kind = "fact"

// Record is what a backend keeps: one thing, found again by its kind and key.
type Record struct {
	Kind Kind
	// Key names the record within its kind. For a fact it is the name of its
	// file without ".md".
	Key string
	// Version changes with every change of what is stored. It is the
	// backend's to choose and empty for a record that was never stored.
	Version string
	// Fact is set when Kind is KindFact.
	Fact *Fact
}

// Fact is something worth knowing in every later session.
type Fact struct {
	// Name is what the fact is called and forgotten by; Remember derives it
	// from the description when it is empty.
	Name string
	// Description says in a line what the fact is about.
	Description string
	Type        FactType
	Tags        []string
	// Body is the fact itself, without white space around it.
	Body string
	// Created and Updated are kept to the millisecond, in UTC; zero when a
	// file written by hand does not tell.
	Created, Updated time.Time
}

// FactType sorts facts by what they are good for.
type FactType string

// The types of facts.
const (
	Decision           FactType = "decision"
	Convention         FactType = "convention"
	Architecture       FactType = "architecture"
	Gotcha             FactType = "gotcha"
	CredentialLocation FactType = "credential-location"
	Todo               FactType = "todo"
	PlainFact          FactType = "fact"
)

// FactTypes returns all types, the default first.
func FactTypes() []FactType {
	return []FactType{Decision, Convention, Architecture, Gotcha, CredentialLocation, Todo, PlainFact}
}

// ParseFactType returns the type called s; the empty string is Decision. The
// error of any other string names the types there are.
func ParseFactType(s string) (FactType, error) {
	if s == "" {
		return Decision, nil
	}
	if t := FactType(s); slices.Contains(FactTypes(), t) {
		return t, nil
	}
	var names []string
	for _, t := range FactTypes() {
		names = append(names, string(t))
	}
	return "", fmt.Errorf("type %q is none of %s", s, strings.Join(names, ", "))
}
