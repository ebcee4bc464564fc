package redact

import "strings"

// automaton finds every occurrence of many words in one pass, whatever their
// case in ASCII (Aho and Corasick's construction, as a table).
type automaton struct {
	class   [256]uint8 // bytes that no word holds share class 0
	classes int
	next    []uint16 // state and class to state
	found   [][]word // what ends in a state, longest first
}

// word is one literal of one rule.
type word struct{ rule, length int }

func newAutomaton(rules []rule) *automaton {
	a := &automaton{classes: 1}
	states := 1
	for _, r := range rules {
		states += len(r.words)
		for _, b := range []byte(r.words) {
			if b != '|' && a.class[b] == 0 {
				a.class[b] = uint8(a.classes)
				if 'a' <= b && b <= 'z' {
					a.class[b-'a'+'A'] = uint8(a.classes)
				}
				a.classes++
			}
		}
	}
	a.next = make([]uint16, 0, states*a.classes)
	a.found = make([][]word, 0, states)
	a.grow()
	for i, r := range rules {
		for w := range strings.SplitSeq(r.words, "|") {
			s := 0
			for _, b := range []byte(w) {
				at := s*a.classes + int(a.class[b])
				if a.next[at] == 0 {
					a.next[at] = uint16(a.grow())
				}
				s = int(a.next[at])
			}
			a.found[s] = append(a.found[s], word{i, len(w)})
		}
	}
	a.link()
	return a
}

func (a *automaton) grow() int {
	a.next = a.next[:len(a.next)+a.classes]
	a.found = append(a.found, nil)
	return len(a.found) - 1
}

// link turns the trie into the automaton: where a state has no way on, it goes
// where the longest proper suffix of it that is a state goes.
func (a *automaton) link() {
	fail := make([]uint16, len(a.found))
	queue := make([]int, 0, len(a.found))
	for _, s := range a.next[:a.classes] {
		if s != 0 {
			queue = append(queue, int(s))
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		back := int(fail[s])
		a.found[s] = append(a.found[s], a.found[back]...)
		for c := range a.classes {
			at := s*a.classes + c
			after := a.next[back*a.classes+c]
			if t := a.next[at]; t != 0 {
				fail[t] = after
				queue = append(queue, int(t))
			} else {
				a.next[at] = after
			}
		}
	}
}

// each calls f for every word in s: the rule it belongs to and where it begins.
func (a *automaton) each(s string, f func(rule, at int)) {
	state := 0
	for i := range len(s) {
		state = int(a.next[state*a.classes+int(a.class[s[i]])])
		for _, w := range a.found[state] {
			f(w.rule, i+1-w.length)
		}
	}
}
