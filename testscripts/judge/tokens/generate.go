//go:build ignore

package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// A generator makes one piece of a corpus that no machine can be trusted to
// have.
type generator struct {
	corpus string
	text   func(*rand.Rand) string
}

func generators() []generator {
	lines := func(corpus string, line func(writer) string) generator {
		return generator{corpus, func(r *rand.Rand) string {
			w := writer{r, new(time.Time)}
			*w.now = time.Date(2025, 3, 1+r.IntN(200), 0, 0, 0, 0, time.UTC)
			var b strings.Builder
			for b.Len() < pieceSize {
				b.WriteString(line(w) + "\n")
			}
			return b.String()
		}}
	}
	return []generator{
		lines("logs", writer.access),
		lines("logs", writer.syslog),
		lines("logs", writer.slog),
		lines("logs", writer.logfmt),
		lines("logs", writer.trace),
		lines("logs", writer.gotest),
		lines("json, generated", writer.record),
		lines("numbers", writer.csv),
		lines("hex and base64", writer.blob),
		lines("chat with emoji", writer.chat),
		lines("project maps", writer.outline),
	}
}

// writer makes up words and values.
type writer struct {
	*rand.Rand
	now *time.Time
}

var (
	nouns = strings.Fields("account address answer archive batch block branch bucket buffer cache channel client cluster column commit config connection context counter cursor database deadline device document domain driver element entry error event field file filter folder frame gateway group handler header image index input instance invoice item job key label layer level limit line list loader lock log manager map memory message metric model module monitor name network node number object offset option order output package page parser path payload pipeline player point policy pool port prefix process profile project property queue range record region registry report request resource response result role router row rule sample scheduler schema scope search section segment server service session setting shard signal size source stack state status step storage stream string symbol system table tag target task template tenant test thread ticket timeout token topic transaction tree type unit user value vector version view volume weight window worker zone")
	verbs = strings.Fields("accepted added cached checked closed committed compiled connected created deleted denied dropped expired failed fetched finished flushed found ignored indexed joined loaded locked merged missed moved opened parsed paused pushed queued read received refused rejected released removed renamed resolved restarted resumed retried returned saved scheduled sent skipped started stopped synced timed updated validated waited written")
	small = strings.Fields("the a for with from to in on after before while because is was not by and but this that every one")
	faces = strings.Fields("😀 😂 🤣 😊 😍 🙏 👍 🔥 🎉 ✨ 🚀 ✅ ❌ ⚠️ 💡 🐛 📝 🔧 ♻️ ⬆️ 🎨 ⚡️ 💥 🔒 📦 👀 💯 😅 🤔 ❤️ 👏 😭 🥳 🤖 👋 🌍 📈 🕐 🧪 🏁 👩‍💻 🇫🇷 👍🏽 🤷‍♂️")
)

func (w writer) noun() string { return nouns[w.IntN(len(nouns))] }
func (w writer) verb() string { return verbs[w.IntN(len(verbs))] }
func (w writer) face() string { return faces[w.IntN(len(faces))] }
func (w writer) title() string {
	n := w.noun()
	return strings.ToUpper(n[:1]) + n[1:]
}

// words is a phrase of n words.
func (w writer) words(n int) string {
	var out []string
	for i := range n {
		switch i % 3 {
		case 0:
			out = append(out, w.noun())
		case 1:
			out = append(out, w.verb())
		default:
			out = append(out, small[w.IntN(len(small))])
		}
	}
	return strings.Join(out, " ")
}

func (w writer) hex(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(w.Uint32())
	}
	return hex.EncodeToString(b)
}

