package journal

import (
	"context"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
)

const (
	// lookAgain is how long a watch is trusted before all files are looked at
	// once more.
	lookAgain = 2 * time.Second
	// tailLength is how much of a file before its new lines is compared.
	tailLength = 64 << 10
	// saveAfter is how many records the index may be ahead of its file.
	saveAfter = 2000
	// together is how many records are indexed at once, of however many files.
	together = 20_000
)

// source is what the index knows of a session's file.
type source struct {
	stamp folder.Stamp
	young bool   // it was read while its stamp could still miss a change
	read  int64  // how much of it is indexed: whole lines
	tail  uint32 // checksum of the last tailLength bytes of that
}

// refresh brings the index up to date with the files; j.mu is held.
func (j *Journal) refresh(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	root, err := j.folder.Open()
	if err == nil {
		defer root.Close()
		err = j.reconcile(ctx, root)
	}
	if errors.Is(err, fs.ErrNotExist) {
		j.unwatch()
		j.index, j.sources, j.loaded, j.tally = hybrid.New(), map[string]*source{}, false, nil
		return nil
	}
	if err != nil {
		j.unwatch() // what it told may not have been taken in
		return j.explain("reading", observationFolder, err)
	}
	j.known.Store(max(j.known.Load(), plausible(j.index.MaxID())))
	if j.index.Pending() >= saveAfter {
		j.save(saveAfter)
	}
	return nil
}

// reconcile looks at the files that the watch tells of, at all of them when it
// does not tell.
func (j *Journal) reconcile(ctx context.Context, root *os.Root) error {
	if !j.loaded {
		j.load()
	}
	records, err := folder.OpenRoot(root, observationFolder)
	if err != nil {
		return err
	}
	defer records.Close()
	dir, err := records.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	now := time.Now() // of the file system's stamps, not of the records
	if names, ok := j.told(dir, now); ok {
		return j.takeIn(ctx, records, names, now)
	}
	j.unwatch()
	// Before the look, so that nothing is missed between the two.
	j.watch, j.watchedAt = folder.NewWatch(dir), now
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, name := range names {
		if session, ok := sessionOf(name); ok {
			there[session] = true
		}
	}
	for session := range j.sources {
		if !there[session] {
			names = append(names, session+logSuffix) // looked for, it is found to be gone
		}
	}
	j.problems = map[string]string{}
	return j.takeIn(ctx, records, names, now)
}

// told returns the names of the files that changed, when that is known without
// a look at all.
func (j *Journal) told(dir *os.File, now time.Time) (names []string, ok bool) {
	if j.watch == nil || now.Sub(j.watchedAt) > lookAgain {
		return nil, false
	}
	info, err := dir.Stat()
	if err != nil {
		return nil, false
	}
	return j.watch.Changed(info)
}

func (j *Journal) unwatch() {
	if j.watch != nil {
		j.watch.Close()
		j.watch = nil
	}
}

// sessionOf returns the session whose records a file of that name holds.
func sessionOf(name string) (string, bool) {
	session, ok := strings.CutSuffix(name, logSuffix)
	return session, ok && checkSession(session) == nil
}

// atOnce is how many files are looked at side by side.
const atOnce = 64

// takeIn brings the index up to date with the files of those names.
func (j *Journal) takeIn(ctx context.Context, records *os.Root, names []string, now time.Time) error {
	slices.Sort(names)
	var sessions []string
	for _, name := range slices.Compact(names) {
		if session, ok := sessionOf(name); ok {
			sessions = append(sessions, session)
		}
	}
	var docs []hybrid.Doc
	for some := range slices.Chunk(sessions, atOnce) {
		if err := ctx.Err(); err != nil {
			j.index.Add(docs...)
			return err
		}
		looks := make([]look, len(some))
		if len(some) == 1 {
			looks[0] = j.lookAt(records, some[0], j.sources[some[0]], now)
		} else {
			var wg sync.WaitGroup
			for worker := range min(len(some), runtime.GOMAXPROCS(0)) {
				wg.Go(func() {
					for i := worker; i < len(some); i += runtime.GOMAXPROCS(0) {
						looks[i] = j.lookAt(records, some[i], j.sources[some[i]], now)
					}
				})
			}
			wg.Wait()
		}
		for i, l := range looks {
			docs = append(docs, j.apply(some[i], l)...)
		}
		if len(docs) >= together {
			j.index.Add(docs...)
			docs = docs[:0]
		}
	}
	j.index.Add(docs...)
	return nil
}

