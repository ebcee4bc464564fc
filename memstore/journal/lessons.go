package journal

import (
	"context"
	"errors"
	"io/fs"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
)

// Lessons returns what keeps coming back in the observations. The first call
// reads all of them, later ones only what is new.
func (j *Journal) Lessons(ctx context.Context, o activity.LessonOptions) ([]activity.Lesson, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.refresh(ctx); err != nil {
		return nil, err
	}
	if j.tally == nil {
		tally, err := j.tallyAll(ctx)
		if err != nil {
			return nil, err
		}
		j.tally = tally
	}
	return j.tally.Lessons(o), nil
}

// tallyAll counts what is indexed; j.mu is held.
func (j *Journal) tallyAll(ctx context.Context) (*activity.Tally, error) {
	tally := new(activity.Tally)
	root, err := j.folder.Open()
	if errors.Is(err, fs.ErrNotExist) {
		return tally, nil
	}
	if err != nil {
		return nil, j.explain("reading", observationFolder, err)
	}
	defer root.Close()
	for _, session := range j.index.Sessions() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		source := j.sources[session]
		if source == nil {
			continue
		}
		text, err := readWhole(root, observationFile(session))
		if err != nil {
			continue // the next look at the files says what became of it
		}
		text = text[:min(int64(len(text)), source.read)]
		for _, o := range activity.Observations(text) {
			o.Session = session
			tally.Add(j.masked(o))
		}
	}
	return tally, nil
}
