package activity

import (
	"cmp"
	"container/heap"
	"hash/fnv"
	"math/bits"
	"slices"
	"strings"
)

// Lesson is something that keeps coming back.
type Lesson struct {
	// Topic is a word or up to three that always occur together.
	Topic string
	// Count is how many observations are about it, Sessions how many sessions
	// those come from.
	Count, Sessions int
	// Kind is that of most of them.
	Kind Kind
	// Files are those of the project most often among them, at most three.
	Files []string
	// IDs are those of all of them, ascending.
	IDs []int64
}

// LessonOptions bound what lessons are returned.
type LessonOptions struct {
	// MinCount is how many observations make a lesson; 3 if it is below 1.
	MinCount int
	// Limit is how many lessons are returned at most; 10 if it is below 1.
	Limit int
}

// Lessons returns what keeps coming back in observations, as a Tally of them
// does.
func Lessons(observations []Observation, o LessonOptions) []Lesson {
	var t Tally
	for _, obs := range observations {
		t.Add(obs)
	}
	return t.Lessons(o)
}

// How alike two topics must be for one of them to say nothing new, and from
// how many observations, and of which share of them, a topic is everywhere.
const (
	sameJaccard   = 0.6
	sameContained = 0.8
	commonShare   = 0.6
	commonFrom    = 10
)

// Tally counts what observations are about, so that lessons of a large store
// cost little at any time. The zero value is empty. A Tally must not be used
// by several goroutines at once.
type Tally struct {
	topics   []topic
	byTopic  map[string]int32
	files    []file
	byFile   map[string]int32
	sessions map[string]int32
	said     map[uint64]bool // hashes of session, kind and summary
	items    []item
	used     []int32 // files of all items
}

// item is an observation as far as lessons need it.
type item struct {
	id    int64
	kind  int8   // index in Kinds, -1 for none of them
	files uint32 // where its files end in used; they begin where those before end
}

// file is one of the project, with the topics of its name.
type file struct {
	name   string
	topics []int32
}

// topic is a word of the work and where it occurs.
type topic struct {
	word     string
	items    []int32  // indexes, ascending
	sessions []uint64 // a bit for each
	set      uint64   // hash of items, equal for topics that always meet
}

// Add counts an observation. One that restates another of its session, in the
// same words and of the same kind, is passed over.
func (t *Tally) Add(o Observation) {
	if t.said == nil {
		t.byTopic, t.byFile, t.sessions, t.said = map[string]int32{}, map[string]int32{}, map[string]int32{}, map[uint64]bool{}
	}
	session, ok := t.sessions[o.Session]
	if !ok {
		session = int32(len(t.sessions))
		t.sessions[o.Session] = session
	}
	key := hashOf(o.Session, string(o.Kind), o.Summary)
	if t.said[key] {
		return
	}
	t.said[key] = true
	n := int32(len(t.items))
	before := len(t.used)
	for _, name := range o.Files {
		if name = slashes(name); outside(name) {
			continue
		}
		id := t.file(name)
		t.used = append(t.used, id)
		for _, topic := range t.files[id].topics {
			t.topics[topic].add(n, session)
		}
	}
	for _, tag := range o.Tags {
		if isErrorCode(tag) {
			t.topics[t.topic(tag)].add(n, session)
		}
	}
	if len(t.used) == before {
		for _, word := range terms(o.Summary) {
			t.topics[t.topic(word)].add(n, session)
		}
	}
	t.items = append(t.items, item{o.ID, int8(slices.Index(Kinds(), o.Kind)), uint32(len(t.used))})
}

// hashOf returns a hash of texts that keeps them apart.
func hashOf(texts ...string) uint64 {
	h := fnv.New64a()
	var b [64]byte
	for _, s := range texts {
		for len(s) > 0 {
			n := copy(b[:], s)
			h.Write(b[:n])
			s = s[n:]
		}
		h.Write([]byte{0})
	}
	return h.Sum64()
}

func (t *Tally) file(name string) int32 {
	id, ok := t.byFile[name]
	if !ok {
		id = int32(len(t.files))
		f := file{name: name}
		for _, word := range Stems(name) {
			f.topics = append(f.topics, t.topic(word))
		}
		t.byFile[name] = id
		t.files = append(t.files, f)
	}
	return id
}

