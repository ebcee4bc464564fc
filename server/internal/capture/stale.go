package capture

import (
	"context"
	"time"

	"github.com/slipstream-mcp/slipstream/memstore/activity"
	"github.com/slipstream-mcp/slipstream/server/internal/memory"
)

// abandoned is how long a session must have been left alone to be taken for ended: its host or server was killed.
const abandoned = 30 * time.Minute

// Stale captures the sessions that nobody ended.
func Stale(ctx context.Context, j *memory.Journal, home string, now time.Time) error {
	sessions, err := j.Uncaptured(ctx, now.Add(-abandoned))
	if err != nil {
		return err
	}
	for _, session := range sessions {
		if _, err := j.Capture(ctx, session, activity.FoldOptions{Root: j.At.Root, Home: home, Now: now, Quiet: abandoned}); err != nil {
			return err
		}
	}
	return nil
}
