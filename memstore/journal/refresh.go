package journal

import (
	"context"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/memstore/hybrid"
	"github.com/slipstream-mcp/slipstream/memstore/internal/folder"
)

const (
	// settled is how long a file must have been left alone for its stamp to
	// tell that it is the same: clocks of file systems tick slowly.
	settled = 50 * time.Millisecond
	// lookAgain is how long a watch is trusted before all files are looked at
	// once more.
	lookAgain = 2 * time.Second
	// tailLength is how much of a file before its new lines is compared.
	tailLength = 64 << 10
	// saveAfter is how many records the index may be ahead of its file.
	saveAfter = 2000
)

// source is what the index knows of a session's file.
type source struct {
	size     int64
	modified time.Time
	id       uint64
	read     int64  // how much of it is indexed: whole lines
	tail     uint32 // checksum of the last tailLength bytes of that
	unsure   bool   // it was read while its stamp could still miss a change
}

func (s *source) is(f sessionFile) bool {
	return !s.unsure && s.size == f.size && s.modified.Equal(f.modified) && s.id == f.id
}

// refresh brings the index up to date with the files; j.mu is held.
func (j *Journal) refresh(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	now := time.Now() // of the file system's stamps, not of the records
	if j.loaded && now.Sub(j.checked) < lookAgain && j.watch.quiet() {
		return nil
	}
	root, err := j.folder.Open()
	if errors.Is(err, fs.ErrNotExist) {
		j.index, j.sources, j.loaded, j.tally = hybrid.New(), map[string]*source{}, false, nil
		return nil
	}
	if err != nil {
		return j.explain("reading", observationFolder, err)
	}
	defer root.Close()
	if !j.loaded {
		j.load()
	}
	// The folder may be another one by now; what the old watch still holds will
	// be seen below.
	j.watch.close()
	j.watch = newWatch(filepath.Join(root.Name(), observationFolder))
	files, err := sessionFiles(root, observationFolder)
	if err != nil {
		return j.explain("reading", observationFolder, err)
	}
	j.checked, j.problems = now, map[string]string{}
	there := make(map[string]bool, len(files))
	var changed []sessionFile
	for _, f := range files {
		there[f.session] = true
		if s := j.sources[f.session]; s == nil || !s.is(f) {
			changed = append(changed, f)
		}
	}
	for session := range j.sources {
		if !there[session] {
			j.drop(session)
		}
	}
	slices.SortFunc(changed, func(a, b sessionFile) int { return strings.Compare(a.session, b.session) })
	for _, f := range changed {
		if err := ctx.Err(); err != nil {
			j.checked = time.Time{}
			return err
		}
		if err := j.readSource(root, f, now); err != nil {
			// One file that cannot be read hides no other; Stats tells of it.
			j.drop(f.session)
			j.problems[f.session] = j.explain("reading", observationFile(f.session), err).Error()
		}
	}
	j.known.Store(max(j.known.Load(), j.index.MaxID()))
	if len(changed) > 0 && j.index.Pending() >= saveAfter {
		j.save(saveAfter)
	}
	return nil
}

// drop forgets what is known of a session's file. A tally cannot take anything
// back: it is begun anew when it is next asked for.
func (j *Journal) drop(session string) {
	j.index.RemoveSession(session)
	j.tally = nil
	delete(j.sources, session)
}

// readSource indexes what is new in a session's file, all of it when what was
// there before has changed.
func (j *Journal) readSource(root *os.Root, f sessionFile, now time.Time) error {
	file, info, err := folder.OpenFile(root, observationFile(f.session))
	if err != nil {
		return err
	}
	defer file.Close()
	old := j.sources[f.session]
	s := &source{size: info.Size(), modified: info.ModTime(), id: fileID(info)}
	s.unsure = now.Sub(s.modified) < settled
	from := int64(0)
	if old != nil && old.id == s.id && old.read <= s.size {
		before := make([]byte, min(old.read, tailLength))
		if _, err := file.ReadAt(before, old.read-int64(len(before))); err == nil && checksum(before) == old.tail {
			from = old.read
		}
	}
	if old != nil && from == 0 {
		j.drop(f.session)
	}
	text := make([]byte, s.size-from)
	n, err := file.ReadAt(text, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	text = text[:n]
	// A last line without its end is being written: it is read when it is whole.
	// One that was left so is ended by the next write.
	whole := len(text)
	for whole > 0 && text[whole-1] != '\n' {
		whole--
	}
	read := text[:whole]
	s.read = from + int64(whole)
	if whole < len(text) && !s.unsure {
		read, s.read = text, from+int64(len(text))
	}
	var docs []hybrid.Doc
	for at, o := range activity.Observations(read) {
		o.Session = f.session
		d := Doc(o)
		d.Offset, d.Length = from+int64(at.Offset), at.Length
		docs = append(docs, d)
		if j.tally != nil {
			j.tally.Add(j.masked(o))
		}
	}
	j.index.Add(docs...)
	if len(read) >= tailLength || from == 0 {
		s.tail = checksum(read[max(0, len(read)-tailLength):])
	} else {
		before := make([]byte, min(s.read, tailLength))
		if _, err := file.ReadAt(before, s.read-int64(len(before))); err != nil {
			return err
		}
		s.tail = checksum(before)
	}
	j.sources[f.session] = s
	return nil
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
