package tools

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/slipstream-mcp/slipstream/budget"
	"github.com/slipstream-mcp/slipstream/memstore/activity"
)

// maxRowTokens is the most an index row costs.
const maxRowTokens = 40

// row prints an observation in a line: head, the summary, tail; the summary is cut where the row would cost too much.
func row(head, summary, tail string) string {
	summary = plain(strings.Join(strings.Fields(summary), " "))
	line := head + summary + tail
	if budget.Tokens(line) <= maxRowTokens {
		return line
	}
	cut := func(n int) string {
		short := summary[:n]
		if at := strings.LastIndexByte(short, ' '); at > n/2 {
			short = short[:at]
		}
		return head + strings.TrimRight(strings.ToValidUTF8(short, ""), " ,;:") + "…" + tail
	}
	low, high := 0, len(summary) // cut(low) fits, cut(high) does not
	for low+1 < high {
		if mid := (low + high) / 2; budget.Tokens(cut(mid)) <= maxRowTokens {
			low = mid
		} else {
			high = mid
		}
	}
	return cut(low)
}

// rowHead is #12 [edit] 2026-06-04 10:02
func rowHead(o activity.Observation) string {
	return fmt.Sprintf("#%d [%s] %s", o.ID, o.Kind, o.Time.UTC().Format("2006-01-02 15:04"))
}

// restated is what a row says of the observations that say the same: (×3: #4, #9)
func restated(others []int64) string {
	if len(others) == 0 {
		return ""
	}
	const most = 2
	var ids []string
	for i, id := range others {
		if i == most {
			ids = append(ids, "…")
			break
		}
		ids = append(ids, fmt.Sprintf("#%d", id))
	}
	return fmt.Sprintf(" (×%d: %s)", len(others)+1, strings.Join(ids, ", "))
}

// score prints a score with up to four decimals.
func score(v float64) string {
	s := strconv.FormatFloat(v, 'f', 4, 64)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// times are the forms of an ISO date or time that are understood, in UTC where they name no zone.
func times() []string {
	return []string{
		time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04:05.999999999", "2006-01-02 15:04", "2006-01-02",
	}
}

// ParseTime reads an ISO date or time; the error says how one looks.
func ParseTime(argument, s string) (time.Time, error) {
	for _, form := range times() {
		if t, err := time.Parse(form, strings.TrimSpace(s)); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%s: %s is no ISO date or time, such as 2026-06-04 or 2026-06-04T10:02:00Z", argument, echo(s))
}

// record prints a whole observation: ## #12 [edit] time, summary, files, tags, blank line, detail.
func record(o activity.Observation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## #%d [%s] %s\n%s\n", o.ID, o.Kind, o.Time.UTC().Format("2006-01-02T15:04:05.000Z"), plain(oneLine(o.Summary)))
	for _, list := range []struct {
		name  string
		items []string
	}{{"files", o.Files}, {"tags", o.Tags}} {
		if len(list.items) > 0 {
			fmt.Fprintf(&b, "%s: %s\n", list.name, plain(oneLine(strings.Join(list.items, ", "))))
		}
	}
	b.WriteByte('\n')
	lines := strings.Split(o.Detail, "\n")
	for i, line := range lines {
		lines[i] = plain(strings.TrimSuffix(line, "\r"))
	}
	b.WriteString(strings.Join(lines, "\n"))
	return strings.TrimRight(b.String(), "\n")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