// look is what a look at a session's file shows.
type look struct {
	same  bool    // as it is known; the rest is empty
	now   *source // nil: there is no such file
	anew  bool    // what is known of it counts no more
	docs  []hybrid.Doc
	fresh []activity.Observation // of the docs
	err   error
}

// lookAt reads the records that are new in a session's file, all of them when
// what was there before has changed. It is safe for concurrent use.
func (j *Journal) lookAt(records *os.Root, session string, old *source, now time.Time) (l look) {
	info, err := records.Lstat(session + logSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return look{}
	}
	if err == nil && old != nil && !old.young && folder.StampOf(info) == old.stamp {
		return look{same: true}
	}
	file, info, err := folder.OpenFile(records, session+logSuffix)
	if err != nil {
		return look{err: err}
	}
	defer file.Close()
	s := &source{stamp: folder.StampOf(info), young: folder.Young(info, now)}
	from := int64(0)
	if old != nil && old.stamp.Inode == s.stamp.Inode && old.stamp.Size < s.stamp.Size {
		before := make([]byte, min(old.read, tailLength))
		if _, err := file.ReadAt(before, old.read-int64(len(before))); err == nil && checksum(before) == old.tail {
			from = old.read
		}
	}
	text := make([]byte, s.stamp.Size-from)
	n, err := file.ReadAt(text, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return look{err: err}
	}
	text = text[:n]
	// A last line without its end is being written: it is read when it is whole,
	// or when it says all it has to and nobody has gone on with it.
	whole := len(text)
	for whole > 0 && text[whole-1] != '\n' {
		whole--
	}
	read := text[:whole]
	s.read = from + int64(whole)
	if whole < len(text) && !s.young {
		for range activity.Observations(text[whole:]) {
			read, s.read = text, from+int64(len(text))
		}
	}
	if len(read) >= tailLength || from == 0 {
		s.tail = checksum(read[max(0, len(read)-tailLength):])
	} else {
		before := make([]byte, min(s.read, tailLength))
		if _, err := file.ReadAt(before, s.read-int64(len(before))); err != nil {
			return look{err: err}
		}
		s.tail = checksum(before)
	}
	l = look{now: s, anew: from == 0}
	for at, o := range activity.Observations(read) {
		o.Session = session
		o = j.masked(o) // the index holds words
		d := Doc(o)
		d.Offset, d.Length = from+int64(at.Offset), at.Length
		l.docs, l.fresh = append(l.docs, d), append(l.fresh, o)
	}
	return l
}

// apply takes in what a look showed and returns what is to be indexed.
func (j *Journal) apply(session string, l look) []hybrid.Doc {
	switch {
	case l.same:
		return nil
	case l.err != nil:
		// One file that cannot be read hides no other; Stats tells of it.
		j.drop(session)
		j.problems[session] = j.explain("reading", observationFile(session), l.err).Error()
		return nil
	case l.now == nil || l.anew:
		j.drop(session)
	}
	delete(j.problems, session)
	if l.now == nil {
		return nil
	}
	j.sources[session] = l.now
	if j.tally != nil {
		for _, o := range l.fresh {
			j.tally.Add(o)
		}
	}
	return l.docs
}

// drop forgets what is known of a session's file, if anything is. A tally cannot
// take anything back: it is begun anew when it is next asked for.
func (j *Journal) drop(session string) {
	if j.sources[session] == nil {
		return
	}
	j.index.RemoveSession(session)
	j.tally = nil
	delete(j.sources, session)
}

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// Doc returns an observation as it is searched.
func Doc(o activity.Observation) hybrid.Doc {
	text := o.Summary
	if o.Detail != "" {
		text += "\n" + o.Detail
	}
	return hybrid.Doc{
		ID: o.ID, Session: o.Session, Time: o.Time, Kind: string(o.Kind), Text: text,
		Files: o.Files, Tags: o.Tags, Same: activity.SameKey(o),
	}
}
