package redact

import "slices"

// rule is one row of the table. The columns, in order:
type rule struct {
	// name says what the row finds.
	name string
	// words are literals, lower case, separated by "|": a match begins with one
	// of them, whatever its case, so that one pass over the text finds every
	// place worth a look.
	words string
	// pattern is what stands there, in RE2 syntax. The secret is its first
	// group that took part, or all of it when it has none.
	pattern string
	// entropy is the least a secret must have, in bits a byte; 0 asks nothing.
	// Placeholders such as xxxxxxxx fall below 2.
	entropy float64
	// edge says what may stand before the word, and how pattern is read.
	edge edge
	// hit is a text with a secret, miss one like it without. {a36} stands for
	// 36 letters and digits; see expand in the tests. Nothing that a scanner
	// would take for a secret stands in this repository.
	hit, miss string
	// judge, when there is one, has the last word about a match.
	judge func(m *match) bool
	// spans, when there is one, finds the secrets itself: pattern only says
	// where to call it. What is below low was read before; what it read itself
	// ends at read.
	spans func(m match, low int) (found []span, read int)
}

// edge is what a rule asks of the text before its word.
type edge int

const (
	// token: no letter, digit or underscore before.
	token edge = iota
	// glued: anything; the word itself is rare enough.
	glued
	// vendor: the word is a vendor's name in an identifier that a value of the
	// given pattern is assigned to.
	vendor
	// quad: as token, but the match begins four bytes before the word.
	quad
	// ident: the word is part of an identifier, and pattern is what stands
	// behind that.
	ident
)

// match is what a rule's judge looks at.
type match struct {
	text string
	// start is where the match begins, end where it ends.
	start, end int
	// from and to are where the secret is.
	from, to int
}

func (m match) secret() string { return m.text[m.from:m.to] }

// table returns every built-in rule.
func table() []rule {
	return slices.Concat(structures, assignments, code, clouds, services, chats, named)
}
