package testscripts_test

import (
	"encoding/json"
	"hash/fnv"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdEmbedder starts an endpoint of OpenAI's kind at its first call, for slipstream to use from then on, and says how it
// answers: up, down (an error of its own), hang, lie (about dimensions), refuse (texts with the word refuse in them).
func cmdEmbedder(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: embedder up|down|hang|lie|refuse")
	}
	mode := ts.MkAbs(".embedder")
	ts.Check(os.WriteFile(mode, []byte(args[0]), 0o666))
	if ts.Getenv("SLIPSTREAM_EMBED_URL") != "" {
		return
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Input []string }
		_ = json.NewDecoder(r.Body).Decode(&q)
		_, _ = io.Copy(io.Discard, r.Body)
		how, err := os.ReadFile(mode)
		if err != nil || r.URL.Path != "/v1/embeddings" || r.Header.Get("Authorization") != "Bearer secret-of-the-test" {
			http.NotFound(w, r)
			return
		}
		dim := 16
		switch string(how) {
		case "down":
			http.Error(w, `{"error": {"message": "out of order"}}`, http.StatusServiceUnavailable)
			return
		case "hang":
			<-r.Context().Done()
			return
		case "lie":
			dim = 17
		case "refuse":
			if strings.Contains(strings.Join(q.Input, " "), "refuse") {
				http.Error(w, `{"error": {"message": "that text is refused"}}`, http.StatusBadRequest)
				return
			}
		}
		type datum struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var data []datum
		for i, text := range q.Input {
			v := make([]float32, dim)
			v[0] = 0.1
			for _, word := range strings.Fields(strings.ToLower(text)) {
				h := fnv.New32a()
				h.Write([]byte(strings.Trim(word, ".,[]")))
				v[1+h.Sum32()%15]++
			}
			data = append(data, datum{i, v})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	ts.Defer(func() {
		s.CloseClientConnections()
		s.Close()
	})
	ts.Setenv("SLIPSTREAM_EMBED_URL", s.URL+"/v1")
	ts.Setenv("SLIPSTREAM_EMBED_MODEL", "test")
	ts.Setenv("SLIPSTREAM_EMBED_KEY", "secret-of-the-test")
	ts.Setenv("SLIPSTREAM_EMBED_TIMEOUT", "300ms")
}