func (w writer) uuid() string {
	h := w.hex(16)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func (w writer) ip() string {
	return fmt.Sprintf("%d.%d.%d.%d", w.IntN(255), w.IntN(255), w.IntN(255), w.IntN(255))
}

func (w writer) tick() time.Time {
	*w.now = w.now.Add(time.Duration(w.IntN(9_000_000)) * time.Microsecond)
	return *w.now
}

func pick[T any](w writer, of ...T) T { return of[w.IntN(len(of))] }

func (w writer) access() string {
	return fmt.Sprintf(`%s - - [%s] "%s /%s/%s?id=%d HTTP/1.1" %d %d "-" "Mozilla/5.0 (X11; Linux x86_64)"`, w.ip(), w.tick().Format("02/Jan/2006:15:04:05 -0700"),
		pick(w, "GET", "POST", "PUT", "DELETE"), w.noun(), w.noun(), w.IntN(99999), pick(w, 200, 204, 301, 404, 500), w.IntN(99999))
}

func (w writer) syslog() string {
	return fmt.Sprintf("%s host%d %sd[%d]: %s", w.tick().Format(time.Stamp), w.IntN(30), w.noun(), w.IntN(30000), w.words(4+w.IntN(8)))
}

func (w writer) slog() string {
	return fmt.Sprintf(`{"time":%q,"level":%q,"msg":%q,"service":"%s-%s","request_id":%q,"duration_ms":%.3f}`, w.tick().Format(time.RFC3339Nano),
		pick(w, "INFO", "WARN", "ERROR", "DEBUG"), w.words(5), w.noun(), w.noun(), w.uuid(), w.Float64()*900)
}

func (w writer) logfmt() string {
	return fmt.Sprintf("time=%s level=%s msg=%q component=%s-%s trace=%s took=%.2fms", w.tick().Format(time.RFC3339),
		pick(w, "info", "warn", "error"), w.words(5), w.noun(), w.noun(), w.hex(16), w.Float64()*100)
}

func (w writer) trace() string {
	s := fmt.Sprintf("%s [%s-%d] %s com.example.%s.%s%s - %s", w.tick().Format("2006-01-02 15:04:05,000"), w.noun(), w.IntN(64),
		pick(w, "INFO ", "WARN ", "ERROR"), w.noun(), w.title(), w.title(), w.words(7))
	for range w.IntN(20) - 14 {
		s += fmt.Sprintf("\n\tat com.example.%s.%s.%s%s(%s.java:%d)", w.noun(), w.title(), w.noun(), w.title(), w.title(), w.IntN(900))
	}
	return s
}

func (w writer) gotest() string {
	return pick(w,
		fmt.Sprintf("=== RUN   Test%s%s/%s_%s", w.title(), w.title(), w.noun(), w.verb()),
		fmt.Sprintf("--- PASS: Test%s%s (%.2fs)", w.title(), w.title(), w.Float64()),
		fmt.Sprintf("    %s_test.go:%d: %s = %d, want %d", w.noun(), w.IntN(900), w.noun(), w.IntN(99), w.IntN(99)),
		fmt.Sprintf("ok  \tgithub.com/example/%s/%s\t%.3fs", w.noun(), w.noun(), w.Float64()*9))
}

func (w writer) record() string {
	v := map[string]any{w.noun(): w.words(4), w.noun() + "Id": w.IntN(1e6), w.noun() + "_at": w.tick(), "tags": []string{w.noun(), w.verb()},
		w.noun(): map[string]any{"x": w.Float64(), "ok": w.IntN(2) == 0, w.noun(): nil}}
	b, _ := json.MarshalIndent(v, "", pick(w, "", "  ", "    "))
	return string(b)
}

func (w writer) csv() string {
	return fmt.Sprintf("%d,%s,%s,%.2f,%.6f,%d", w.IntN(99999), w.tick().Format(time.DateOnly), w.noun(), w.Float64()*1000, w.Float64(), w.IntN(1e9))
}

func (w writer) blob() string {
	h := w.hex(24)
	raw, _ := hex.DecodeString(h)
	return pick(w, w.noun()+": "+h, base64.StdEncoding.EncodeToString(raw)+"=", w.hex(4)+"  "+w.hex(20)+"  "+w.noun()+".bin")
}

func (w writer) chat() string {
	s := pick(w, "", "- ", w.face()+" ")
	s += strings.ToUpper(w.title()[:1]) + w.title()[1:] + " " + w.words(3+w.IntN(9))
	for range w.IntN(4) {
		s += pick(w, " ", "") + w.face()
	}
	return s + pick(w, ".", "!", "?", "")
}

func (w writer) outline() string {
	n := w.noun()
	s := fmt.Sprintf("- `%s.%s` (%d lines) - %s", n, pick(w, "go", "ts", "py"), w.IntN(1500), w.words(5+w.IntN(4)))
	for i := range w.IntN(12) {
		if i == 0 {
			s += "\n  - exports: "
		} else {
			s += ", "
		}
		s += pick(w, w.title(), w.noun()+w.title(), w.title()+w.title()) + pick(w, " (function)", " (interface)", " (type)", " (constant)", " (class)")
	}
	return pick(w, s, fmt.Sprintf("src/%s/%s.ts (score %.1f): %s [%s%s:%d, %s:%d]", w.noun(), n, w.Float64()*9, w.words(6), w.noun(), w.title(), w.IntN(500), w.title(), w.IntN(500)))
}
