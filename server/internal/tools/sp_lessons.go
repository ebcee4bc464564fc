package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/slipstream-mcp/slipstream/mcpproto"
	"github.com/slipstream-mcp/slipstream/mcpproto/schema"
	"github.com/slipstream-mcp/slipstream/memstore/activity"
)

const spLessonsDoc = "Use to learn what work keeps coming back in this project, with the observations that show it."

type spLessonsArgs struct {
	MinCount int    `json:"minCount,omitempty" jsonschema:"minimum=2,maximum=1000,default=3" jsonschema_description:"fewest observations, 2 to 1000, default 3"`
	Limit    int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=100,default=10" jsonschema_description:"most lessons, 1 to 100, default 10"`
	Root     string `json:"root,omitempty" jsonschema_description:"another project folder"`
}

func spLessons(d Deps) mcpproto.Tool {
	return schema.Tool("sp_lessons", spLessonsDoc, func(ctx context.Context, in spLessonsArgs) (string, error) {
		j, err := d.Memories.Journal(in.Root)
		if err != nil {
			return "", err
		}
		lessons, err := j.Lessons(ctx, activity.LessonOptions{MinCount: in.MinCount, Limit: in.Limit})
		if err != nil {
			return "", err
		}
		if len(lessons) == 0 {
			return fmt.Sprintf("no recurring lessons yet: nothing came up in %d observations or more", in.MinCount), nil
		}
		rows := make([]string, len(lessons))
		for i, l := range lessons {
			rows[i] = lesson(l)
		}
		return fitRows(rows, d.maxResultTokens(in.Root), "a smaller limit"), nil
	})
}

// lesson is - Recurring work on "topic": 6 observations across 3 sessions, mostly edit; files: a, b, c. [obs 1, 2, 5]
func lesson(l activity.Lesson) string {
	const most = 6
	files := ""
	if len(l.Files) > 0 {
		files = "; files: " + plain(strings.Join(l.Files, ", "))
	}
	var ids []string
	for i, id := range l.IDs {
		if i == most {
			ids = append(ids, "…")
			break
		}
		ids = append(ids, fmt.Sprint(id))
	}
	return fmt.Sprintf("- Recurring work on %q: %s across %s, mostly %s%s. [obs %s]",
		l.Topic, counted(l.Count, "observation"), counted(l.Sessions, "session"), l.Kind, files, strings.Join(ids, ", "))
}

// counted is 1 session, 2 sessions.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