func (t *Tally) topic(word string) int32 {
	id, ok := t.byTopic[word]
	if !ok {
		id = int32(len(t.topics))
		t.byTopic[word] = id
		t.topics = append(t.topics, topic{word: word})
	}
	return id
}

// add says that an observation of a session is about the topic.
func (tp *topic) add(item, session int32) {
	if n := len(tp.items); n > 0 && tp.items[n-1] == item {
		return
	}
	tp.items = append(tp.items, item)
	for int(session)/64 >= len(tp.sessions) {
		tp.sessions = append(tp.sessions, 0)
	}
	tp.sessions[session/64] |= 1 << (session % 64)
	tp.set += mix(uint64(item) + 1)
}

// mix scatters the bits of x, so that sums of it tell sets apart.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// terms returns the words of a summary that may be a topic.
func terms(summary string) []string {
	var out []string
	for _, w := range camelWords(summary, 4) {
		if !isLayout(w) && !isPlain(w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// isPlain reports whether a word of a request says nothing of its topic.
func isPlain(w string) bool {
	if strings.Trim(w, "0123456789") == "" {
		return true
	}
	switch w {
	case "about", "above", "add", "added", "after", "again", "agent", "all", "also", "always", "another", "answer", "any",
		"are", "back", "because", "been", "before", "being", "below", "between", "both", "but", "call", "can", "change",
		"changed", "changes", "check", "checked", "claude", "code", "continue", "could", "create", "created", "did", "does",
		"doing", "done", "dont", "each", "edit", "edited", "else", "even", "every", "explain", "failed", "failing", "fails",
		"file", "files", "find", "first", "fix", "fixed", "from", "get", "give", "going", "good", "had", "has", "have",
		"help", "here", "how", "into", "its", "just", "keep", "know", "last", "least", "let", "like", "line", "lines", "list",
		"look", "looks", "made", "make", "many", "may", "maybe", "more", "most", "much", "must", "need", "needs", "new",
		"next", "not", "note", "noted", "now", "off", "once", "one", "only", "open", "other", "our", "over", "own",
		"please", "project", "prompt", "read", "really", "remove", "removed", "right", "run", "running", "same", "search",
		"searched", "see", "set", "should", "show", "since", "some", "something", "start", "still", "stop", "such", "sure",
		"take", "tell", "than", "thank", "thanks", "that", "their", "them", "then", "there", "these", "they", "thing",
		"things", "think", "this", "those", "through", "too", "tool", "true", "try", "two", "under", "until", "update",
		"updated", "use", "used", "using", "very", "want", "was", "way", "well", "were", "what", "when", "where", "whether",
		"which", "while", "who", "why", "will", "with", "without", "work", "working", "works", "would", "write", "wrote",
		"yes", "you", "your":
		return true
	}
	return false
}

// Lessons returns what keeps coming back, by count times sessions, then count,
// then the first observation. Words that always occur together are one topic;
// of topics with much the same observations only the first is a lesson, and
// one that nearly everything is about is none.
func (t *Tally) Lessons(o LessonOptions) []Lesson {
	if o.MinCount < 1 {
		o.MinCount = 3
	}
	if o.Limit < 1 {
		o.Limit = 10
	}
	h := t.candidates(o.MinCount)
	heap.Init(h)
	var lessons []Lesson
	var taken []bitset
	counts := make([]int32, len(t.files))
	for h.Len() > 0 && len(lessons) < o.Limit {
		c := heap.Pop(h).(candidate)
		together := []int32{c.topic}
		// Those that always meet have the same rank, and so come in a row.
		for h.Len() > 0 && h.list[0].set == c.set && h.list[0].count == c.count {
			together = append(together, heap.Pop(h).(candidate).topic)
		}
		items := t.topics[c.topic].items
		if slices.ContainsFunc(taken, func(b bitset) bool { return b.alike(items) }) {
			continue
		}
		taken = append(taken, newBitset(items, len(t.items)))
		lessons = append(lessons, t.lesson(c, together, counts))
	}
	return lessons
}

// lesson makes a lesson of topics that always meet; counts is scratch space,
// all zero, a number for each file.
func (t *Tally) lesson(c candidate, together []int32, counts []int32) Lesson {
	// The last in the order of paths are the most special.
	slices.Sort(together)
	var words []string
	for _, id := range together[max(0, len(together)-3):] {
		words = append(words, t.topics[id].word)
	}
	l := Lesson{Topic: strings.Join(words, " "), Count: c.count, Sessions: c.sessions, IDs: make([]int64, 0, c.count)}
	kinds := make([]int, len(Kinds()))
	var files []int32
	for _, i := range t.topics[c.topic].items {
		it := &t.items[i]
		l.IDs = append(l.IDs, it.id)
		if it.kind >= 0 {
			kinds[it.kind]++
		}
		for _, f := range t.filesOf(i) {
			if counts[f]++; counts[f] == 1 {
				files = append(files, f)
			}
		}
	}
	slices.Sort(l.IDs)
	if most := slices.Max(kinds); most > 0 {
		l.Kind = Kinds()[slices.Index(kinds, most)]
	}
	var best []int32 // at most three, most frequent first, then as first seen
	for _, f := range files {
		at := len(best)
		for at > 0 && counts[best[at-1]] < counts[f] {
			at--
		}
		if at < 3 {
			best = slices.Insert(best, at, f)
			best = best[:min(len(best), 3)]
		}
	}
	for _, f := range best {
		l.Files = append(l.Files, t.files[f].name)
	}
	for _, f := range files {
		counts[f] = 0
	}
	return l
}

// filesOf returns the files of the observation with index i.
func (t *Tally) filesOf(i int32) []int32 {
	from := uint32(0)
	if i > 0 {
		from = t.items[i-1].files
	}
	return t.used[from:t.items[i].files]
}

// candidate is a topic that may become a lesson.
type candidate struct {
	topic           int32
	count, sessions int
	first           int64 // id of its first observation
	set             uint64
}

func (t *Tally) candidates(least int) *candidates {
	h := &candidates{}
	for id := range t.topics {
		tp := &t.topics[id]
		n := len(tp.items)
		if n < least || len(t.items) >= commonFrom && float64(n) > commonShare*float64(len(t.items)) {
			continue
		}
		c := candidate{topic: int32(id), count: n, first: t.items[tp.items[0]].id, set: tp.set}
		for _, word := range tp.sessions {
			c.sessions += bits.OnesCount64(word)
		}
		h.list = append(h.list, c)
	}
	return h
}

// candidates is a heap, the best on top.
type candidates struct{ list []candidate }

func (h *candidates) Len() int      { return len(h.list) }
func (h *candidates) Swap(i, j int) { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *candidates) Push(x any)    { h.list = append(h.list, x.(candidate)) }

func (h *candidates) Pop() any {
	last := len(h.list) - 1
	c := h.list[last]
	h.list = h.list[:last]
	return c
}

func (h *candidates) Less(i, j int) bool {
	a, b := h.list[i], h.list[j]
	return cmp.Or(
		cmp.Compare(b.count*b.sessions, a.count*a.sessions),
		cmp.Compare(b.count, a.count),
		cmp.Compare(a.first, b.first),
		cmp.Compare(a.set, b.set),
		cmp.Compare(a.topic, b.topic),
	) < 0
}

// bitset is a set of observations by their index.
type bitset struct {
	words []uint64
	n     int
}

func newBitset(items []int32, size int) bitset {
	b := bitset{make([]uint64, size/64+1), len(items)}
	for _, i := range items {
		b.words[i/64] |= 1 << (i % 64)
	}
	return b
}

// alike reports whether a topic's observations have so much in common with
// the set that lessons about both would say the same.
func (b bitset) alike(items []int32) bool {
	both := 0
	for _, i := range items {
		both += int(b.words[i/64] >> (i % 64) & 1)
	}
	shared := float64(both)
	return shared >= sameJaccard*float64(b.n+len(items)-both) || shared >= sameContained*float64(min(b.n, len(items)))
}
