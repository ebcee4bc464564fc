package mapper

import (
	"crypto/sha256"
	"sync"
)

// Cache keeps what was parsed between scans of one root, so that a scan parses
// only what changed. A scan of another [Options.Dir] empties it. The zero value
// is ready; it is safe for concurrent use and lives in memory only.
//
// A file counts as unchanged when its size, times and inode are, and when it
// had been left alone for a while at the last look; a file touched within the
// last seconds is read again and compared by content. Where the system keeps
// no change time (Windows), an edit that keeps the size and sets the
// modification time back goes unseen.
type Cache struct {
	mu  sync.Mutex
	dir string
	kept
}

// parsed is one file as it was found and what was made of it.
type parsed struct {
	*body
	stamp   stamp
	settled bool              // an equal stamp proves equal content
	sum     [sha256.Size]byte // of the content, zero when it was not needed
}

// body is what was made of one file's content. It does not change once it is
// made, and an unchanged file keeps its body.
type body struct {
	file    File
	exports []int    // file.Symbols shown as exports: exported, top level, each name once
	derived bool     // the purpose is made from the exports
	test    bool     // the path is a test's
	starts  []string // what a manifest names as the project's entry points, see manifest

	idents    []uint32         // numbers of file.Idents
	exportIDs []uint32         // numbers of the exported names
	terms     [fields][]uint32 // search terms, all fields but the identifiers
}

// kept is what a cache holds at the start of a scan.
type kept struct {
	files   map[string]*parsed
	vocab   *vocabulary
	listing *listing
	last    *Map
}

// snapshot gives what is kept for dir.
func (c *Cache) snapshot(dir string) kept {
	if c == nil {
		return kept{vocab: newVocabulary()}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dir != dir || c.vocab == nil {
		c.dir, c.kept = dir, kept{vocab: newVocabulary()}
	}
	return c.kept
}

// keep replaces what is kept for dir by the outcome of a scan: files that are
// gone are forgotten.
func (c *Cache) keep(dir string, l *listing, scanned []*parsed, m *Map) {
	if c == nil {
		return
	}
	files := make(map[string]*parsed, len(scanned))
	for _, p := range scanned {
		files[p.file.Path] = p
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dir == dir {
		c.kept = kept{files, m.vocab, l, m}
	}
}

// current reports whether a kept file holds for what was found now.
func (p *parsed) current(s stamp) bool { return p != nil && p.settled && p.stamp == s }

// same reports whether p was read and its content had this sum.
func (p *parsed) same(sum [sha256.Size]byte) bool {
	return p != nil && p.sum == sum && sum != [sha256.Size]byte{}
}
